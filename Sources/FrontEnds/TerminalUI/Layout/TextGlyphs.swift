import Screen

extension LayoutContext {
  var rules: GlyphRules { GlyphRules(widths, emoji: emoji) }
}

/// A cluster as the layout places it.
struct TextGlyph: Hashable {
  let glyph: Glyph
  /// True if a line may end behind it.
  var mayBreakAfter = false
  /// The part of the text that gives its colour, if it is not plain text.
  var part: ColourPart?
  var attributes: Style.Attributes = []

  init(_ glyph: Glyph) { self.glyph = glyph }

  var width: Int { glyph.width }
  var isSpace: Bool { glyph.isSpace || glyph.text == "\u{3000}" }
}

/// A line of a text as it was written, without its end.
struct TextParagraph {
  /// In logical order.
  private(set) var glyphs: [TextGlyph]
  private let bidi: BidiText

  init(_ source: [Glyph]) {
    bidi = BidiText(source)
    glyphs = bidi.glyphs.map(TextGlyph.init)
    for (index, mayBegin) in LineBreaks.opportunities(in: source).enumerated() where mayBegin && index > 0 {
      glyphs[index - 1].mayBreakAfter = true
    }
  }

  /// True if the text belongs to the right edge.
  var isRightToLeft: Bool { bidi.isRightToLeft }

  /// A line of it as it is from left to right.
  func line(_ range: Range<Int>) -> [TextGlyph] { bidi.visualOrder(of: range).map { glyphs[$0] } }

  /// Gives each glyph its part.
  /// - Parameter spans: sorted, apart from each other; those that end before the paragraph are taken off.
  mutating func mark(_ spans: inout ArraySlice<TextSpan>) {
    for index in glyphs.indices {
      let offset = glyphs[index].glyph.offset
      while let span = spans.first, span.range.upperBound <= offset { spans.removeFirst() }
      guard let span = spans.first else { return }
      let end = index + 1 < glyphs.count ? glyphs[index + 1].glyph.offset : offset + 1
      if span.range.lowerBound < max(end, offset + 1) {
        (glyphs[index].part, glyphs[index].attributes) = (span.part, span.attributes)
      }
    }
  }
}

extension Array<TextGlyph> {
  var width: Int { reduce(0) { $0 + $1.width } }
}
