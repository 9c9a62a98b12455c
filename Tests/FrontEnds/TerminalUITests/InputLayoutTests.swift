import Screen
import Testing

@testable import TerminalUI

@Suite("The rows of an input")
struct InputLayoutTests {
  @Test(
    "the cursor stands on the letter before which it types",
    arguments: [
      ("abc", 3, ["abc"], 0, 3), ("abc", 1, ["abc"], 0, 1), ("", 0, [""], 0, 0), ("ab\n", 3, ["ab", ""], 1, 0),
      ("ab\n\ncd", 3, ["ab", "", "cd"], 1, 0), ("ab\r\ncd", 4, ["ab", "cd"], 1, 1),
      ("abcdefg", 7, ["abcde", "fg"], 1, 2), ("abcdefg", 5, ["abcde", "fg"], 1, 0),
      ("abcde", 5, ["abcde"], 0, 5), ("中文中", 2, ["中文", "中"], 1, 0), ("a👩‍🚀b", 2, ["a👩‍🚀b"], 0, 3),
      ("a\tb", 2, ["a    ", "b"], 1, 0), ("a\tb", 1, ["a    ", "b"], 0, 1),
      ("אבג", 0, ["גבא"], 0, 2), ("אבג", 2, ["גבא"], 0, 0), ("אבג", 3, ["גבא"], 0, 3), ("a אב", 2, ["a בא"], 0, 3),
    ])
  func cursor(text: String, place: Int, rows: [String], row: Int, column: Int) {
    var input = TextInput(text)
    input.move(to: place)
    let layout = InputLayout(input, width: 6, style: .plain, in: LayoutSupport.context(6))
    #expect(layout.rows.map { $0.cells.map(\.text).joined() } == rows)
    #expect(layout.cursorRow == row)
    #expect(layout.cursorColumn == column)
  }

  @Test(
    "a row ends behind the last space that has room; a longer word is cut; one space hangs",
    arguments: [
      ("ab cdef", 7, ["ab ", "cdef"], 1, 4), ("ab cdef", 3, ["ab ", "cdef"], 1, 0),
      ("ab cdef", 2, ["ab ", "cdef"], 0, 2),
      ("ab cd efg", 9, ["ab cd ", "efg"], 1, 3), ("abcde fg", 5, ["abcde ", "fg"], 0, 5),
      ("abcde fg", 6, ["abcde ", "fg"], 1, 0), ("abcde ", 6, ["abcde ", ""], 1, 0),
      ("abcde  f", 8, ["abcde ", " f"], 1, 2),
      ("ab cdefghi", 10, ["ab ", "cdefg", "hi"], 2, 2), ("  abcdef", 8, ["  abc", "def"], 1, 3),
      ("a b c d e", 9, ["a b c ", "d e"], 1, 3), ("a bcd\ne", 7, ["a bcd", "e"], 1, 1),
      ("ab 中文", 5, ["ab 中", "文"], 1, 2),
      ("中文abcd", 6, ["中文", "abcd"], 1, 4), ("a ab中", 5, ["a ab", "中"], 1, 2), ("a\tb c", 5, ["a    ", "b c"], 1, 3),
      ("ab אבגד", 7, ["ab ", "דגבא"], 1, 4),
    ])
  func words(text: String, place: Int, rows: [String], row: Int, column: Int) {
    cursor(text: text, place: place, rows: rows, row: row, column: column)
  }

  @Test("rows are all letters of a text, in order, whatever its words and widths")
  func wholeRows() {
    let parts = [" ", "  ", "word", "a", "中", "👩‍🚀", "\n", "\t", "longer-word", "\u{301}", "é"]
    let context = LayoutSupport.context(8)
    var chance = Chance(3)
    for _ in 0..<500 {
      let letters = Array((0..<chance.below(12)).map { _ in parts[chance.below(parts.count)] }.joined())
      var columns = LetterColumns(context.rules)
      let measured = columns.measure(letters, context.rules)
      let width = 3 + chance.below(6)
      let found = InputRows(measured, cursor: 0, width: width)
      for (row, next) in zip(found.rows, found.rows.dropFirst()) {
        #expect(
          letters[row.upperBound..<next.lowerBound].allSatisfy { $0 == "\n" } && next.lowerBound <= row.upperBound + 1)
      }
      for row in found.rows where row.count > 1 {
        let used = measured[row].reduce(0) { $0 + ($1 == LetterColumns.space ? 1 : Int($1)) }
        #expect(used <= width || used == width + 1 && letters[row].last == " ", "\(String(letters[row])) \(width)")
      }
    }
  }

  @Test(
    "of a long input the rows around the cursor are laid out, the right ones",
    arguments: [0, 1, 6, 7, 999, 1000, 1001, 2500, 4999, 5000], [7, 10])
  func long(place: Int, room: Int) {
    for separator in [",", "\n"] {
      let text = (0..<1000).map { String(10_000 + $0).suffix(4) + separator }.joined()
      var input = TextInput(text)
      input.move(to: place)
      let layout = InputLayout(input, width: room + 1, style: .plain, in: LayoutSupport.context(room + 1))
      let rows = layout.rows.map { $0.cells.map(\.text).joined() }
      #expect(rows.count <= 10 && layout.shown(4).contains(layout.cursorRow) && layout.shown(4).count == 4)
      // As many letters a row as there is room for, or four and a line's end.
      let width = separator == "," ? room : 5
      let row = place == 5000 && separator == "," && place % width == 0 ? place / width - 1 : place / width
      for (index, shown) in rows.enumerated() {
        let offset = (row + index - layout.cursorRow) * width
        let start = text.index(text.startIndex, offsetBy: offset)
        #expect(shown == text[start...].prefix(width).filter { $0 != "\n" })
      }
      #expect(layout.cursorColumn == place - row * width)
    }
  }

  @Test("a letter that is typed, or deleted, moves all rows behind it, and no other letter is measured")
  func changed() {
    let context = LayoutSupport.context(11)
    var columns = LetterColumns(context.rules)
    var input = TextInput("")
    for text in ["中文", "a", "\n", "👩‍🚀", "אב", "\r\n", "e\u{301}"] {
      let before = columns.measuredCount
      input.insert(text)
      let measured = columns.measure(input.letters, context.rules)
      #expect(measured == Self.fresh(input, context) && columns.measuredCount - before == text.count)
      input.move(to: input.cursor / 2)
    }
    let before = columns.measuredCount
    while !input.isEmpty {
      _ = input.delete(input.letters.count / 2..<input.letters.count / 2 + 1)
      let measured = columns.measure(input.letters, context.rules)
      #expect(measured == Self.fresh(input, context) && columns.measuredCount == before)
    }
  }

  private static func fresh(_ input: TextInput, _ context: LayoutContext) -> [UInt8] {
    var columns = LetterColumns(context.rules)
    return columns.measure(input.letters, context.rules)
  }

  @Test("underlined letters stay underlined where a row is full")
  func underlined() {
    let context = LayoutSupport.context(6)
    let input = TextInput("ab cdefgh")
    var columns = LetterColumns(context.rules)
    let layout = InputLayout(
      input, columns: columns.measure(input.letters, context.rules), wrong: [3..<9], width: 6, style: .plain,
      in: context)
    let marked = layout.rows.map { $0.cells.filter { $0.style.attributes.contains(.underline) }.map(\.text).joined() }
    #expect(marked == ["", "cdefg", "h"])
  }
}
