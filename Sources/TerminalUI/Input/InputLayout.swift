import Glyphs
import Screen

/// The rows of an input around its cursor, and the place of the cursor among them. Letters from right to left stand in their order
/// within the row, which itself is from left to right.
struct InputLayout {
  private(set) var rows: [StyledLine] = []
  private(set) var cursorRow = 0
  private(set) var cursorColumn = 0

  /// - Parameters:
  ///   - wrong: letters that are underlined.
  ///   - width: columns of a row; the cursor may stand behind the last letter of a full one only by a new row.
  init(_ input: TextInput, wrong: [Range<Int>] = [], width: Int, style: Style, in context: LayoutContext) {
    let rower = InputRower(letters: input.letters, wrong: wrong, width: width, style: style, context: context)
    let pieces = InputPieces(letters: input.letters)
    let piece = pieces.piece(at: input.cursor)
    (rows, cursorRow, cursorColumn) = rower.rows(of: piece, cursor: input.cursor)
    var next = pieces.piece(after: piece)
    while let piece = next, rows.count - cursorRow <= Surface.inputRows {
      rows += rower.rows(of: piece, cursor: nil).rows
      next = pieces.piece(after: piece)
    }
    var previous = pieces.piece(before: piece)
    while let piece = previous, cursorRow < Surface.inputRows {
      let above = rower.rows(of: piece, cursor: nil).rows
      (rows, cursorRow) = (above + rows, cursorRow + above.count)
      previous = pieces.piece(before: piece)
    }
  }

  /// The rows that are shown: at most so many, the cursor's among them.
  func shown(_ limit: Int) -> Range<Int> {
    let first = max(0, min(cursorRow - limit + 1, rows.count - limit))
    let start = rows.count <= limit ? 0 : max(first, min(cursorRow, rows.count - limit))
    return start..<min(rows.count, start + limit)
  }
}

/// The lines of an input without their ends; long ones in pieces, each of which begins a row, so that a key costs no more in a text
/// of 60,000 letters than in a short one.
private struct InputPieces {
  private static let length = 1000

  let letters: [Character]

  func piece(at cursor: Int) -> Range<Int> {
    let line = lineStart(cursor)
    let start = line + (cursor - line) / Self.length * Self.length
    // At the end of a line the cursor stands behind its last piece.
    return cursor == start && start > line && isEnd(cursor) ? from(start - Self.length) : from(start)
  }

  func piece(after piece: Range<Int>) -> Range<Int>? {
    guard piece.upperBound < letters.count else { return nil }
    return from(isEnd(piece.upperBound) ? piece.upperBound + 1 : piece.upperBound)
  }

  func piece(before piece: Range<Int>) -> Range<Int>? {
    guard piece.lowerBound > 0 else { return nil }
    guard isEnd(piece.lowerBound - 1) else { return from(piece.lowerBound - Self.length) }
    return self.piece(at: piece.lowerBound - 1)
  }

  private func from(_ start: Int) -> Range<Int> {
    let limit = min(letters.count, start + Self.length)
    return start..<(letters[start..<limit].firstIndex(where: Self.isLineEnd) ?? limit)
  }

  private func lineStart(_ place: Int) -> Int { letters[..<place].lastIndex(where: Self.isLineEnd).map { $0 + 1 } ?? 0 }

  private func isEnd(_ place: Int) -> Bool { place == letters.count || Self.isLineEnd(letters[place]) }

  private static func isLineEnd(_ letter: Character) -> Bool { letter == "\n" || letter == "\r\n" }
}

/// Makes rows of a piece of an input.
private struct InputRower {
  let letters: [Character]
  let wrong: [Range<Int>]
  let width: Int
  let style: Style
  let context: LayoutContext

  /// - Returns: the rows, and row and column of the cursor if it is given.
  func rows(of piece: Range<Int>, cursor: Int?) -> (rows: [StyledLine], cursorRow: Int, cursorColumn: Int) {
    let (letters, wrong) = (letters[piece], Self.scalars(of: wrong, in: letters, piece))
    let cursorOffset = cursor.map { letters[..<$0].reduce(0) { $0 + $1.unicodeScalars.count } }
    let glyphs = Clusters.split(String(letters), context.rules)
    let text = BidiText(glyphs, isAutomatic: false)
    let place = cursorOffset.map { offset in glyphs.firstIndex { $0.offset >= offset } ?? glyphs.count }
    var (rows, cursorRow, cursorColumn) = ([StyledLine](), 0, 0)
    for row in Self.ranges(of: glyphs, room: max(2, width) - 1) {
      // Between two rows the cursor stands on the lower one.
      if let place, row.lowerBound <= place {
        (cursorRow, cursorColumn) = (rows.count, text.columns(of: row)[min(place, row.upperBound) - row.lowerBound])
      }
      rows.append(Self.line(text.visualOrder(of: row).map { text.glyphs[$0] }, wrong, style))
    }
    return (rows, cursorRow, cursorColumn)
  }

  /// Ranges of letters as ranges of the Unicode scalars of a piece.
  private static func scalars(of ranges: [Range<Int>], in letters: [Character], _ piece: Range<Int>) -> [Range<Int>] {
    guard !ranges.isEmpty else { return [] }
    let starts = letters[piece].reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.unicodeScalars.count) }
    return ranges.filter { piece.contains($0.lowerBound) }.map {
      starts[$0.lowerBound - piece.lowerBound]..<starts[min($0.upperBound, piece.upperBound) - piece.lowerBound]
    }
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
}
