/// Runs of columns in which two rows of cells differ. A run begins at a cluster, because further columns differ only if the first
/// one does. A few equal cells between two differences belong to the run, because to move the cursor costs more bytes.
struct RowDiff: Sequence, IteratorProtocol {
  /// Equal columns that are written rather than jumped over.
  private static let shortGap = 4

  /// nil: a row of blanks.
  private let origin: [Cell]?
  private let target: [Cell]
  private let end: Int
  private var column = 0

  /// - Parameter end: the column behind the last one of interest.
  init(from origin: [Cell]?, to target: [Cell], end: Int) {
    self.origin = origin
    self.target = target
    self.end = end
  }

  mutating func next() -> Range<Int>? {
    while column < end, !differs(column) { column += 1 }
    guard column < end else { return nil }
    let start = column
    var stop = column
    while column < end, column - stop <= Self.shortGap {
      if differs(column) { stop = column + 1 }
      column += 1
    }
    column = stop
    return start..<stop
  }

  private func differs(_ column: Int) -> Bool {
    guard let origin else { return target[column] != .blank }
    return target[column] != origin[column]
  }
}
