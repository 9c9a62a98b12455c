import Screen
import Testing

@testable import TerminalUI

/// Contrast as WCAG 2.1 defines it.
private enum Contrast {
  static func luminance(_ colour: Colour) -> Double? {
    guard case .rgb(let red, let green, let blue) = colour else { return nil }
    let parts = [red, green, blue].map { part -> Double in
      let value = Double(part) / 255
      return value <= 0.040_45 ? value / 12.92 : power((value + 0.055) / 1.055)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }

  /// `base` to the power of 2.4, by Newton's method for the fifth root of its twelfth power.
  private static func power(_ base: Double) -> Double {
    let target = (0..<12).reduce(1.0) { product, _ in product * base }
    var root = base
    for _ in 0..<60 { root -= (root * root * root * root * root - target) / (5 * root * root * root * root) }
    return root
  }

  static func ratio(_ one: Colour, _ other: Colour) -> Double? {
    guard let first = luminance(one), let second = luminance(other) else { return nil }
    return (max(first, second) + 0.05) / (min(first, second) + 0.05)
  }
}

/// The 240 fixed colours of a palette of 256.
private struct Palette {
  private var known: [Colour: Colour] = [:]
  private let fixed: [[UInt8]] = {
    let levels: [UInt8] = [0, 95, 135, 175, 215, 255]
    let cube = levels.flatMap { red in levels.flatMap { green in levels.map { [red, green, $0] } } }
    return cube + (0..<24).map { [UInt8](repeating: UInt8(8 + 10 * $0), count: 3) }
  }()

  mutating func closest(to colour: Colour) -> Colour {
    guard case .rgb(let red, let green, let blue) = colour, known[colour] == nil else { return known[colour] ?? colour }
    func distance(_ other: [UInt8]) -> Int {
      zip(other, [red, green, blue]).reduce(0) { $0 + (Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1)) }
    }
    let best = fixed.min { distance($0) < distance($1) } ?? [0, 0, 0]
    known[colour] = .rgb(best[0], best[1], best[2])
    return .rgb(best[0], best[1], best[2])
  }
}

struct LayoutColourTests {
  /// Backgrounds of usual terminals: black, dark grey, Nord; white, Solarized's cream.
  private static let backgrounds: [ColourScheme.Kind: [Colour]] = [
    .dark: [.rgb(0, 0, 0), .rgb(0x1E, 0x1E, 0x1E), .rgb(0x2E, 0x34, 0x40)],
    .light: [.rgb(255, 255, 255), .rgb(0xFD, 0xF6, 0xE3)],
  ]
  /// The terminal's own text is as readable as its user has chosen.
  private static let text: [ColourScheme.Kind: Colour] = [
    .dark: .rgb(0xD0, 0xD0, 0xD0), .light: .rgb(0x20, 0x20, 0x20),
  ]

  /// Which parts stand on which areas.
  private static let pairs: [(ColourPart, ColourPart)] = {
    let onMessages: [ColourPart] = [
      .time, .subject, .link, .hit, .folded, .queued, .sent, .delivered, .displayed, .failed, .doubt, .held, .muted,
      .typing, .mention, .topic, .emoticon, .code, .quote,
    ]
    let onRows: [ColourPart] = [
      .faint, .name, .time, .unread, .muted, .draft, .failed, .doubt, .typing, .available, .away,
      .busy,
      .offline, .error, .queued,
    ]
    let onPopUp: [ColourPart] = [.popUpTitle, .popUpKey, .faint, .error, .hit, .unread]
    return onMessages.flatMap { part in [.mine, .theirs, .selected].map { (part, $0) } }
      + onRows.flatMap { part in [.text, .selected].map { (part, $0) } } + onPopUp.map { ($0, .popUp) }
      + [(.statusAlert, .status), (.prompt, .input)] + ColourPart.allCases.map { ($0, .text) }
  }()

  private func standIn(_ style: Style, _ kind: ColourScheme.Kind, _ background: Colour) -> (Colour, Colour) {
    let foreground = style.foreground == .standard ? Self.text[kind] ?? .standard : style.foreground
    return (foreground, style.background == .standard ? background : style.background)
  }

