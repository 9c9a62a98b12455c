import Screen

extension ColourScheme {
  /// Made for backgrounds from black to dark grey.
  static let darkTable: [ColourPart: Style] = [
    .text: .plain,
    .faint: Style(0xB2B2B2),
    .mine: Style(0xF2F5FA, on: 0x1E2F5E),
    .theirs: Style(0xEDEFF2, on: 0x363B44),
    .name: Style(0xE6E6E6, .bold),
    .time: Style(0xBFC5CF),
    .subject: Style(0xF2F5FA, .bold),
    .heading: Style(0xC8D0DC, .bold),
    .unreadLine: Style(0xFFB454, .bold),
    .newBelow: Style(0x101418, on: 0xFFB454, .bold),
    .typing: Style(0xBFC5CF, .italic),
    .link: Style(0x9CD0FF, .underline),
    .mention: Style(0xFFCF80, .bold),
    .topic: Style(0x9CD0FF),
    .emoticon: Style(0xFFCF80),
    .code: Style(0xE3D5FF),
    .quote: Style(0xC8D0DC, .italic),
    .reaction: Style(0xEDEFF2, on: 0x2A2F38),
    .myReaction: Style(0xFFFFFF, on: 0x2F4257, .bold),
    .hit: Style(0x101418, on: 0xFFD866, .bold),
    .folded: Style(0x9CD0FF),
    .queued: Style(0xFFCF80),
    .sent: Style(0xBFC5CF),
    .delivered: Style(0xC8D0DC),
    .displayed: Style(0x8FE3B0),
    .failed: Style(0xFFB3AD, .bold),
    .doubt: Style(0xFFCF80),
    .held: Style(0xFFCF80),
    .selected: Style(0xFFFFFF, on: 0x2F4257),
    .unread: Style(0xFFCF80, .bold),
    .muted: Style(0xB7BCC5),
    .draft: Style(0xFFB3AD, .italic),
    .available: Style(0x8FE3B0),
    .away: Style(0xFFCF80),
    .busy: Style(0xFFB3AD),
    .offline: Style(0xB7BCC5),
    .input: .plain,
    .prompt: Style(0x9CD0FF, .bold),
    .status: Style(0xE6E9EE, on: 0x2A2F38),
    .statusAlert: Style(0xFFCF80, .bold),
    .popUp: Style(0xEDEFF2, on: 0x2A2F38),
    .popUpTitle: Style(0xFFFFFF, .bold),
    .popUpKey: Style(0x9CD0FF, .bold),
    .error: Style(0xFFB3AD, .bold),
  ]

  /// Made for backgrounds from white to cream.
  static let lightTable: [ColourPart: Style] = [
    .text: .plain,
    .faint: Style(0x4E5663),
    .mine: Style(0x0B1B2B, on: 0xCFE4FA),
    .theirs: Style(0x16191D, on: 0xE6E8EB),
    .name: Style(0x1A1A1A, .bold),
    .time: Style(0x4A5260),
    .subject: Style(0x0B1B2B, .bold),
    .heading: Style(0x3A424E, .bold),
    .unreadLine: Style(0x8A3F00, .bold),
    .newBelow: Style(0xFFFFFF, on: 0x8A3F00, .bold),
    .typing: Style(0x4A5260, .italic),
    .link: Style(0x0A4A94, .underline),
    .mention: Style(0x6B2F00, .bold),
    .topic: Style(0x0A4A94),
    .emoticon: Style(0x6B2F00),
    .code: Style(0x4B2E83),
    .quote: Style(0x3A424E, .italic),
    .reaction: Style(0x16191D, on: 0xEEF0F3),
    .myReaction: Style(0x000000, on: 0xC4DCF7, .bold),
    .hit: Style(0x1A1200, on: 0xFFD866, .bold),
    .folded: Style(0x0A4A94),
    .queued: Style(0x6B2F00),
    .sent: Style(0x4A5260),
    .delivered: Style(0x3A424E),
    .displayed: Style(0x0A5A30),
    .failed: Style(0x9A1414, .bold),
    .doubt: Style(0x6B2F00),
    .held: Style(0x6B2F00),
    .selected: Style(0x000000, on: 0xC4DCF7),
    .unread: Style(0x6B2F00, .bold),
    .muted: Style(0x4F5764),
    .draft: Style(0x9A1414, .italic),
    .available: Style(0x0A5A30),
    .away: Style(0x6B2F00),
    .busy: Style(0x9A1414),
    .offline: Style(0x4F5764),
    .input: .plain,
    .prompt: Style(0x0A4A94, .bold),
    .status: Style(0x16191D, on: 0xDDE1E6),
    .statusAlert: Style(0x6B2F00, .bold),
    .popUp: Style(0x16191D, on: 0xEEF0F3),
    .popUpTitle: Style(0x000000, .bold),
    .popUpKey: Style(0x0A4A94, .bold),
    .error: Style(0x9A1414, .bold),
  ]

