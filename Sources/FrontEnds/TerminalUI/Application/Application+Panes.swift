import ConfabClient

/// Panes: which conversations are open in them, now and at the next start.
extension Application {
  /// With several conversations, gives the keys to the next; else opens a second one.
  func goBeside() {
    if screen.conversations.hasSeveral { goToOtherConversation() } else { split() }
  }

  /// Opens another conversation in a pane of its own: the one at the cursor, or a chosen one.
  func split() {
    guard screen.conversations.keys.count < screen.surface.paneLimit else {
      return say("The screen has no space for another pane.")
    }
    guard screen.isInList, let key = screen.list.chosen else {
      return push(screen.focused == nil ? .switcher : .beside)
    }
    open(key, beside: true)
  }

  func goToOtherConversation() {
    if screen.surface.isCopyView { leaveCopyView() }
    if screen.isInList { screen.isInList = false } else { screen.conversations.focusNext() }
    if let key = screen.focused?.key { screen.list.select(key) }
  }

  /// Opens the panes of the last run again, and keeps those of this one: several of them, one alone is no layout.
  func settlePanes() {
    guard let kept = keptPanes else { return reopenPanes() }
    let keys = screen.conversations.hasSeveral ? screen.conversations.keys : []
    guard keys != kept else { return }
    keptPanes = keys
    actions.append(.keepPanes(keys))
  }

  /// Conversations that are known no more are left out.
  private func reopenPanes() {
    guard model.link == .connected, model.hasPeople, model.rooms.isLoaded else { return }
    keptPanes = environment.panes
    guard wanted.isEmpty, screen.conversations.keys.isEmpty else { return }
    let keys = environment.panes.filter { model.conversations[$0] != nil }
    for (index, key) in keys.prefix(screen.surface.paneLimit).enumerated() { open(key, beside: index > 0) }
    if let first = keys.first { _ = screen.conversations.focus(first) }
  }
}