  @Test("all text has a contrast of 4.5 to what it stands on", arguments: [ColourScheme.Kind.dark, .light])
  func contrast(kind: ColourScheme.Kind) throws {
    let scheme = ColourScheme(kind)
    for (part, ground) in Self.pairs {
      for background in try #require(Self.backgrounds[kind]) {
        let (foreground, back) = standIn(scheme.style(part, on: ground), kind, background)
        let ratio = try #require(Contrast.ratio(foreground, back))
        #expect(ratio >= 4.5, "\(part.rawValue) on \(ground.rawValue): \(ratio)")
      }
    }
  }

  @Test("a palette of 256 colours keeps the contrast, and areas apart", arguments: [ColourScheme.Kind.dark, .light])
  func paletteContrast(kind: ColourScheme.Kind) throws {
    let scheme = ColourScheme(kind, isPalette: true)
    var palette = Palette()
    #expect(Set([ColourPart.mine, .theirs, .selected].map { palette.closest(to: scheme[$0].background) }).count == 3)
    for (part, ground) in Self.pairs {
      for background in try #require(Self.backgrounds[kind]) {
        let (foreground, back) = standIn(scheme.style(part, on: ground), kind, background)
        let ratio = try #require(Contrast.ratio(palette.closest(to: foreground), palette.closest(to: back)))
        #expect(ratio >= 4.5, "\(part.rawValue) on \(ground.rawValue): \(ratio)")
      }
    }
  }

  @Test("names and initials of any colour are readable", arguments: [ColourScheme.Kind.dark, .light])
  func names(kind: ColourScheme.Kind) throws {
    let scheme = ColourScheme(kind)
    for number in 0..<300 {
      let initials = NameColour.initials("user\(number)", in: scheme)
      #expect(try #require(Contrast.ratio(initials.foreground, initials.background)) >= 4.5)
      for background in try #require(Self.backgrounds[kind]) {
        let ratio = try #require(Contrast.ratio(NameColour.name("user\(number)", in: scheme).foreground, background))
        #expect(ratio >= 4.5)
      }
    }
  }

  @Test("the plain scheme has the terminal's colours only, and areas without any")
  func plain() {
    let scheme = ColourScheme(.plain)
    for part in ColourPart.allCases {
      if case .rgb = scheme[part].foreground { Issue.record("\(part.rawValue) has a colour of its own") }
      #expect(scheme[part].background == .standard)
    }
    // What stands out does so without colours.
    for part in [
      ColourPart.selected, .hit, .unread, .unreadLine, .newBelow, .heading, .failed, .status, .popUp, .error,
    ] {
      #expect(!scheme[part].attributes.isEmpty)
    }
    #expect(scheme.style(.hit, on: .selected) != scheme[.selected])
  }

  @Test("the scheme follows what the terminal is known to have")
  func choice() {
    func kind(_ depth: Capabilities.Depth, _ isDark: Bool?) -> ColourScheme.Kind {
      var capabilities = Capabilities(depth: depth)
      capabilities.hasDarkBackground = isDark
      return ColourScheme(for: capabilities).kind
    }
    #expect(kind(.trueColour, true) == .dark)
    #expect(kind(.palette, false) == .light)
    #expect(kind(.trueColour, nil) == .dark)
    #expect(kind(.sixteen, true) == .plain)
    #expect(kind(.none, false) == .plain)
  }

  /// The vectors of XEP-0392 §12.1, at saturation 100 and lightness 50.
  @Test(
    "hues and colours are those of XEP-0392's vectors",
    arguments: [
      ("Romeo", 327.255249, [0.865, 0.000, 0.686]), ("juliet@capulet.lit", 209.410400, [0.000, 0.515, 0.573]),
      ("😺", 331.199341, [0.872, 0.000, 0.659]), ("council", 359.994507, [0.918, 0.000, 0.394]),
      ("Board", 171.430664, [0.000, 0.527, 0.457]),
    ])
  func vectors(name: String, hue: Double, rgb: [Double]) {
    #expect(abs(NameColour.angle(name) - hue) < 0.000_001)
    for (part, expected) in zip(HSLuv.rgb(hue: hue, saturation: 100, lightness: 50), rgb) {
      #expect(abs(part - expected) < 0.0006)
    }
  }

  @Test(
    "a hue becomes the closest of the six colours of each terminal",
    arguments: [(0.0, 1), (359.0, 1), (130, 2), (270, 4)])
  func sixColours(hue: Double, index: Int) {
    #expect(NameColour.palette(hue) == .indexed(UInt8(index)))
  }

  @Test("a style over another keeps what it leaves open")
  func over() {
    let ground = Style(.rgb(1, 2, 3), on: .rgb(4, 5, 6), .italic)
    #expect(
      Style(.indexed(1), on: .standard, .bold).over(ground) == Style(.indexed(1), on: .rgb(4, 5, 6), [.bold, .italic]))
  }
}
