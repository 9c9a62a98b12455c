/// A grapheme cluster that may be shown, and the room that it takes. Only `Clusters` makes glyphs, so each has passed
/// `ShownText`: no glyph steers the terminal.
package struct Glyph: Hashable, Sendable {
  package let text: String
  /// Columns, at least 1. A terminal that counts code points can need 8 and more for one emoji.
  package let width: Int
  /// True if terminals differ in the width.
  package let isDoubtful: Bool
  /// The offset of the cluster in the original text, in Unicode scalars. Glyphs that stand for one cluster (a tab, the
  /// name of an emoji) share it.
  package let offset: Int

  init(text: String, width: Int, isDoubtful: Bool = false, offset: Int) {
    self.text = text
    self.width = width
    self.isDoubtful = isDoubtful
    self.offset = offset
  }

  static func text(_ scalars: ArraySlice<UInt32>) -> String {
    var text = String.UnicodeScalarView()
    for scalar in scalars.lazy.compactMap(Unicode.Scalar.init) { text.append(scalar) }
    return String(text)
  }

  package var isSpace: Bool { text == " " }
}

extension Glyph: ExpressibleByStringLiteral {
  /// One cluster, of which terminals do not differ in the width.
  package init(stringLiteral text: String) {
    self = Clusters.split(text).first ?? Glyph(text: " ", width: 1, offset: 0)
  }
}

/// How a text becomes glyphs.
package struct GlyphRules: Hashable, Sendable {
  package var widths: WidthModel
  package var emoji: EmojiForm

  package init(_ widths: WidthModel = .codePoints, emoji: EmojiForm = .yes) {
    self.widths = widths
    self.emoji = emoji
  }
}

/// How emoji are shown.
package enum EmojiForm: String, CaseIterable, Hashable, Sendable {
  /// Shows emoji as characters; those that the terminal does not draw by name.
  case yes
  /// Without variation selectors, skin tones and joiners; flags as their letters.
  case simple
  /// By name, `:grinning face:`.
  case names
}