  /// Areas in the colours of a palette of 256 (6x6x6 and greys).
  static let paletteGrounds: [Kind: [ColourPart: Colour]] = [
    .dark: [
      .mine: Colour(hex: 0x00005F), .theirs: Colour(hex: 0x303030), .selected: Colour(hex: 0x444444),
      .status: Colour(hex: 0x262626), .popUp: Colour(hex: 0x262626),
    ],
    .light: [
      .mine: Colour(hex: 0xD7D7FF), .theirs: Colour(hex: 0xE4E4E4), .selected: Colour(hex: 0xD7FFD7),
      .status: Colour(hex: 0xDADADA), .popUp: Colour(hex: 0xEEEEEE),
    ],
  ]

  /// Without any assumption: the terminal's own text and background, told apart by renditions; the user's own colours only
  /// where a word or a mark says the same.
  static let plainTable: [ColourPart: Style] = [
    .faint: Style(.standard, .dim),
    .name: Style(.standard, .bold),
    .time: Style(.standard, .dim),
    .subject: Style(.standard, .bold),
    .heading: Style(.standard, .bold),
    .unreadLine: Style(.standard, .bold),
    .newBelow: Style(.standard, [.bold, .reverse]),
    .typing: Style(.standard, .dim),
    .link: Style(.standard, .underline),
    .mention: Style(.standard, .bold),
    .quote: Style(.standard, .dim),
    .myReaction: Style(.standard, .bold),
    .hit: Style(.standard, [.bold, .reverse]),
    .folded: Style(.standard, .underline),
    .queued: Style(.standard, .dim),
    .sent: Style(.standard, .dim),
    .delivered: Style(.standard, .dim),
    .failed: Style(.indexed(1), .bold),
    .selected: Style(.standard, .reverse),
    .unread: Style(.standard, .bold),
    .muted: Style(.standard, .dim),
    .draft: Style(.indexed(1)),
    .available: Style(.indexed(2)),
    .busy: Style(.indexed(1)),
    .offline: Style(.standard, .dim),
    .prompt: Style(.standard, .bold),
    .status: Style(.standard, .reverse),
    .statusAlert: Style(.standard, [.bold, .reverse]),
    .popUp: Style(.standard, .reverse),
    .popUpTitle: Style(.standard, [.bold, .reverse]),
    .popUpKey: Style(.standard, [.bold, .reverse]),
    .error: Style(.indexed(1), .bold),
  ]
}

extension Style {
  /// Colours as `0xRRGGBB`.
  fileprivate init(_ foreground: UInt32, on background: UInt32? = nil, _ attributes: Attributes = []) {
    self.init(Colour(hex: foreground), on: background.map(Colour.init(hex:)) ?? .standard, attributes)
  }

  fileprivate init(_ foreground: Colour, _ attributes: Attributes = []) {
    self.init(foreground, on: .standard, attributes)
  }
}

extension Colour {
  /// `0xRRGGBB`
  fileprivate init(hex: UInt32) {
    self = .rgb(UInt8(hex >> 16 & 0xFF), UInt8(hex >> 8 & 0xFF), UInt8(hex & 0xFF))
  }
}
