import Drawings
import Glyphs
import Screen

/// A picture of a message in half-blocks. Shared, so that it is compared by what it is and not cell by cell.
package final class DrawnPicture: Equatable, Sendable {
  let lines: [StyledLine]

  /// nil if it is no picture of cells.
  init?(_ drawing: Drawing, _ style: DrawingRequest.Style) {
    guard case .cells(let cells) = drawing.content, drawing.columns > 0 else { return nil }
    let isTrueColour = style == .trueColour
    lines = stride(from: 0, to: cells.count, by: drawing.columns).map { start in
      StyledLine(cells[start..<min(cells.count, start + drawing.columns)].map { Self.cell($0, isTrueColour) })
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
struct PictureShelf {
  struct Place: Equatable {
    let message: UInt64
    /// The file's, from 0.
    let index: Int
    let width: Int
  }

  private var pictures: [(place: Place, picture: DrawnPicture)] = []

  /// Pictures that are kept.
  private static let limit = 24

  mutating func add(_ picture: DrawnPicture, at place: Place) {
    pictures.removeAll { $0.place == place }
    pictures.append((place, picture))
    if pictures.count > Self.limit { pictures.removeFirst() }
  }

  /// Pictures of a message, in the order of its files.
  func pictures(of message: UInt64, width: Int) -> [DrawnPicture] {
    pictures.filter { $0.place.message == message && $0.place.width == width }
      .sorted { $0.place.index < $1.place.index }.map(\.picture)
  }

  func has(_ message: UInt64, _ index: Int, width: Int) -> Bool {
    pictures.contains { $0.place == Place(message: message, index: index, width: width) }
  }

  /// Hides a picture, whatever its width.
  mutating func remove(_ message: UInt64, _ index: Int) {
    pictures.removeAll { $0.place.message == message && $0.place.index == index }
  }
}
