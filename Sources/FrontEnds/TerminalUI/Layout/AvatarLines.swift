import Screen

/// The avatar of a sender beside the name: its last row there, where initials would be, the other one above. The rows are there
/// with initials, too, so that nothing moves when the picture comes.
struct AvatarLines {
  /// Cells of a square, as most are twice as high as wide.
  static let columns = 4
  static let rows = 2

  /// nil: it is not drawn.
  let picture: DrawnPicture?

  /// The cells of a row, in the middle; nil: the picture has none there.
  func cells(_ row: Int) -> [Cell]? {
    guard let lines = picture?.lines, lines.indices.contains(row - Self.rows + lines.count) else { return nil }
    let drawn = lines[row - Self.rows + lines.count].cells
    let room = max(0, Self.columns - drawn.count)
    let blank = Cell(" ", .plain)
    return Array(repeating: blank, count: room / 2) + drawn + Array(repeating: blank, count: room - room / 2)
  }
}
