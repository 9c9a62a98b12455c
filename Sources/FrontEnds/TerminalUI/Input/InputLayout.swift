import Screen

/// The rows of an input around its cursor, and the position of the cursor among them. Letters from right to left are in their order
/// within the row, which itself is from left to right.
struct InputLayout {
  private(set) var rows: [StyledLine] = []
  private(set) var cursorRow = 0
  private(set) var cursorColumn = 0

  /// - Parameters:
  ///   - columns: those of each letter of the input.
  ///   - wrong: letters that are underlined.
  ///   - width: columns of a row; the cursor may be behind the last letter of a full one only by a new row.
  init(
    _ input: TextInput, columns: [UInt8], wrong: [Range<Int>] = [], width: Int, style: Style, in context: LayoutContext
  ) {
    let found = InputRows(columns, cursor: input.cursor, width: max(2, width) - 1)
    cursorRow = found.cursorRow
    for line in found.lines {
      let text = InputLine(input.letters, rows: line, context.rules)
      if line.indices.contains(cursorRow) { cursorColumn = text.column(of: input.cursor, in: line[cursorRow]) }
      rows += line.map { text.row($0, wrong: wrong, style) }
    }
  }

  /// The rows that are shown: at most so many, the cursor's among them.
  func shown(_ limit: Int) -> Range<Int> {
    let first = max(0, min(cursorRow - limit + 1, rows.count - limit))
    let start = rows.count <= limit ? 0 : max(first, min(cursorRow, rows.count - limit))
    return start..<min(rows.count, start + limit)
  }
}

/// Adjacent rows of one line, in which scripts may run from right to left.
private struct InputLine {
  /// Index of the first letter, and for each letter where it begins in Unicode scalars; at last the end.
  private let first: Int
  private let starts: [Int]
  private let text: BidiText

  init(_ letters: [Character], rows: ArraySlice<Range<Int>>, _ rules: GlyphRules) {
    first = rows.first?.lowerBound ?? 0
    let letters = letters[first..<(rows.last?.upperBound ?? first)]
    starts = letters.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.unicodeScalars.count) }
    text = BidiText(Clusters.split(String(letters), rules), isAutomatic: false)
  }

  /// Index of the glyph with which a letter begins.
  private func glyph(_ letter: Int) -> Int {
    text.glyphs.firstIndex { $0.offset >= starts[letter - first] } ?? text.glyphs.count
  }

  private func glyphs(of row: Range<Int>) -> Range<Int> { glyph(row.lowerBound)..<glyph(row.upperBound) }

  func column(of cursor: Int, in row: Range<Int>) -> Int {
    let range = glyphs(of: row)
    return text.columns(of: range)[glyph(cursor) - range.lowerBound]
  }

  /// - Parameter wrong: letters that are underlined.
  func row(_ row: Range<Int>, wrong: [Range<Int>], _ style: Style) -> StyledLine {
    let glyphs = text.visualOrder(of: glyphs(of: row)).map { text.glyphs[$0] }
    let underlined = wrong.filter { $0.overlaps(row) }.map { $0.clamped(to: row) }
    guard !underlined.isEmpty else { return StyledLine(glyphs, style) }
    let scalars = underlined.map { starts[$0.lowerBound - first]..<starts[$0.upperBound - first] }
    var wrongStyle = style
    wrongStyle.attributes.insert(.underline)
    var line = StyledLine()
    for glyph in glyphs { line.append(glyph, scalars.contains { $0.contains(glyph.offset) } ? wrongStyle : style) }
    return line
  }
}
