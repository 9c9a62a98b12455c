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
}
