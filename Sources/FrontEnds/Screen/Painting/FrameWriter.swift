/// Gathers the bytes of one write.
struct FrameWriter {
  private(set) var bytes: [UInt8] = []
  private let capabilities: Capabilities
  /// The terminal's cursor, which may be behind the right edge; nil if unknown.
  private var cursor: Frame.Position?
  private var pen = Pen.plain
  /// The style of `pen`, so that it is made once for a run of cells.
  private var style = Style.plain

  init(_ capabilities: Capabilities) { self.capabilities = capabilities }

  mutating func write(_ sequence: String) { bytes += sequence.utf8 }

  /// Draws a picture; the cursor may be anywhere then.
  mutating func draw(_ picture: [UInt8]) {
    bytes += picture
    cursor = nil
  }

  /// Forgets everything that may be on the screen.
  mutating func clear() {
    write(TerminalSequences.restoredWriting + TerminalMode.wrapping.set + TerminalSequences.eraseScreen)
    cursor = nil
    (pen, style) = (.plain, .plain)
  }

  mutating func move(to position: Frame.Position) {
    guard position != cursor else { return }
    if let cursor, cursor.line == position.line {
      write(TerminalSequences.move(toColumn: position.column))
    } else {
      write(TerminalSequences.move(to: position.column, position.line))
    }
    cursor = position
  }

  /// Blanks the rest of a line with the terminal's own ground: others are not erased to by each terminal.
  mutating func eraseLine(from column: Int, line: Int) {
    move(to: .init(column: column, line: line))
    use(.plain)
    write(TerminalSequences.eraseToLineEnd)
  }

  /// Writes clusters side by side, at the column that is the slice's first index.
  mutating func write(_ cells: ArraySlice<Cell>, line: Int, screenWidth: Int) {
    var column = cells.startIndex
    move(to: .init(column: column, line: line))
    for cell in cells where cell.width > 0 {
      use(cell.style)
      let end = column + Int(cell.width)
      let text = capabilities.isUTF8 ? cell.text : ASCIIForm.of(cell)
      if cell.isDoubtful {
        writeDoubtful(text, of: cell, at: .init(column: column, line: line), isLast: end >= screenWidth)
      } else {
        bytes += text.utf8
      }
      column = end
      cursor = .init(column: column, line: line)
      if cell.isDoubtful, column < screenWidth { moveWithin(line, to: column) }
    }
  }

  /// Writes a cluster that can take fewer columns, so that its ground comes first, or more of them, so that it must not wrap.
  /// At the right edge it is written without its marks, selectors and joined parts: they would join what is on the left.
  private mutating func writeDoubtful(_ text: String, of cell: Cell, at position: Frame.Position, isLast: Bool) {
    bytes += repeatElement(0x20, count: Int(cell.width))
    moveWithin(position.line, to: position.column)
    write(TerminalMode.wrapping.reset)
    bytes += isLast ? Array(String(text.unicodeScalars.prefix(1)).utf8) : Array(text.utf8)
    write(TerminalMode.wrapping.set)
  }

  /// Moves within a line whose columns are in doubt.
  private mutating func moveWithin(_ line: Int, to column: Int) {
    write(TerminalSequences.move(toColumn: column))
    cursor = .init(column: column, line: line)
  }

  mutating func use(_ style: Style) {
    guard style != self.style else { return }
    let next = Pen(style, depth: capabilities.depth)
    next.write(after: pen, into: &bytes)
    pen = next
    self.style = style
  }
}
