import Testing

@testable import TerminalUI

@Suite("The grid of a message's files")
struct FileGridTests {
  @Test(
    "one, two beside each other, two by two, up to three by three, fewer where boxes would be too narrow",
    arguments: [
      (1, 80, [0..<1], 36), (2, 80, [0..<2], 36), (3, 80, [0..<2, 2..<3], 36), (4, 80, [0..<2, 2..<4], 36),
      (5, 80, [0..<3, 3..<5], 26), (9, 80, [0..<3, 3..<6, 6..<9], 26), (9, 56, [0..<3, 3..<6, 6..<9], 18),
      (9, 55, [0..<2, 2..<4, 4..<6, 6..<8, 8..<9], 27), (2, 37, [0..<2], 18), (2, 36, [0..<1, 1..<2], 36),
      (1, 10, [0..<1], 10), (32, 80, [0..<3, 3..<6, 6..<9], 26), (0, 80, [], 36),
    ])
  func grid(count: Int, width: Int, rows: [Range<Int>], boxWidth: Int) {
    let grid = FileGrid(count: count, width: width)
    #expect(grid.rows == rows)
    #expect(grid.boxWidth == boxWidth)
  }
}
