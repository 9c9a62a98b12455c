import Screen

/// The input of a conversation, with the purpose above it.
extension FrameBuilder {
  /// The mark in front of the input, and a space.
  private static let promptColumns = 2

  static func inputRows(_ app: Application, _ pane: PaneLayout.Area) -> Int {
    guard !app.screen.surface.isCopyView else { return 0 }
    let most = app.screen.surface.lines < 8 ? 1 : Surface.inputRows
    return min(most, inputLayout(app, pane).rows.count) + purposeRows(app, pane)
  }

  /// Writes above the input what it is for.
  static func purposeRows(_ app: Application, _ pane: PaneLayout.Area) -> Int {
    app.composer[pane.key].purpose == nil || app.screen.surface.lines < 6 ? 0 : 1
  }

  private static func inputLayout(_ app: Application, _ pane: PaneLayout.Area) -> InputLayout {
    let context = app.appearance.layout(width: pane.width)
    let input = app.composer[pane.key].editor.input
    return app.inputLayouts.layout(
      input, wrong: app.composer.spelling.wrong(in: input), width: pane.width - promptColumns, in: context, of: pane.key
    )
  }

  func drawInput(_ pane: PaneLayout.Area, rows: Int, line: Int, on frame: inout Frame) {
    let context = app.appearance.layout(width: pane.width)
    let layout = Self.inputLayout(app, pane)
    let column = pane.column
    frame.fill(column: column, line: line, width: pane.width, height: rows, context.scheme[.input])
    for (offset, row) in layout.shown(rows).enumerated() {
      if offset == 0 {
        frame.draw(
          LineBuilder.one(app.conversationWords.prompt(pane.key, context.symbols), .prompt, context, on: .input),
          column: column, line: line)
      }
      frame.draw(layout.rows[row], column: column + Self.promptColumns, line: line + offset)
    }
    if app.composer[pane.key].editor.input.isEmpty {
      var hint = LineBuilder(context)
      let room = pane.width - Self.promptColumns
      let words = app.conversationWords.placeholder(pane.key)
      // The cursor is in front of as many of them as there is room for.
      hint.add(.faint, fitting(words, room, separator: ", "), on: .input, limit: room)
      frame.draw(hint.line, column: column + Self.promptColumns, line: line, limit: room)
    }
    guard !app.screen.isInList, pane.key == app.screen.focused?.key else { return }
    let first = layout.shown(rows).lowerBound
    frame.cursor = Frame.Position(
      column: min(surface.columns - 1, column + Self.promptColumns + layout.cursorColumn),
      line: line + layout.cursorRow - first)
  }
}
