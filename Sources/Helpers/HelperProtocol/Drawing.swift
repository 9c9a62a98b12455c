/// How a picture is to be drawn on a terminal.
package struct DrawingRequest: Equatable, Sendable {
  package enum Style: UInt8, CaseIterable, Sendable {
    /// Half-blocks in colours of 24 bits, of xterm's 256, of 16.
    case trueColour = 1
    case colours256, colours16
    case kitty, iTerm2, sixel

    /// True if pictures are graphics of the terminal, not cells.
    package var isGraphics: Bool { [.kitty, .iTerm2, .sixel].contains(self) }
  }

  package let style: Style
  /// The most cells.
  package let columns: Int
  package let rows: Int
  /// In pixels.
  package let cellWidth: Int
  package let cellHeight: Int

  /// Sizes beyond what a terminal has are cut.
  package init(_ style: Style, columns: Int, rows: Int, cellWidth: Int = 8, cellHeight: Int = 16) {
    self.style = style
    self.columns = min(max(1, columns), 500)
    self.rows = min(max(1, rows), 300)
    self.cellWidth = min(max(1, cellWidth), 64)
    self.cellHeight = min(max(1, cellHeight), 128)
  }
}

/// A picture for a terminal.
package struct Drawing: Equatable, Sendable {
  package enum Content: Equatable, Sendable {
    /// Row by row, all columns of each.
    case cells([DrawnCell])
    /// For each row a sequence of the terminal's graphics protocol, which `GraphicsCheck` has passed: a row can be shown without
    /// the others.
    case strips([[UInt8]])
  }

  /// Cells that it takes.
  package let columns: Int
  package let rows: Int
  package let content: Content

  package init(columns: Int, rows: Int, content: Content) {
    self.columns = columns
    self.rows = rows
    self.content = content
  }
}

/// One cell of a picture.
package struct DrawnCell: Equatable, Sendable {
  package let scalar: Unicode.Scalar
  /// 0xRRGGBB, or the number of a colour; nil: the terminal's own.
  package let foreground: UInt32?
  package let background: UInt32?

  package init(_ scalar: Unicode.Scalar, foreground: UInt32?, background: UInt32?) {
    self.scalar = scalar
    self.foreground = foreground
    self.background = background
  }
}
