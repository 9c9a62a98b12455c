/// Brings the terminal from the frame that it shows to the next one.
package struct Painter {
  /// The frame that the terminal shows now.
  private struct Shown {
    let frame: Frame
    let capabilities: Capabilities
    /// The cells of each line.
    var rows: [[Cell]]

    func strips(line: Int) -> [(column: Int, number: UInt32)] { frame.strips.shown(in: rows[line]) }
  }

  /// nil: not known.
  private var shown: Shown?
  private var isCursorVisible = true
  private var pictures = PicturePainter()

  package init() {}

  /// The next frame is painted whole: the terminal was resized, lent to another program, or the person asks for it.
  package mutating func forget() { shown = nil }

  /// The bytes of one write; none if the terminal shows the frame already. They count as written.
  package mutating func paint(_ frame: Frame, _ capabilities: Capabilities) -> [UInt8] {
    let previous = known(for: frame, capabilities)
    var rows = previous?.rows ?? Array(repeating: [], count: frame.height)
    shown = nil
    var writer = FrameWriter(capabilities)
    let graphics = capabilities.graphics
    let changes = Self.changes(in: frame, after: previous)
    let title = frame.title == previous?.frame.title ? nil : frame.title
    if !changes.isEmpty || title != nil || previous == nil {
      if previous == nil { pictures.clear(graphics, into: &writer) }
      let strips = changes.map { frame.strips.shown(in: $0.cells) }
      pictures.send(strips.joined(), of: frame.strips, graphics, into: &writer)
      begin(isWhole: previous == nil, capabilities, into: &writer)
      paint(changes, strips, of: frame.strips, after: previous, graphics, into: &writer)
      for (line, cells) in changes { rows[line] = cells }
      pictures.forget(missingFrom: frame.strips, into: &writer)
      end(title: title, into: &writer)
      placeCursor(of: frame, into: &writer)
      if capabilities.hasSynchronisedOutput { writer.write(TerminalMode.synchronisedOutput.reset) }
    } else if frame.cursor != previous?.frame.cursor {
      placeCursor(of: frame, into: &writer)
    }
    shown = Shown(frame: frame, capabilities: capabilities, rows: rows)
    return writer.bytes
  }

  /// Returns the shown frame if the new one can be painted over it.
  private func known(for frame: Frame, _ capabilities: Capabilities) -> Shown? {
    guard let shown, shown.frame.width == frame.width, shown.frame.height == frame.height else { return nil }
    return shown.capabilities == capabilities ? shown : nil
  }

  /// Lines that differ, with their cells; of an unknown screen all.
  private static func changes(in frame: Frame, after previous: Shown?) -> [(line: Int, cells: [Cell])] {
    frame.rows.enumerated().compactMap { line, row in
      if let previous, previous.frame.rows[line].isIdentical(to: row) { return nil }
      let cells = row.cells()
      return cells == previous?.rows[line] ? nil : (line, cells)
    }
  }

  private mutating func begin(isWhole: Bool, _ capabilities: Capabilities, into writer: inout FrameWriter) {
    if capabilities.hasSynchronisedOutput { writer.write(TerminalMode.synchronisedOutput.set) }
    if isCursorVisible || isWhole { writer.write(TerminalMode.cursor.reset) }
    isCursorVisible = false
    if isWhole { writer.clear() }
  }

  /// Writes lines, and the strips that are whole in each of them.
  private func paint(
    _ changes: [(line: Int, cells: [Cell])], _ strips: [[(column: Int, number: UInt32)]], of all: PictureStrips,
    after previous: Shown?, _ graphics: Capabilities.Graphics?, into writer: inout FrameWriter
  ) {
    let old = changes.map { previous?.strips(line: $0.line) ?? [] }
    for (change, strips) in zip(changes, old) { pictures.remove(strips, line: change.line, graphics, into: &writer) }
    for (index, (line, cells)) in changes.enumerated() {
      let isWhole = !old[index].isEmpty || !strips[index].isEmpty
      Self.paintLine(line, cells, after: previous?.rows[line], isWhole: isWhole, into: &writer)
      pictures.draw(strips[index], of: all, line: line, graphics, into: &writer)
    }
  }

  private func end(title: String?, into writer: inout FrameWriter) {
    writer.use(.plain)
    if let title { writer.write(TerminalSequences.title(ShownText.line(title))) }
  }

  /// A line on which columns are in doubt or pictures are, before or after, is erased first and written whole.
  private static func paintLine(
    _ line: Int, _ next: [Cell], after previous: [Cell]?, isWhole: Bool, into writer: inout FrameWriter
  ) {
    var previous = previous
    if let old = previous, isWhole || old.contains(where: \.isDoubtful) || next.contains(where: \.isDoubtful) {
      writer.eraseLine(from: 0, line: line)
      previous = nil
    }
    let end = next.lastIndex { $0 != .blank }.map { $0 + 1 } ?? 0
    for run in RowDiff(from: previous, to: next, end: end) {
      writer.write(next[run], line: line, screenWidth: next.count)
    }
    if previous?[end...].contains(where: { $0 != .blank }) == true { writer.eraseLine(from: end, line: line) }
  }

  private mutating func placeCursor(of frame: Frame, into writer: inout FrameWriter) {
    if let cursor = frame.cursor { writer.move(to: cursor) }
    guard isCursorVisible != (frame.cursor != nil) else { return }
    isCursorVisible = frame.cursor != nil
    writer.write(isCursorVisible ? TerminalMode.cursor.set : TerminalMode.cursor.reset)
  }
}
