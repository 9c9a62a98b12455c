import Screen

/// A notice that is too long for the status line: above the input of the pane that has the keys, which makes room for it, else
/// at the bottom of the screen.
struct LongNotice {
  private let app: Application
  private let pane: PaneLayout.Area?
  private let context: LayoutContext
  private let rows: [[TextGlyph]]

  /// Nil: there is no notice, or one line has room for it.
  init?(_ app: Application) {
    guard let notice = app.notice, app.keys.keys.isEmpty, app.screen.surface.lines > 2 else { return nil }
    let whole = app.appearance.layout(width: app.screen.surface.columns)
    guard Self.rows(notice.text, app, whole, of: app.screen.surface.lines).count > 1 else { return nil }
    self.app = app
    pane = Self.pane(app)
    context = pane.map { app.appearance.layout(width: $0.width) } ?? whole
    rows = Self.rows(notice.text, app, context, of: pane?.height ?? app.screen.surface.lines)
  }

  private static func pane(_ app: Application) -> PaneLayout.Area? {
    guard app.screen.context == .conversation, !app.screen.surface.isCopyView, let view = app.screen.focused else {
      return nil
    }
    return app.screen.panes[view.key]
  }

  /// No more than a third of the screen, or of the pane; a key then shows all of it.
  private static func rows(_ text: String, _ app: Application, _ context: LayoutContext, of lines: Int) -> [[TextGlyph]]
  {
    let (width, most) = (max(1, context.width - 2), max(1, lines / 3))
    let rows = TextFlow(text, width: width, in: context).lines.map(\.glyphs)
    guard rows.count > most else { return rows }
    let words = "\(context.symbols.more) \(app.appearance.keyName(.lastNotice)) shows all of it"
    return rows.prefix(most - 1) + [OneLine(words, width: width, in: context).glyphs]
  }

  var coversStatus: Bool { pane == nil }

  /// The lines that it takes of a pane.
  func lines(of area: PaneLayout.Area) -> Int { area.key == pane?.key ? rows.count : 0 }

  func draw(on frame: inout Frame) {
    let end = pane.map { $0.end - FrameBuilder.inputRows(app, $0) } ?? app.screen.surface.lines
    for (offset, glyphs) in rows.enumerated() {
      var line = LineBuilder(context)
      line.add(.status, " ")
      line.add(glyphs, context.scheme[.status])
      line.fill(to: context.width, context.scheme[.status])
      frame.draw(line.line, column: pane?.column ?? 0, line: end - rows.count + offset)
    }
    if pane == nil, let cursor = frame.cursor, cursor.line >= end - rows.count { frame.cursor = nil }
  }
}
