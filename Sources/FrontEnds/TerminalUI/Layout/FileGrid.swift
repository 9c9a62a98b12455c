/// The arrangement of a message's file boxes: up to three side by side, fewer if they would be too narrow.
struct FileGrid: Equatable {
  /// The files of each row.
  let rows: [Range<Int>]
  /// Columns that a box may have.
  let boxWidth: Int

  /// Columns of a box in which a name can be read, and those that the longest needs.
  static let narrowest = 18
  static let widest = 36
  /// Files that have a box; the others are counted.
  static let mostFiles = 9

  /// - Parameter width: columns for all of them, with one between two.
  init(count: Int, width: Int) {
    let count = min(count, Self.mostFiles)
    let wanted = count <= 1 ? 1 : count <= 4 ? 2 : 3
    let columns = max(1, min(wanted, (width + 1) / (Self.narrowest + 1)))
    boxWidth = max(1, min(Self.widest, (width - (columns - 1)) / columns))
    rows = stride(from: 0, to: count, by: columns).map { $0..<min(count, $0 + columns) }
  }
}
