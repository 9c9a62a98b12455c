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
    #expect(marked == ["cd", "efgh"])
  }
}
