/// One cell of the grid: a cluster, or a further column of the one on its left.
package struct Cell: Hashable, Sendable {
  /// A cluster; a space where there is nothing; empty in a further column of a wide cluster.
  package let text: String
  /// Columns that the cluster takes; 0 in a further column of a wide one.
  package let width: UInt8
  /// True if terminals differ in the width of the cluster. The painter then writes the whole line, and positions what
  /// follows the cluster absolutely.
  package let isDoubtful: Bool
  /// The column within `strip`, from 0.
  package let stripColumn: UInt16
  /// The number of the strip of a picture that covers the cell, which is blank then (`PictureStrips`); 0: none.
  package let strip: UInt32
  package var style: Style

  /// The first column of a glyph.
  package init(_ glyph: Glyph, _ style: Style = .plain) {
    self.init(text: glyph.text, width: glyph.width, isDoubtful: glyph.isDoubtful, style)
  }

  private init(
    text: String, width: Int = 1, isDoubtful: Bool = false, strip: UInt32 = 0, stripColumn: UInt16 = 0,
    _ style: Style = .plain
  ) {
    (self.strip, self.stripColumn) = (strip, stripColumn)
    self.text = text
    self.width = UInt8(clamping: width)
    self.isDoubtful = isDoubtful
    self.style = style
  }

  package static func == (left: Cell, right: Cell) -> Bool {
    left.style == right.style && left.width == right.width && left.isDoubtful == right.isDoubtful
      && left.strip == right.strip && left.stripColumn == right.stripColumn && left.text == right.text
  }

  package static let blank = Cell(text: " ")

  /// A space.
  package static func blank(_ style: Style = .plain) -> Cell { Cell(text: " ", style) }

  /// A column of a strip of a picture.
  package static func picture(_ strip: UInt32, column: Int) -> Cell {
    Cell(text: " ", strip: strip, stripColumn: UInt16(clamping: column))
  }

  /// A further column of a wide cluster.
  package static func continuation(_ style: Style = .plain) -> Cell { Cell(text: "", width: 0, style) }
}

/// A line that is laid out: the cells in the order of the columns, at most as many as the line was made for. It is never
/// changed, so it can be kept and painted again.
package struct StyledLine: Hashable, Sendable {
  /// Columns, further columns of wide clusters included: `cells.count` is the width.
  package var cells: [Cell]

  package init(_ cells: [Cell] = []) {
    self.cells = cells
  }

  package init(_ glyphs: some Sequence<Glyph>, _ style: Style = .plain) {
    cells = []
    append(glyphs, style)
  }

  package var width: Int { cells.count }

  package mutating func append(_ glyph: Glyph, _ style: Style = .plain) {
    cells.append(Cell(glyph, style))
    for _ in 1..<max(1, glyph.width) { cells.append(.continuation(style)) }
  }

  package mutating func append(_ glyphs: some Sequence<Glyph>, _ style: Style = .plain) {
    for glyph in glyphs { append(glyph, style) }
  }

  /// Spaces.
  package mutating func appendBlanks(_ count: Int, _ style: Style = .plain) {
    for _ in 0..<max(0, count) { cells.append(.blank(style)) }
  }
}
