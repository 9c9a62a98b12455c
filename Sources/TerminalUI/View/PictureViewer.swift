/// The viewer: one picture of a conversation after the other, on the whole screen.
struct PictureViewer: Equatable {
  private let files: [FileTarget]
  private(set) var index: Int
  /// The room for which the current picture was asked for; nil: it was not.
  private var asked: PictureCanvas?
  /// Whether the current picture is on its way.
  private(set) var isWaiting = false

  /// - Parameter files: the pictures of a conversation; `chosen` is one of them.
  init?(_ files: [FileTarget], at chosen: FileTarget) {
    guard let index = files.firstIndex(where: { ($0.message, $0.index) == (chosen.message, chosen.index) }) else {
      return nil
    }
    (self.files, self.index) = (files, index)
  }

  var current: FileTarget { files[index] }
  /// `2 of 5`
  var place: String { "\(index + 1) of \(files.count)" }

  /// Goes to another picture, as far as there is one.
  mutating func turn(_ step: Int) {
    let next = min(max(0, index + step), files.count - 1)
    if next != index { (asked, isWaiting) = (nil, false) }
    index = next
  }

  /// Whether the picture has to be asked for; true once for a room.
  mutating func asks(for canvas: PictureCanvas) -> Bool {
    guard asked != canvas else { return false }
    (asked, isWaiting) = (canvas, true)
    return true
  }

  /// Forgotten as asked for.
  mutating func askAgain() { asked = nil }

  /// The picture is here, or cannot be had.
  mutating func stopWaiting() { isWaiting = false }
}

/// Where the pictures of a message stand: beside each other in as many rows as columns, fewer where they would be too narrow.
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
