import HelperProtocol
import Screen

/// A picture of a message, in half-blocks or in strips of the terminal's graphics. Shared, so that it is compared by what it is
/// and not cell by cell.
package final class DrawnPicture: Equatable, Sendable {
  let lines: [StyledLine]
  let canvas: PictureCanvas

  /// - Parameter strips: where strips are added.
  init(_ drawing: Drawing, _ canvas: PictureCanvas, _ strips: inout PictureStrips) {
    self.canvas = canvas
    switch drawing.content {
    case .cells(let cells):
      let isTrueColour = canvas.style == .trueColour
      lines = stride(from: 0, to: cells.count, by: max(1, drawing.columns)).map { start in
        StyledLine(cells[start..<min(cells.count, start + drawing.columns)].map { Self.cell($0, isTrueColour) })
      }
    case .strips(let drawn): lines = drawn.map { strips.add($0, columns: drawing.columns) }
    }
  }

  private static func cell(_ cell: DrawnCell, _ isTrueColour: Bool) -> Cell {
    let colour: (UInt32?) -> Colour = { value in
      guard let value else { return .standard }
      guard isTrueColour else { return .indexed(UInt8(truncatingIfNeeded: value)) }
      return .rgb(
        UInt8(truncatingIfNeeded: value >> 16), UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value))
    }
    var style = Style.plain
    (style.foreground, style.background) = (colour(cell.foreground), colour(cell.background))
    return Cell(Glyph(stringLiteral: String(Character(cell.scalar))), style)
  }

  package static func == (left: DrawnPicture, right: DrawnPicture) -> Bool { left === right }
}

/// The pictures that were drawn last, each for a width of its pane.
struct PictureCache {
  struct Key: Equatable {
    let message: UInt64
    /// The file's, from 0.
    let index: Int
    let canvas: PictureCanvas
  }

  private var pictures: [(key: Key, picture: DrawnPicture)] = []
  var avatars = AvatarCache()
  /// The strips of all pictures.
  private(set) var strips = PictureStrips()

  /// Pictures that are kept.
  private static let limit = 24
  /// The pictures of mine that the daemon was asked for, the newest last.
  private var asked: [Key] = []
  private static let mostAsked = 200

  /// Notes that the daemon is asked for a picture of mine; false if it was asked before.
  mutating func isFirstQuestion(about key: Key) -> Bool {
    guard !asked.contains(key), picture(key.message, key.index, on: key.canvas) == nil else { return false }
    asked = asked.suffix(Self.mostAsked - 1) + [key]
    return true
  }

  mutating func add(_ drawing: Drawing, at key: Key) {
    remove { $0 == key }
    pictures.append((key, DrawnPicture(drawing, key.canvas, &strips)))
    if pictures.count > Self.limit, let oldest = pictures.first?.key { remove { $0 == oldest } }
  }

  /// Pictures of a message, in the order of its files.
  func pictures(of message: UInt64, on canvas: PictureCanvas) -> [DrawnPicture] {
    pictures.filter { $0.key.message == message && $0.key.canvas == canvas }
      .sorted { $0.key.index < $1.key.index }.map(\.picture)
  }

  func picture(_ message: UInt64, _ index: Int, on canvas: PictureCanvas) -> DrawnPicture? {
    pictures.first { $0.key == Key(message: message, index: index, canvas: canvas) }?.picture
  }

  /// Hides a picture, whatever its width.
  mutating func remove(_ message: UInt64, _ index: Int) { remove { $0.message == message && $0.index == index } }

  // MARK: The preview of a file of this machine: no message has the number 0.

  mutating func addPreview(_ drawing: Drawing, on canvas: PictureCanvas) {
    add(drawing, at: Key(message: 0, index: 0, canvas: canvas))
  }

  func preview(on canvas: PictureCanvas) -> DrawnPicture? { picture(0, 0, on: canvas) }

  mutating func removePreview() { remove(0, 0) }

  /// - Parameter drawing: nil: it cannot be drawn.
  mutating func addAvatar(_ drawing: Drawing?, _ hash: String, on canvas: PictureCanvas) {
    let picture = drawing.map { DrawnPicture($0, canvas, &strips) }
    if let old = avatars.add(picture, hash, on: canvas) { strips.remove(old.lines) }
  }

  mutating func removeAll() {
    remove { _ in true }
    asked = []
  }

  private mutating func remove(_ isGone: (Key) -> Bool) {
    for picture in pictures where isGone(picture.key) { strips.remove(picture.picture.lines) }
    pictures.removeAll { isGone($0.key) }
  }
}

/// Room for a picture: one that was drawn for another canvas is not shown on this one.
struct PictureCanvas: Equatable {
  let style: DrawingRequest.Style
  let columns: Int
  /// nil: as many as the pane has when the picture is drawn.
  var rows: Int?
  /// Pictures beside each other.
  var perRow = 1
  /// In pixels.
  let cell: Capabilities.CellSize

  func request(rows most: Int) -> DrawingRequest {
    DrawingRequest(style, columns: columns, rows: rows ?? most, cellWidth: cell.width, cellHeight: cell.height)
  }
}

extension [DrawnPicture] {
  /// The lines of pictures of a message: so many beside each other as their canvas says.
  var lines: [StyledLine] {
    let perRow = first?.canvas.perRow ?? 1
    return stride(from: 0, to: count, by: perRow).flatMap { start in
      Self.beside(self[start..<Swift.min(count, start + perRow)])
    }
  }

  private static func beside(_ pictures: ArraySlice<DrawnPicture>) -> [StyledLine] {
    (0..<(pictures.map(\.lines.count).max() ?? 0)).map { index in
      var line = StyledLine()
      for (column, picture) in pictures.enumerated() {
        line.appendBlanks(column * (picture.canvas.columns + 1) - line.width)
        if index < picture.lines.count { line.cells += picture.lines[index].cells }
      }
      return line
    }
  }
}
