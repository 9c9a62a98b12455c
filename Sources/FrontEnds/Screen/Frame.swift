/// A screen's content: a grid of cells, line by line from the top, and the cursor's position. Drawing a finished line
/// copies none of its cells.
package struct Frame: Equatable, Sendable {
  package let width: Int
  package let height: Int
  private(set) var rows: [FrameRow]
  /// Column and line from 0; nil: hidden.
  package var cursor: Position?
  /// The pictures of which cells may be drawn.
  package var strips = PictureStrips()
  /// The title of the window; nil: as it was.
  package var title: String?

  /// A position in the grid.
  package struct Position: Hashable, Sendable {
    package var column: Int
    package var line: Int

    package init(column: Int, line: Int) {
      self.column = column
      self.line = line
    }
  }

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
    rows = Array(repeating: FrameRow(width: width), count: height)
  }

  /// The cells of a line.
  package func cells(line: Int) -> [Cell] { rows[line].cells() }

  package subscript(column: Int, line: Int) -> Cell { cells(line: line)[column] }

  /// Writes a line at a position, cut at `limit` columns and at the right edge. A wide cluster that is cut, or covered in part,
  /// becomes spaces.
  package mutating func draw(_ text: StyledLine, column: Int, line: Int, limit: Int = .max) {
    guard rows.indices.contains(line), (0..<width).contains(column), limit > 0 else { return }
    rows[line].draw(text.cells.prefix(limit), column: column)
  }

  /// Fills a rectangle with blanks of a style.
  package mutating func fill(column: Int, line: Int, width: Int, height: Int, _ style: Style) {
    let blanks = StyledLine(Array(repeating: .blank(style), count: max(0, width)))
    for offset in 0..<max(0, height) { draw(blanks, column: column, line: line + offset) }
  }
}
