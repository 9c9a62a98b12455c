package import Screen

/// A part of a text that is more than text.
package struct TextSpan: Hashable, Sendable {
  /// In Unicode scalars of the text.
  package var range: Range<Int>
  /// nil: the colour of the text around it.
  package var part: ColourPart?
  package var attributes: Style.Attributes

  package init(_ range: Range<Int>, _ part: ColourPart?, _ attributes: Style.Attributes = []) {
    self.range = range
    self.part = part
    self.attributes = attributes
  }
}

/// A text in lines of a width: each cluster stays whole, a word that is longer than a line is cut, spaces at a line's end
/// hang, spaces at a paragraph's begin are kept.
struct TextFlow {
  /// One line, from left to right.
  struct Line {
    var glyphs: [TextGlyph]
    /// True if the line belongs to the right edge.
    var isRightToLeft: Bool

    var width: Int { glyphs.width }
  }

  var lines: [Line] = []
  /// Lines behind the limit.
  private(set) var hiddenCount = 0
  /// True if that count is estimated: of a text far longer than its visible part, only the beginning is laid out.
  private(set) var isEstimated = false

  private let width: Int
  private let limit: Int

  /// - Parameters:
  ///   - spans: sorted, apart from each other.
  ///   - width: at least 1.
  ///   - firstIndent: columns of the first line that are taken.
  ///   - limit: lines that are made; the others are counted.
  init(
    _ text: String, spans: [TextSpan] = [], width: Int, firstIndent: Int = 0, limit: Int = .max,
    in context: LayoutContext
  ) {
    self.width = max(1, width)
    var indent = firstIndent
    self.limit = limit
    var spans = spans[...]
    let rest = rest(of: text)
    for line in Self.lines(of: rest.isEmpty ? text : String(text[..<rest.startIndex]), in: context) {
      var paragraph = TextParagraph(line)
      if lines.count < limit { paragraph.mark(&spans) }
      append(paragraph, indent: indent)
      indent = 0
    }
    estimate(rest)
  }

  /// Scalars for each column that is shown: so many are laid out at most.
  private static let depth = 4

  /// The part of a text that is not laid out.
  private func rest(of text: String) -> Substring {
    let (room, isUnlimited) = limit.multipliedReportingOverflow(by: Self.depth * width)
    guard !isUnlimited, text.utf8.count > room else { return "" }
    return text[text.unicodeScalars.dropFirst(room).startIndex...]
  }

  private mutating func estimate(_ rest: Substring) {
    guard !rest.isEmpty else { return }
    isEstimated = true
    var length = 0
    // The first line goes on with what is laid out, so it may add none.
    var least = 0
    for byte in rest.utf8 {
      if byte == UInt8(ascii: "\n") {
        hiddenCount += max(least, (length + width - 1) / width)
        (length, least) = (0, 1)
      } else if byte & 0xC0 != 0x80 {
        length += 1
      }
    }
    hiddenCount += length / width
  }

  /// Line feeds at the very end begin no line.
  private static func lines(of text: String, in context: LayoutContext) -> [[Glyph]] {
    var lines = Clusters.lines(text, context.rules)
    while lines.count > 1, lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  private mutating func append(_ paragraph: TextParagraph, indent: Int) {
    for range in Self.ranges(of: paragraph.glyphs, width: width, indent: indent) {
      guard lines.count < limit else {
        hiddenCount += 1
        continue
      }
      let ink = paragraph.glyphs[range].lastIndex { !$0.isSpace }
      let glyphs = paragraph.line(range.lowerBound..<(ink.map { $0 + 1 } ?? range.lowerBound))
        .map { $0.width > width ? TextGlyph("?" as Glyph) : $0 }
      lines.append(Line(glyphs: glyphs, isRightToLeft: paragraph.isRightToLeft))
    }
  }

  /// The glyphs of each line; hanging spaces included.
  private static func ranges(of glyphs: [TextGlyph], width: Int, indent: Int) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    // A word that does not fit beside what is taken goes to the next line.
    var line = LineFill(columns: indent, lastBreak: indent > 0 ? 0 : nil)
    var index = 0
    while index < glyphs.count {
      let glyph = glyphs[index]
      let isHanging = glyph.isSpace && line.hasInk
      if line.columns + glyph.width > width, index > line.start || line.columns > 0, !isHanging {
        let end = line.lastBreak ?? index
        ranges.append(line.start..<end)
        line = LineFill(start: end)
        index = end
        continue
      }
      line.columns += glyph.width
      line.hasInk = line.hasInk || !glyph.isSpace
      index += 1
      if glyph.mayBreakAfter, line.hasInk { line.lastBreak = index }
    }
    return ranges + [line.start..<glyphs.count]
  }

  /// A line while it is filled.
  private struct LineFill {
    var start = 0
    var columns = 0
    /// True if the line has anything but spaces: a line is not broken behind its indentation.
    var hasInk = false
    /// The last position where the line may end.
    var lastBreak: Int?
  }
}
