import Clocks
import Screen

/// Makes the frame of what is there now; nothing is changed by it.
struct FrameBuilder {
  let app: Application
  let surface: Surface
  let panes: PaneLayout

  /// Lines of a row of the list.
  static let listRowLines = 2

  init(_ app: Application) {
    self.app = app
    surface = app.screen.surface
    panes = app.screen.panes
  }

  func build() -> Frame {
    var frame = Frame(width: surface.columns, height: surface.lines)
    frame.strips = app.screen.pictures.strips
    frame.title = app.settings.notices.hasTitle ? title : nil
    if app.screen.viewer == nil { drawPanes(on: &frame) } else { drawViewer(on: &frame) }
    drawStatus(on: &frame)
    if let keyboard = app.screen.keyboard, let box = app.emoticonBox {
      EmoticonPainter(
        keyboard: keyboard, emoticons: app.model.emoticons, box: box, context: app.appearance.layout(width: box.width)
      ).draw(on: &frame)
    }
    if let picker = app.screen.popups.last, let box = PopupBox(surface, picker) {
      frame.cursor = nil
      let context = app.appearance.layout(width: box.innerWidth - app.screen.previewColumns(app.appearance))
      PopupPainter(picker: picker, title: picker.title(app.model.name), box: box, context: context).draw(on: &frame)
      drawPreview(box, on: &frame)
    }
    drawKeys(on: &frame)
    return frame
  }

  private func drawPanes(on frame: inout Frame) {
    if panes.listWidth > 0 { drawList(on: &frame) }
    for pane in panes.areas { drawConversation(pane, on: &frame) }
    if !panes.free.isEmpty { drawWelcome(on: &frame) }
    if !panes.occupants.isEmpty { drawOccupants(on: &frame) }
    drawRules(on: &frame)
  }

  /// The picture in the middle of the screen.
  private func drawViewer(on frame: inout Frame) {
    guard let lines = app.screen.viewedPicture(app.appearance)?.lines else { return }
    let top = max(0, (surface.lines - 1 - lines.count) / 2)
    for (offset, line) in lines.enumerated() {
      frame.draw(line, column: max(0, (surface.columns - line.width) / 2), line: top + offset)
    }
  }

  /// At the right of the list, over no item.
  private func drawPreview(_ box: PopupBox, on frame: inout Frame) {
    let column = box.innerColumn + box.innerWidth - app.screen.previewColumns(app.appearance)
    for (offset, line) in (app.screen.previewPicture(app.appearance)?.lines ?? []).prefix(box.rows).enumerated() {
      frame.draw(line, column: column, line: box.line + 2 + offset)
    }
  }

  private func drawRules(on frame: inout Frame) {
    let context = app.appearance.layout(width: 1)
    let rule = LineBuilder.one(context.symbols.bar, .faint, context)
    for (column, lines) in panes.rules(lines: surface.paneLines) {
      for line in lines { frame.draw(rule, column: column, line: line) }
    }
  }

  private var title: String {
    let unread = app.model.conversations.totalUnread
    let name = app.screen.focused.map { app.model.name(of: $0.key) }
    return ShownLine.clean((unread > 0 ? "(\(unread)) " : "") + (name.map { $0 + " – " } ?? "") + "confab", limit: 80)
  }

  // MARK: The conversations

  private func drawConversation(_ pane: PaneLayout.Area, on frame: inout Frame) {
    guard let conversation = app.screen.conversations[pane.key] else { return }
    let context = app.appearance.layout(width: pane.width)
    if surface.headerLines > 0 {
      let hasKeys = !app.screen.isInList && pane.key == app.screen.focused?.key
      let words = app.conversationWords.header(
        pane.key, width: pane.width - 1, saysCount: panes.occupants.isEmpty || pane.key != app.screen.occupantsOf)
      frame.draw(bar(words, hasKeys: hasKeys, context), column: pane.column, line: pane.line)
    }
    let rows = Self.inputRows(app, pane)
    let height = app.bodyLines(pane)
    drawBody(conversation, pane, height, context, on: &frame)
    guard rows > 0 else { return }
    drawCommands(pane, height, context, on: &frame)
    let purposeRows = Self.purposeRows(app, pane)
    let top = max(pane.line + surface.headerLines, pane.end - rows)
    if purposeRows > 0 {
      let line = PurposeLine.line(app.composer[pane.key].purpose, app.appearance.keyName(.back), in: context)
      frame.draw(line, column: pane.column, line: top)
    }
    drawInput(pane, rows: rows - purposeRows, line: top + purposeRows, on: &frame)
  }

