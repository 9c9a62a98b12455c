import Clocks
import ConfabClient
import Screen

/// The list of conversations, and what is there without any.
extension FrameBuilder {
  func drawList(on frame: inout Frame) {
    let context = app.appearance.layout(width: panes.listWidth)
    let archived = app.model.conversations.archivedCount
    let archive = app.screen.list.showsArchive ? ", shown" : " (\(app.appearance.keyName(.showArchive)) shows)"
    let hidden =
      above + (archived > 0 ? "  \(archived) archived\(archive)" : "")
    if surface.headerLines > 0 {
      frame.draw(bar("Conversations" + hidden, hasKeys: app.screen.isInList, context), column: 0, line: 0)
    }
    var line = surface.headerLines
    let today = app.environment.date(app.now.wall)
    for (number, item) in app.screen.list.order.enumerated().dropFirst(app.screen.list.top)
    where line < surface.paneLines {
      for text in rows(item, number: number + 1, today, context) where line < surface.paneLines {
        frame.draw(text, column: 0, line: line)
        line += 1
      }
    }
    if app.screen.list.order.isEmpty, panes.free.isEmpty { drawEmpty(on: &frame, context, column: 0) }
  }

  /// Rows above what is shown: those that wait for an answer are named.
  private var above: String {
    let list = app.screen.list
    if list.waitingAbove > 0 { return "  \(list.waitingAbove) to answer, \(app.appearance.keyName(.top))" }
    return list.top > 0 ? "  \(list.top) above" : ""
  }

  private func rows(_ item: ListItem, number: Int, _ today: CivilDate, _ context: LayoutContext) -> [StyledLine] {
    let flags = ListFlags(isSelected: app.screen.isInList && app.screen.list.cursor == item, number: number)
    let list = app.model.conversations
    switch item {
    case .conversation(let key): return list[key].map { listRow(key, $0, flags, today, context) } ?? []
    case .invitation(let key):
      return ListLayout.waiting(
        "Invitation", app.model.name(of: key), app.model.invitationWords(key), flags, in: context)
    case .voiceRequest(let key, let nick):
      let words = "asks to speak in \(app.model.name(of: key))"
      return ListLayout.waiting("Voice", nick, words, flags, in: context)
    case .rooms: return ListLayout.heading("Rooms", app.model.roomCountWords, flags, in: context)
    case .strangers:
      return ListLayout.strangers(
        list.strangers, hasMore: list.hasMoreStrangers, isUnfolded: app.screen.list.showsStrangers, flags, in: context)
    }
  }

  private func listRow(
    _ key: ConversationKey, _ row: ConversationRow, _ flags: ListFlags, _ today: CivilDate, _ context: LayoutContext
  ) -> [StyledLine] {
    var flags = flags
    flags.isSelected = flags.isSelected || !app.screen.isInList && key == app.screen.focused?.key
    flags.showsAddress = app.model.isImitated(row.name, key)
    flags.isTyping = app.model.typing.isAny(in: key)
    if flags.isTyping, app.model.rooms[key] != nil, let typing = app.model.typing.words(in: key, name: "") {
      flags.typists = "\(typing.who) \(typing.verb)"
    }
    flags.showsAccount = app.model.accounts.count > 1
    return ListLayout.conversation(
      row, presence: app.model.availability(key), room: app.model.rooms[key],
      lastDate: row.last.map { app.environment.date($0.time) }, today: today, flags, in: context)
  }

  private func drawEmpty(on frame: inout Frame, _ context: LayoutContext, column: Int) {
    let texts = Welcome.lines(app).map { LineBuilder.wrapped($0, context) }
    let height = texts.reduce(texts.count - 1) { $0 + $1.count }
    let start = surface.headerLines + (surface.lines < Surface.smallLines ? 0 : 1)
    let lines =
      start + height <= surface.paneLines ? Array(texts.joined(separator: [StyledLine()])) : Array(texts.joined())
    for (offset, line) in lines.enumerated() { frame.draw(line, column: column, line: start + offset) }
  }

  func drawWelcome(on frame: inout Frame) {
    let context = app.appearance.layout(width: panes.free.count)
    // There paths have room on one line.
    if app.screen.list.order.isEmpty { return drawEmpty(on: &frame, context, column: panes.free.lowerBound) }
    let text = "  Enter opens the conversation at the cursor; \(app.appearance.keyName(.switcher)) finds any other."
    frame.draw(LineBuilder.one(text, .faint, context), column: panes.free.lowerBound, line: surface.headerLines + 1)
  }
}
