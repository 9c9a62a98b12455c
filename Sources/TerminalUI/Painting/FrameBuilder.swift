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
    surface = app.desk.surface
    panes = app.desk.panes
  }

  func build() -> Frame {
    var frame = Frame(width: surface.columns, height: surface.lines)
    frame.title = app.settings.notices.hasTitle ? title : nil
    if panes.listWidth > 0 { drawList(on: &frame) }
    for pane in panes.talks { drawTalk(pane, on: &frame) }
    if !panes.free.isEmpty { drawWelcome(on: &frame) }
    drawRules(on: &frame)
    drawStatus(on: &frame)
    if let keyboard = app.desk.keyboard, let box = app.emoticonBox {
      EmoticonPainter(
        keyboard: keyboard, shelf: app.model.emoticons, box: box, context: app.layout(width: box.width)
      ).draw(on: &frame)
    }
    if let picker = app.desk.popups.last, let box = PopupBox(surface, picker) {
      frame.cursor = nil
      PopupPainter(picker: picker, box: box, context: app.layout(width: box.innerWidth)).draw(on: &frame)
    }
    drawKeys(on: &frame)
    return frame
  }

  private func drawRules(on frame: inout Frame) {
    let context = app.layout(width: 1)
    let rule = LineBuilder.one(context.symbols.bar, .faint, context)
    for column in panes.rules {
      for line in 0..<surface.paneLines { frame.draw(rule, column: column, line: line) }
    }
  }

  private var title: String {
    let unread = app.model.conversations.totalUnread
    let name = app.desk.talk.map { app.name(of: $0.key) }
    return ShownLine.clean((unread > 0 ? "(\(unread)) " : "") + (name.map { $0 + " – " } ?? "") + "confab", limit: 80)
  }

  // MARK: The list

  private func drawList(on frame: inout Frame) {
    let context = app.layout(width: panes.listWidth)
    let archived = app.desk.list.showsArchive ? 0 : app.model.conversations.archivedCount
    let hidden =
      (app.desk.list.top > 0 ? "  \(app.desk.list.top) above" : "") + (archived > 0 ? "  \(archived) archived" : "")
    if surface.headerLines > 0 {
      frame.draw(bar("Conversations" + hidden, hasKeys: app.desk.isInList, context), column: 0, line: 0)
    }
    var line = surface.headerLines
    let today = app.environment.date(app.now.wall)
    for key in app.desk.list.order.dropFirst(app.desk.list.top) where line < surface.paneLines {
      guard let row = app.model.conversations[key] else { continue }
      let rows = listRow(key, row, today, context)
      for text in rows where line < surface.paneLines {
        frame.draw(text, column: 0, line: line)
        line += 1
      }
    }
    if app.desk.list.order.isEmpty { drawEmpty(on: &frame, context) }
  }

  private func listRow(
    _ key: ConversationKey, _ row: ConversationRow, _ today: CivilDate, _ context: LayoutContext
  ) -> [StyledLine] {
    let isAtCursor = app.desk.isInList ? key == app.desk.list.cursor : key == app.desk.talk?.key
    let flags = ListFlags(
      isSelected: isAtCursor, showsAddress: app.isImitated(row.name, key),
      isTyping: app.model.typing.contains(key),
      showsAccount: app.model.accounts.count > 1)
    return ListLayout.conversation(
      row, presence: app.availability(key), lastDate: row.last.map { app.environment.date($0.time) },
      today: today, flags, in: context)
  }

  private func drawEmpty(on frame: inout Frame, _ context: LayoutContext) {
    for (offset, text) in Welcome.lines(app).enumerated() {
      for (row, line) in LineBuilder.wrapped(text, context).enumerated() {
        frame.draw(line, column: 0, line: surface.headerLines + 1 + 2 * offset + row)
      }
    }
  }

  private func drawWelcome(on frame: inout Frame) {
    let context = app.layout(width: panes.free.count)
    let text =
      app.desk.list.order.isEmpty
      ? "" : "  Enter opens the conversation at the cursor; \(app.keyName(.switcher)) finds any other."
    frame.draw(LineBuilder.one(text, .faint, context), column: panes.free.lowerBound, line: surface.headerLines + 1)
  }

  // MARK: The conversations

  private func drawTalk(_ pane: PaneLayout.Talk, on frame: inout Frame) {
    guard let talk = app.desk.talks[pane.key] else { return }
    let context = app.layout(width: pane.width)
    if surface.headerLines > 0 {
      let hasKeys = !app.desk.isInList && pane.key == app.desk.talk?.key
      frame.draw(bar(app.header(pane.key), hasKeys: hasKeys, context), column: pane.column, line: 0)
    }
    let rows = Self.inputRows(app, pane)
    let height = surface.bodyLines(inputRows: rows)
    drawBody(talk, pane, height, context, on: &frame)
    guard rows > 0 else { return }
    drawCommands(pane, height, context, on: &frame)
    let purposeRows = Self.purposeRows(app, pane)
    if purposeRows > 0 {
      let line = PurposeLine.line(app.composer[pane.key].purpose, app.keyName(.back), in: context)
      frame.draw(line, column: pane.column, line: surface.headerLines + height)
    }
    drawInput(pane, rows: rows - purposeRows, line: surface.headerLines + height + purposeRows, on: &frame)
  }

  private func drawBody(
    _ talk: OpenTalks.Pane, _ pane: PaneLayout.Talk, _ height: Int, _ context: LayoutContext, on frame: inout Frame
  ) {
    let view = talk.view
    var line = surface.headerLines + view.visible.padding - view.visible.line
    for index in view.visible.range where index < talk.transcript.count {
      for text in talk.transcript.lines(of: index) {
        if line >= surface.headerLines, line < surface.headerLines + height {
          frame.draw(text, column: pane.column, line: line)
        }
        line += 1
      }
    }
    if talk.transcript.count == 0 {
      let isLoaded = app.model.windows[view.key]?.isLoaded == true
      let coming =
        if case .lost = app.model.link { "  The messages come with the daemon." } else { "  Loading the messages …" }
      let text = isLoaded ? "  No messages yet. Type the first one." : coming
      frame.draw(LineBuilder.one(text, .faint, context), column: pane.column, line: surface.headerLines)
    }
    guard !view.anchor.follows, height > 0, view.newBelow > 0 else { return }
    let below = RuleLines.newBelow(view.newBelow, in: context)
    frame.draw(
      below, column: pane.column + max(0, pane.width - below.width), line: surface.headerLines + height - 1)
  }

  private func drawCommands(
    _ pane: PaneLayout.Talk, _ height: Int, _ context: LayoutContext, on frame: inout Frame
  ) {
    guard !app.desk.isInList, app.desk.talk?.key == pane.key else { return }
    let input = app.composer[pane.key].editor.input
    guard input.letters.first == "/" else { return }
    let lines = CommandPanel.lines(input.text, height: height, in: context)
    for (offset, line) in lines.enumerated() {
      frame.draw(line, column: pane.column, line: surface.headerLines + height - lines.count + offset)
    }
  }

  /// The keys that may follow the one that was pressed, above the status line.
  private func drawKeys(on frame: inout Frame) {
    let pending = app.keys.keys
    guard !pending.isEmpty else { return }
    frame.cursor = nil
    let next = app.keys.map.continuations(of: pending, in: app.desk.context)
    let lines = CommandPanel.keys(next, height: surface.paneLines - 1, in: app.layout(width: surface.columns))
    for (offset, line) in lines.enumerated() {
      frame.draw(line, column: 0, line: surface.paneLines - lines.count + offset)
    }
  }

  // MARK: The input

  /// The mark in front of the input, and a space.
  private static let promptColumns = 2

  static func inputRows(_ app: Application, _ pane: PaneLayout.Talk) -> Int {
    guard !app.desk.surface.isCopyView else { return 0 }
    let most = app.desk.surface.lines < 8 ? 1 : Surface.inputRows
    return min(most, inputLayout(app, pane).rows.count) + purposeRows(app, pane)
  }

  /// What the input is for stands above it.
  private static func purposeRows(_ app: Application, _ pane: PaneLayout.Talk) -> Int {
    app.composer[pane.key].purpose == nil || app.desk.surface.lines < 6 ? 0 : 1
  }

  private static func inputLayout(_ app: Application, _ pane: PaneLayout.Talk) -> InputLayout {
    let context = app.layout(width: pane.width)
    let input = app.composer[pane.key].editor.input
    return app.inputLayouts.layout(
      input, wrong: app.composer.spelling.wrong(in: input), width: pane.width - promptColumns, in: context, of: pane.key
    )
  }

  private func drawInput(_ pane: PaneLayout.Talk, rows: Int, line: Int, on frame: inout Frame) {
    let context = app.layout(width: pane.width)
    let layout = Self.inputLayout(app, pane)
    let column = pane.column
    frame.fill(column: column, line: line, width: pane.width, height: rows, context.scheme[.input])
    for (offset, row) in layout.shown(rows).enumerated() {
      if offset == 0 {
        frame.draw(LineBuilder.one(context.symbols.prompt, .prompt, context, on: .input), column: column, line: line)
      }
      frame.draw(layout.rows[row], column: column + Self.promptColumns, line: line + offset)
    }
    if app.composer[pane.key].editor.input.isEmpty {
      let hint = LineBuilder.one(app.placeholder(pane.key), .faint, context, on: .input)
      frame.draw(hint, column: column + Self.promptColumns, line: line, limit: pane.width - Self.promptColumns)
    }
    guard !app.desk.isInList, pane.key == app.desk.talk?.key else { return }
    let first = layout.shown(rows).lowerBound
    frame.cursor = Frame.Position(
      column: min(surface.columns - 1, column + Self.promptColumns + layout.cursorColumn),
      line: line + layout.cursorRow - first)
  }

  // MARK: Bars

  /// A header. Of several panes, the one that has the keys is marked, and the others are faint.
  private func bar(_ text: String, hasKeys: Bool, _ context: LayoutContext) -> StyledLine {
    var line = LineBuilder(context)
    let isMarked = hasKeys && !panes.rules.isEmpty
    line.add(.status, isMarked ? context.symbols.selected : " ")
    line.add(hasKeys ? .status : .faint, text, on: .status)
    line.fill(to: context.width, context.scheme[.status])
    return line.line
  }

  /// As many as there is room for, whole.
  private func fitting(_ hints: [String], _ room: Int) -> String {
    var text = ""
    for hint in hints {
      let longer = text.isEmpty ? hint : text + "  " + hint
      guard longer.count <= room else { break }
      text = longer
    }
    return text
  }

  private func drawStatus(on frame: inout Frame) {
    guard surface.lines > 2 else { return }
    let context = app.layout(width: surface.columns)
    var line = LineBuilder(context)
    let (text, isAlert) = app.status
    line.add(isAlert ? .statusAlert : .status, " " + text, on: .status)
    let hints = OneLine(fitting(app.hints, context.width - line.column - 3), width: context.width, in: context)
    line.fill(to: max(line.column, context.width - hints.width - 1), context.scheme[.status])
    line.add(hints.glyphs, context.scheme.style(.faint, on: .status))
    line.fill(to: context.width, context.scheme[.status])
    frame.draw(line.line, column: 0, line: surface.lines - 1)
  }
}

extension LineBuilder {
  /// A line of one part.
  static func one(_ text: String, _ part: ColourPart, _ context: LayoutContext, on ground: ColourPart = .text)
    -> StyledLine
  {
    var line = LineBuilder(context)
    line.add(part, text, on: ground)
    return line.line
  }

  /// A text in lines of the context's width.
  static func wrapped(_ text: String, _ context: LayoutContext) -> [StyledLine] {
    let flow = TextFlow(text, width: max(1, context.width - 2), in: context)
    return flow.lines.map { row in
      var line = LineBuilder(context)
      line.fill(to: 1)
      line.add(row.glyphs, context.scheme[.text])
      return line.line
    }
  }
}
