/// What is done with a message that is there: taking back, copying, looking at its links.
extension Application {
  func actOnMessage(_ action: Action, _ key: ConversationKey) {
    guard let window = model.windows[key] else { return }
    let chosen = desk.talk?.selected.flatMap(window.index(of:)).map { window.rows[$0] }
    switch action {
    case .unfold: if let id = chosen?.id ?? firstFolded(window) { desk.talk?.toggleFold(id) }
    case .copy: if let row = chosen ?? window.rows.last { copy(row.text) }
    case .cancelMessage:
      let waiting = chosen ?? window.rows.last { $0.isMine && $0.delivery == .queued }
      guard let row = waiting else { return say("No message waits to be sent.") }
      model.cancel(row, in: key)
    case .links: showTargets(chosen.map { [$0] } ?? shownRows(window), key)
    default: desk.surface.isCopyView ? leaveCopyView() : enterCopyView()
    }
  }

  private func copy(_ text: String) {
    actions.append(.copy(text))
    say("Copied.")
  }

  private func showTargets(_ rows: [MessageRow], _ key: ConversationKey) {
    let targets = rows.reversed().flatMap { $0.targets(in: key) }
    if targets.isEmpty { return say("No link, mention or topic is here.") }
    push(.targets(targets))
  }

  private func shownRows(_ window: RowWindow) -> [MessageRow] {
    guard let view = desk.talk else { return [] }
    return Array(window.rows[view.visible.range.clamped(to: 0..<window.rows.count)])
  }

  private func enterCopyView() {
    desk.surface.copyView = CopyView()
    actions.append(.mouse(false))
  }

  func leaveCopyView() {
    desk.surface.copyView = nil
    actions.append(.mouse(settings.hasMouse))
  }

  /// A message on the screen that is shown in part.
  private func firstFolded(_ window: RowWindow) -> UInt64? {
    shownRows(window).last { $0.text.utf8.count > 1500 || $0.text.count(where: \.isNewline) >= 40 }?.id
  }
}
