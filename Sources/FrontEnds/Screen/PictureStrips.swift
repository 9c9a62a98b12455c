/// Pictures for a terminal with graphics: each row of cells is a strip with a number. The bytes are written to the terminal as they
/// are, so they must have been checked (`GraphicsCheck`).
package struct PictureStrips: Equatable, Sendable {
  package struct Strip: Equatable, Sendable {
    package let columns: Int
    package let bytes: [UInt8]
  }

  private(set) var strips: [UInt32: Strip] = [:]
  private var last: UInt32 = 0

  package init() {}

  /// Adds a strip; its cells from left to right.
  package mutating func add(_ bytes: [UInt8], columns: Int) -> StyledLine {
    last += 1
    strips[last] = Strip(columns: columns, bytes: bytes)
    return StyledLine((0..<columns).map { .picture(last, column: $0) })
  }

  /// Removes the strips of lines.
  package mutating func remove(_ lines: [StyledLine]) {
    for line in lines { if let first = line.cells.first { strips[first.strip] = nil } }
  }

  subscript(number: UInt32) -> Strip? { strips[number] }

  /// The strips that are whole in a row, with their first columns: one that is covered in part, or cut, is not shown.
  func shown(in row: [Cell]) -> [(column: Int, number: UInt32)] {
    var shown: [(column: Int, number: UInt32)] = []
    var column = 0
    while column < row.count {
      let number = row[column].strip
      guard number > 0, let strip = strips[number], column + strip.columns <= row.count,
        (0..<strip.columns).allSatisfy({ row[column + $0].isOf(number, $0) })
      else {
        column += 1
        continue
      }
      shown.append((column, number))
      column += strip.columns
    }
    return shown
  }
}

extension Cell {
  fileprivate func isOf(_ number: UInt32, _ column: Int) -> Bool { strip == number && Int(stripColumn) == column }
}
