/// Places of a message's pictures: beside each other in as many rows as columns, fewer if they would be too narrow.
struct PictureGrid {
  let columns: Int
  /// Columns of each picture.
  let width: Int
  let rows: Int

  /// Columns in which something can be seen.
  private static let narrowest = 12

  /// - Parameter width: columns for all of them, with one between two.
  init(count: Int, width: Int) {
    let wanted = count <= 1 ? 1 : count <= 4 ? 2 : 3
    columns = max(1, min(wanted, (width + 1) / (Self.narrowest + 1)))
    self.width = max(1, (width - (columns - 1)) / columns)
    rows = (min(count, FileGrid.mostFiles) + columns - 1) / columns
  }
}
