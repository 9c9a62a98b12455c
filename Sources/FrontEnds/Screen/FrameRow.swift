/// A line of a frame as it was drawn: pieces of finished lines, of which later ones cover earlier ones. Cells are laid out only if
/// another row is not made of the same pieces.
struct FrameRow: Sendable {
  /// Cells at a column.
  private struct Piece {
    let cells: ArraySlice<Cell>
    let column: Int

    /// True if both share their cells in memory; equal cells alone are not enough.
    func isIdentical(to other: Piece) -> Bool {
      guard column == other.column, cells.count == other.cells.count else { return false }
      return unsafe cells.withUnsafeBufferPointer { cells in
        unsafe other.cells.withUnsafeBufferPointer { other in unsafe cells.baseAddress == other.baseAddress }
      }
    }
  }

  let width: Int
  private var pieces: [Piece] = []

  init(width: Int) { self.width = width }

  /// - Parameter column: within the row.
  mutating func draw(_ cells: ArraySlice<Cell>, column: Int) {
    let cells = cells.prefix(width - column)
    if cells.count == width { pieces.removeAll() }
    if !cells.isEmpty { pieces.append(Piece(cells: cells, column: column)) }
  }

  /// True if both rows are made of the same pieces. Rows for which this is false can still be equal.
  func isIdentical(to other: FrameRow) -> Bool {
    width == other.width && pieces.count == other.pieces.count
      && zip(pieces, other.pieces).allSatisfy { $0.isIdentical(to: $1) }
  }

  /// A cluster that is cut, or covered in part, becomes spaces.
  func cells() -> [Cell] {
    var row = [Cell](repeating: .blank, count: width)
    for piece in pieces {
      let end = piece.column + piece.cells.count
      Self.breakCluster(at: piece.column, in: &row)
      if end < width { Self.breakCluster(at: end, in: &row) }
      for (offset, cell) in piece.cells.enumerated() { row[piece.column + offset] = cell }
      Self.blankCutCluster(before: end, in: &row)
    }
    return row
  }

  /// A cluster that goes on across a column becomes spaces on both sides of it.
  private static func breakCluster(at column: Int, in row: inout [Cell]) {
    guard row[column].width == 0 else { return }
    var start = column
    while row[start].width == 0 { start -= 1 }
    let end = start + Int(row[start].width)
    for index in start..<end { row[index] = .blank(row[index].style) }
  }

  /// The last cluster of a piece becomes spaces if a part of it is missing.
  private static func blankCutCluster(before end: Int, in row: inout [Cell]) {
    var start = end - 1
    while row[start].width == 0 { start -= 1 }
    guard start + Int(row[start].width) > end else { return }
    for index in start..<end { row[index] = .blank(row[index].style) }
  }
}

extension FrameRow: Equatable {
  static func == (left: FrameRow, right: FrameRow) -> Bool {
    left.isIdentical(to: right) || left.cells() == right.cells()
  }
}
