import Glyphs
import Screen

/// The rows of an input, and the place of its cursor among them. Letters from right to left stand in their order within the row,
/// which itself is from left to right.
struct InputLayout {
  private(set) var rows: [StyledLine] = []
  private(set) var cursorRow = 0
  private(set) var cursorColumn = 0

  /// - Parameters:
  ///   - wrong: letters that are underlined.
  ///   - width: columns of a row; the cursor may stand behind the last letter of a full one only by a new row.
  init(_ input: TextInput, wrong: [Range<Int>] = [], width: Int, style: Style, in context: LayoutContext) {
    let wrong = Self.scalars(of: wrong, in: input.letters)
    let before = input.letters[..<input.cursor]
    let cursorLine = before.count { $0 == "\n" || $0 == "\r\n" }
    let cursorOffset = before.reduce(0) { $0 + $1.unicodeScalars.count }
    for (number, glyphs) in Clusters.lines(input.text, context.rules).enumerated() {
      let text = BidiText(glyphs, isAutomatic: false)
      let cursor = glyphs.firstIndex { $0.offset >= cursorOffset } ?? glyphs.count
      for row in Self.ranges(of: glyphs, room: max(2, width) - 1) {
        // Between two rows the cursor stands on the lower one.
        if number == cursorLine, row.lowerBound <= cursor {
          (cursorRow, cursorColumn) = (rows.count, text.columns(of: row)[min(cursor, row.upperBound) - row.lowerBound])
        }
        rows.append(Self.line(text.visualOrder(of: row).map { text.glyphs[$0] }, wrong, style))
      }
    }
  }

  /// Ranges of letters as ranges of Unicode scalars.
  private static func scalars(of ranges: [Range<Int>], in letters: [Character]) -> [Range<Int>] {
    guard !ranges.isEmpty else { return [] }
    let starts = letters.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.unicodeScalars.count) }
    return ranges.map { starts[$0.lowerBound]..<starts[$0.upperBound] }
  }

  private static func line(_ glyphs: [Glyph], _ wrong: [Range<Int>], _ style: Style) -> StyledLine {
    guard !wrong.isEmpty else { return StyledLine(glyphs, style) }
    var underlined = style
    underlined.attributes.insert(.underline)
    var line = StyledLine()
    for glyph in glyphs {
      line.append(glyph, wrong.contains { $0.contains(glyph.offset) } ? underlined : style)
    }
    return line
  }

  /// The rows of a line: as many letters as there is room for, one at least.
  private static func ranges(of glyphs: [Glyph], room: Int) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    var width = 0
    for (index, glyph) in glyphs.enumerated() {
      if width + glyph.width > room, start < index {
        ranges.append(start..<index)
        (start, width) = (index, 0)
      }
      width += glyph.width
    }
    return ranges + [start..<glyphs.count]
  }

  /// The rows that are shown: at most so many, the cursor's among them.
  func shown(_ limit: Int) -> Range<Int> {
    let first = max(0, min(cursorRow - limit + 1, rows.count - limit))
    let start = rows.count <= limit ? 0 : max(first, min(cursorRow, rows.count - limit))
    return start..<min(rows.count, start + limit)
  }
}
