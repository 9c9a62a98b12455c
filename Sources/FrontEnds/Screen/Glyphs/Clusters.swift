import CUnistring

/// Divides texts into grapheme clusters (UAX #29), by libunistring.
package enum Clusters {
  /// Columns of one cluster where code points are counted: letters that have no bounds are cut there.
  static let widthLimit = 12

  /// The glyphs of a text on one line: line breaks are `↵`.
  package static func split(_ text: String, _ rules: GlyphRules = GlyphRules()) -> [Glyph] {
    if ShownText.isPlain(text) { return plain(text) }
    return split(Array(text.unicodeScalars)[...], rules)
  }

  /// The glyphs of a text, line by line; the offsets are those in the whole text.
  package static func lines(_ text: String, _ rules: GlyphRules = GlyphRules()) -> [[Glyph]] {
    if ShownText.isPlain(text) { return [plain(text)] }
    let scalars = Array(text.unicodeScalars)
    return scalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      split(line.last == "\r" && line.endIndex < scalars.endIndex ? line.dropLast() : line, rules)
    }
  }

  private static func plain(_ text: String) -> [Glyph] {
    text.utf8.enumerated().map { offset, byte in
      Glyph(text: String(Unicode.Scalar(byte)), width: 1, offset: offset)
    }
  }

  private static func split(_ source: ArraySlice<Unicode.Scalar>, _ rules: GlyphRules) -> [Glyph] {
    let cleaner = TextCleaner(source, emoji: rules.emoji)
    let breaks = breaks(in: cleaner.scalars)
    var maker = GlyphMaker(cleaner, rules)
    for index in breaks.indices { maker.add(index, isBreak: breaks[index] != 0) }
    maker.finish(at: breaks.count)
    return maker.glyphs
  }

  /// For each scalar whether a cluster begins with it: 1 if so.
  private static func breaks(in scalars: [UInt32]) -> [CChar] {
    var flags = [CChar](repeating: 0, count: scalars.count)
    unsafe u32_grapheme_breaks(scalars, scalars.count, &flags)
    return flags
  }
}

/// Gathers the scalars of a cluster, and makes a glyph of them.
private struct GlyphMaker {
  private let cleaner: TextCleaner
  private let rules: GlyphRules
  private(set) var glyphs: [Glyph] = []
  /// Index of the cluster's first scalar.
  private var start = 0
  private var shape = ClusterShape()

  init(_ cleaner: TextCleaner, _ rules: GlyphRules) {
    self.cleaner = cleaner
    self.rules = rules
    glyphs.reserveCapacity(cleaner.scalars.count)
  }

  mutating func add(_ index: Int, isBreak: Bool) {
    let (value, traits) = (cleaner.scalars[index], cleaner.traits[index])
    if isBreak || shape.isTooWide(with: value, traits) { finish(at: index) }
    shape.add(value, traits)
  }

  /// Ends the cluster before a scalar.
  mutating func finish(at end: Int) {
    guard start < end else { return }
    let width = shape.width(in: rules.widths)
    let offset = cleaner.origins[start]
    if width == 0 || (rules.emoji == .names && shape.isEmoji) {
      glyphs += EmojiNames.name(of: text(end)).utf8.map {
        Glyph(text: String(Unicode.Scalar($0)), width: 1, offset: offset)
      }
    } else {
      glyphs.append(Glyph(text: text(end), width: width, isDoubtful: shape.isDoubtful, offset: offset))
    }
    start = end
    shape = ClusterShape()
  }

  private func text(_ end: Int) -> String {
    if end - start == 1, let scalar = Unicode.Scalar(cleaner.scalars[start]) { return String(Character(scalar)) }
    return Glyph.text(cleaner.scalars[start..<end])
  }
}