  private func drawBody(
    _ conversation: OpenConversations.Pane, _ pane: PaneLayout.Area, _ height: Int, _ context: LayoutContext,
    on frame: inout Frame
  ) {
    let view = conversation.view
    let top = pane.line + surface.headerLines
    var line = top + view.visible.padding - view.visible.line
    for index in view.visible.range where index < conversation.transcript.count {
      for text in conversation.transcript.lines(of: index) {
        if line >= top, line < top + height {
          frame.draw(text, column: pane.column, line: line)
        }
        line += 1
      }
    }
    if conversation.transcript.count == 0 {
      let isLoaded = app.model.windows[view.key]?.isLoaded == true
      let coming =
        if case .lost = app.model.link { "  The messages come with the daemon." } else { "  Loading the messages …" }
      let text = isLoaded ? "  No messages yet. Type the first one." : coming
      frame.draw(LineBuilder.one(text, .faint, context), column: pane.column, line: top)
    }
    guard !view.anchor.follows, height > 0, view.newBelow > 0 else { return }
    let below = RuleLines.newBelow(view.newBelow, in: context)
    frame.draw(
      below, column: pane.column + max(0, pane.width - below.width), line: top + height - 1)
  }

  private func drawCommands(
    _ pane: PaneLayout.Area, _ height: Int, _ context: LayoutContext, on frame: inout Frame
  ) {
    guard !app.screen.isInList, app.screen.focused?.key == pane.key else { return }
    // On a small screen a notice and the hints would leave nothing of the conversation; the next key brings them back.
    guard app.notice == nil || surface.lines >= Surface.smallLines else { return }
    let input = app.composer[pane.key].editor.input
    let lines = CommandPanel.lines(input.text, height: height, in: context) + emoticonLines(input, height, context)
    for (offset, line) in lines.enumerated() {
      frame.draw(line, column: pane.column, line: pane.line + surface.headerLines + height - lines.count + offset)
    }
  }

  /// The emoticons that Tab writes in the place of a name that is typed in part.
  private func emoticonLines(_ input: TextInput, _ height: Int, _ context: LayoutContext) -> [StyledLine] {
    let matches = app.model.emoticons.matches
    guard let query = input.emoticonQuery, matches.text == query, height > 1 else { return [] }
    return CommandPanel.emoticons(matches.found, height: height, in: context)
  }

  /// The keys that may follow the one that was pressed, above the status line.
  private func drawKeys(on frame: inout Frame) {
    let pending = app.keys.keys
    guard !pending.isEmpty else { return }
    frame.cursor = nil
    let next = app.keys.map.continuations(of: pending, in: app.screen.context)
    let lines = CommandPanel.keys(
      next, height: surface.paneLines - 1, in: app.appearance.layout(width: surface.columns))
    for (offset, line) in lines.enumerated() {
      frame.draw(line, column: 0, line: surface.paneLines - lines.count + offset)
    }
  }

  // MARK: Bars

  /// A header. Among several panes, the one with the focus of the keys is marked, and the others are faint.
  func bar(_ text: String, hasKeys: Bool, _ context: LayoutContext) -> StyledLine {
    var line = LineBuilder(context)
    let isMarked =
      hasKeys && (panes.listWidth > 0 && !panes.areas.isEmpty || panes.areas.count > 1 || !panes.free.isEmpty)
    line.add(.status, isMarked ? context.symbols.selected : " ")
    line.add(hasKeys ? .status : .faint, text, on: .status)
    line.fill(to: context.width, context.scheme[.status])
    return line.line
  }

  /// Joins as many hints as there is room for; none is cut.
  func fitting(_ hints: [String], _ room: Int, separator: String = "  ") -> String {
    var text = ""
    for hint in hints {
      let longer = text.isEmpty ? hint : text + separator + hint
      guard longer.count <= room else { break }
      text = longer
    }
    return text
  }

  private func drawStatus(on frame: inout Frame) {
    guard surface.lines > 2 else { return }
    let context = app.appearance.layout(width: surface.columns)
    let long = LongNotice(app)
    long?.draw(on: &frame)
    if long?.coversStatus == true { return }
    let status = StatusLine(app: app, hasNotice: long == nil)
    let (text, isAlert) = status.content
    var line = LineBuilder(context)
    line.add(isAlert ? .statusAlert : .status, " " + text, on: .status)
    let hints = OneLine(fitting(status.hints, context.width - line.column - 3), width: context.width, in: context)
    line.fill(to: max(line.column, context.width - hints.width - 1), context.scheme[.status])
    line.add(hints.glyphs, context.scheme.style(.faint, on: .status))
    line.fill(to: context.width, context.scheme[.status])
    frame.draw(line.line, column: 0, line: surface.lines - 1)
  }
}
