/// The rule for text from the network: what a terminal may be sent. Controls, bidi embeddings and what has no character become
/// U+FFFD; what has no look of its own vanishes, except joiners and selectors at work; a letter has at most eight marks.
package enum ShownText {
  /// Combining marks of one letter; further ones vanish.
  static let markLimit = 8
  /// Emoji joined to one (a family has four); further ones stand for themselves.
  static let joinLimit = 4

  /// The text on one line as it may be shown: line breaks are `↵`.
  package static func line(_ text: String) -> String {
    if isPlain(text) { return text }
    return Clusters.split(text).lazy.map(\.text).joined()
  }

  /// A text of nothing but characters without a look of their own and white space, with U+FFFD for each of the former; any
  /// other text as it is.
  package static func marked(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard !scalars.isEmpty, scalars.allSatisfy({ isInvisible($0) || $0.properties.isWhitespace }),
      scalars.contains(where: isInvisible)
    else { return text }
    var shown = String.UnicodeScalarView()
    shown.append(contentsOf: scalars.map { isInvisible($0) ? "\u{FFFD}" : $0 })
    return String(shown)
  }

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    WidthTable.traits(of: scalar).contains(.invisible)
  }

  /// True if all of the text is printable ASCII.
  static func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { (0x20..<0x7F).contains($0) } }
}

/// Scalars that may be shown, made from those of a text one by one.
struct TextCleaner {
  private let source: ArraySlice<Unicode.Scalar>
  private let emoji: EmojiForm
  /// Code points for libunistring.
  private(set) var scalars: [UInt32] = []
  private(set) var traits: [CodePointTraits] = []
  /// Index in the source of each.
  private(set) var origins: [Int] = []
  private var index: Int
  private var last = CodePointTraits()
  /// Traits of the letter that marks are on.
  private var base = CodePointTraits()
  private var markCount = 0
  private var joinCount = 0

  init(_ source: ArraySlice<Unicode.Scalar>, emoji: EmojiForm) {
    self.source = source
    self.emoji = emoji
    index = source.startIndex
    scalars.reserveCapacity(source.count)
    traits.reserveCapacity(source.count)
    origins.reserveCapacity(source.count)
    while index < source.endIndex {
      take(source[index])
      index += 1
    }
  }

  private mutating func take(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x09: for _ in 0..<4 { append(" ") }
    case 0x0A: append("↵")
    case 0x0D where next == "\n": break
    case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x206F, 0xFFF9...0xFFFB: append("\u{FFFD}")
    // Fillers of Hangul: letters that look like nothing.
    case 0x115F, 0x1160, 0x3164, 0xFFA0: append("\u{FFFD}")
    case 0x200C where isJoining: keep(scalar, Self.zeroWidth)
    case 0x200D: takeJoiner(scalar)
    case 0xFE0F: takeSelector(scalar)
    case 0x1F3F4: takeFlag(scalar)
    case 0x1F1E6...0x1F1FF where emoji == .simple: append(Self.letter(scalar))
    case 0x1F3FB...0x1F3FF where last.contains(.pictographic): takeTone(scalar)
    default: takeCharacter(scalar, WidthTable.traits(of: scalar))
    }
  }

  private mutating func takeCharacter(_ scalar: Unicode.Scalar, _ traits: CodePointTraits) {
    if traits.contains(.invisible) { return }
    if traits.contains(.unassigned) { return append("\u{FFFD}") }
    if traits.contains(.mark) { return takeMark(scalar, traits) }
    append(scalar, traits)
  }

  /// A mark without a letter is on a dotted circle.
  private mutating func takeMark(_ scalar: Unicode.Scalar, _ traits: CodePointTraits) {
    if scalars.isEmpty { append("\u{25CC}") }
    markCount += 1
    guard markCount <= ShownText.markLimit else { return }
    keep(scalar, traits, last: traits)
  }

  /// A zero-width joiner stays between two emoji, and in scripts whose letters join.
  private mutating func takeJoiner(_ scalar: Unicode.Scalar) {
    if last.contains(.pictographic), let next, WidthTable.traits(of: next).contains(.pictographic) {
      joinCount += 1
      guard emoji != .simple, joinCount < ShownText.joinLimit else { return }
      return keep(scalar, Self.zeroWidth)
    }
    if isJoining { keep(scalar, Self.zeroWidth) }
  }

  private var isJoining: Bool { last.contains(.joining) || (last.contains(.mark) && base.contains(.joining)) }

  /// The variation selector 16 stays on what has an emoji form; on digits only below a keycap.
  private mutating func takeSelector(_ scalar: Unicode.Scalar) {
    guard emoji != .simple, last.contains(.variationBase), let previous = scalars.last else { return }
    if previous < 0x80, next != "\u{20E3}" { return }
    keep(scalar, Self.zeroWidth, last: last.subtracting(.variationBase))
  }

  /// A skin tone belongs to the emoji on its left, which may be joined further.
  private mutating func takeTone(_ scalar: Unicode.Scalar) {
    guard emoji != .simple else { return }
    keep(scalar, WidthTable.traits(of: scalar), last: .pictographic)
  }

  /// A black flag with the tags of a region stays whole; other tags are invisible.
  private mutating func takeFlag(_ flag: Unicode.Scalar) {
    append(flag, WidthTable.traits(of: flag))
    guard emoji != .simple else { return }
    let tags = source[(index + 1)...].prefix(7).prefix { (0xE0030...0xE007A).contains($0.value) }
    let end = tags.endIndex
    guard !tags.isEmpty, end < source.endIndex, source[end].value == 0xE007F else { return }
    for position in (index + 1)...end {
      index = position
      keep(source[position], WidthTable.traits(of: source[position]))
    }
  }

  private var next: Unicode.Scalar? { index + 1 < source.endIndex ? source[index + 1] : nil }

  /// The traits of joiners and selectors.
  private static let zeroWidth = CodePointTraits()

  /// The letter of a regional indicator.
  private static func letter(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    Unicode.Scalar(UInt8(truncatingIfNeeded: scalar.value - 0x1F1E6 + 0x41))
  }

  private mutating func append(_ scalar: Unicode.Scalar) { append(scalar, WidthTable.traits(of: scalar)) }

  /// Adds a character that marks can be on.
  private mutating func append(_ scalar: Unicode.Scalar, _ traits: CodePointTraits) {
    if scalars.last != 0x200D { joinCount = 0 }
    keep(scalar, traits, last: traits)
    base = traits
    markCount = 0
  }

  /// Adds anything; `last` says then what it was to those behind it.
  private mutating func keep(_ scalar: Unicode.Scalar, _ traits: CodePointTraits, last: CodePointTraits = []) {
    scalars.append(scalar.value)
    self.traits.append(traits)
    origins.append(index)
    self.last = last
  }
}
