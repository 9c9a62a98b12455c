import LineProtocol

/// What the actions of the keys do.
extension Application {
  func act(_ action: Action) {
    if !popups.isEmpty, actInPopup(action) { return }
    switch action {
    case .help: push(.help)
    case .quit: leave()
    case .redraw, .suspend: actions.append(action == .suspend ? .suspend : .repaint)
    case .back: goBack()
    case .switcher: push(.switcher)
    case .search: push(.search(nil))
    case .contacts: push(.contacts(group: nil))
    case .accounts: push(.accounts)
    case .nextUnread: goToNextUnread()
    case .otherPane: goToOtherPane()
    case .beside: goBeside()
    case .closePane: closePane()
    case .markRead, .markUnread, .readAll, .mute, .pin, .archive: mark(action)
    default: isInList ? actInList(action) : actInTalk(action)
    }
  }

  private func goBack() {
    if surface.copyView?.typed.isEmpty == false { return surface.copyView?.forgetTyped() ?? () }
    if surface.isCopyView { return leaveCopyView() }
    if talk?.selected != nil { return talk?.deselect() ?? () }
    guard !isInList else { return }
    isInList = true
    list.update(model.conversations, settings.order, isFrozen: false)
    if let key = talk?.key { list.select(key) }
    if panes.talks.isEmpty, let key = talk?.key { closeTalk(key) }
  }

  // MARK: Panes

  /// From the list to the first conversation, then to the second, then back.
  private func goToOtherPane() {
    if isInList {
      isInList = talk == nil
      if !isInList, let first = talks.keys.first { _ = talks.focus(first) }
    } else if talks.focusIndex == 0, talks.hasTwo {
      goToOtherTalk()
    } else {
      isInList = true
    }
  }

  /// With two conversations, gives the keys to the other; else opens a second one: the one at the cursor, or a chosen one.
  private func goBeside() {
    if talks.hasTwo { return goToOtherTalk() }
    guard isInList, let key = list.cursor else { return push(talk == nil ? .switcher : .beside) }
    open(key, beside: true)
  }

  private func goToOtherTalk() {
    if surface.isCopyView { leaveCopyView() }
    if isInList { isInList = false } else { talks.focusOther() }
    if let key = talk?.key { list.select(key) }
  }

  private func closePane() {
    guard let key = talk?.key else { return }
    if surface.isCopyView { leaveCopyView() }
    closeTalk(key)
    if talk == nil { isInList = true }
  }

  private func goToNextUnread() {
    guard let key = list.nextUnread(model.conversations, after: talk?.key) else { return say("Nothing is unread.") }
    open(key)
  }

  // MARK: In the list

  private func actInList(_ action: Action) {
    let page = max(1, surface.paneLines / FrameBuilder.listRowLines - 1)
    switch action {
    case .up: list.move(-1)
    case .down: list.move(1)
    case .pageUp: list.move(-page)
    case .pageDown: list.move(page)
    case .top:
      list.update(model.conversations, settings.order, isFrozen: false)
      list.move(-list.order.count)
    case .bottom: list.move(list.order.count)
    case .open:
      if let key = list.cursor {
        open(key)
      } else if !isLoading {
        push(hasAccount ? .contacts(group: nil) : .firstSteps)
      }
    case .complete: isInList = talk == nil
    case .showArchive:
      list.showsArchive.toggle()
      list.update(model.conversations, settings.order, isFrozen: false)
    default: break
    }
    if list.index.map({ $0 > list.order.count - page }) == true { model.moreConversations() }
  }

  /// Whether the list may still get rows without anybody doing anything.
  private var isLoading: Bool {
    switch model.link {
    case .connecting: true
    case .connected: !model.conversations.isLoaded
    case .lost: false
    }
  }

  private var hasAccount: Bool { model.link == .connected && !model.accounts.isEmpty }

  // MARK: In the conversation

  private func actInTalk(_ action: Action) {
    guard let key = talk?.key else { return }
    switch action {
    case .send: send(key)
    case .newline: settings.enter == .send ? write(key) { $0.input.insert("\n") } : send(key)
    case .complete: complete(key)
    case .spelling: suggestSpelling(key)
    case .editor: actions.append(.edit(composer[key].editor.input.text))
    case .previousInput, .nextInput: moveInInput(action == .previousInput ? -1 : 1, key)
    case .pageUp: scrollTalk(-pageLines)
    case .pageDown: scrollTalk(pageLines)
    case .lineUp: scrollTalk(-1)
    case .lineDown: scrollTalk(1)
    case .firstMessage: load(talk?.goToStart(), key)
    case .lastMessage: if let window = model.windows[key] { load(talk?.goToEnd(window), key) }
    case .previousSection: goToSection(-1, key)
    case .nextSection: goToSection(1, key)
    case .sections: push(.sections(key))
    case .jumpToDate: push(.prompt(.jumpToDate(key)))
    case .selectUp, .selectDown:
      if let window = model.windows[key] { talk?.select(action == .selectUp ? -1 : 1, window) }
    case .unfold, .copy, .cancelMessage, .copyView: actOnMessage(action, key)
    case .nextHit, .previousHit: goToHit(action == .nextHit ? 1 : -1)
    default: write(key) { _ = $0.edit(action) }
    }
  }

  private var pageLines: Int { max(1, bodyLines - 2) }

  var bodyLines: Int {
    talk.flatMap { panes[$0.key] }.map(bodyLines) ?? 0
  }

  func bodyLines(_ pane: PaneLayout.Talk) -> Int {
    surface.bodyLines(inputRows: FrameBuilder.inputRows(self, pane))
  }

  func scrollTalk(_ lines: Int) {
    if let pane = talk.flatMap({ panes[$0.key] }) { scroll(pane, lines) }
  }

  func scroll(_ pane: PaneLayout.Talk, _ lines: Int) {
    guard let window = model.windows[pane.key], let geometry = geometry(pane) else { return }
    _ = talks.change(pane.key) { $0.scroll(lines, window, geometry) }
  }

  func geometry(_ pane: PaneLayout.Talk) -> RowGeometry? {
    guard let transcript = talks[pane.key]?.transcript else { return nil }
    return RowGeometry(count: transcript.count, height: bodyLines(pane)) { transcript.height(of: $0) }
  }

  func load(_ page: PageRequest?, _ key: ConversationKey) {
    if let page { model.load(page, of: key) }
  }

  /// In the first line: what was sent before; else a line up. Down likewise.
  private func moveInInput(_ step: Int, _ key: ConversationKey) {
    let input = composer[key].editor.input
    let isEdge = step < 0 ? input.lineStart == 0 : input.lineEnd == input.letters.count
    if isEdge { return composer.recall(step, in: key) }
    let column = input.cursor - input.lineStart
    var moved = input
    moved.move(to: step < 0 ? input.lineStart - 1 : input.lineEnd + 1)
    moved.move(to: min(moved.lineStart + column, moved.lineEnd))
    composer[key].editor.input = moved
  }

  private func complete(_ key: ConversationKey) {
    let text = composer[key].editor.input.text
    guard text.hasPrefix("/") else { return goToOtherPane() }
    if let common = slash.completion(text) { write(key) { $0.input.set(common) } }
  }

  private func goToSection(_ step: Int, _ key: ConversationKey) {
    guard let view = talk, let window = model.windows[key], window.rows.indices.contains(view.visible.top) else {
      return
    }
    let top = view.visible.top
    if step < 0 {
      let opener = window.rows[..<top].last(where: \.opensSection)
      load(opener.map { talk?.go(to: $0.id) } ?? talk?.go(to: window.rows[0].section), key)
    } else if let opener = window.rows[(top + 1)...].first(where: \.opensSection) {
      load(talk?.go(to: opener.id), key)
    } else if window.hasMoreAfter {
      scrollTalk(pageLines)
    } else {
      load(talk?.goToEnd(window), key)
    }
  }

  private func actOnMessage(_ action: Action, _ key: ConversationKey) {
    guard let window = model.windows[key] else { return }
    let chosen = talk?.selected.flatMap(window.index(of:)).map { window.rows[$0] }
    switch action {
    case .unfold: if let id = chosen?.id ?? firstFolded(window) { talk?.toggleFold(id) }
    case .copy:
      guard let row = chosen ?? window.rows.last else { return }
      actions.append(.copy(row.text))
      say("Copied.")
    case .cancelMessage:
      let waiting = chosen ?? window.rows.last { $0.isMine && $0.delivery == .queued }
      guard let row = waiting else { return say("No message waits to be sent.") }
      model.cancel(row, in: key)
    default: surface.isCopyView ? leaveCopyView() : enterCopyView()
    }
  }

  private func enterCopyView() {
    surface.copyView = CopyView()
    actions.append(.mouse(false))
  }

  func leaveCopyView() {
    surface.copyView = nil
    actions.append(.mouse(settings.hasMouse))
  }

  /// A message on the screen that is shown in part.
  private func firstFolded(_ window: RowWindow) -> UInt64? {
    guard let view = talk else { return nil }
    let shown = view.visible.range.clamped(to: 0..<window.rows.count)
    return window.rows[shown].last { $0.text.utf8.count > 1500 || $0.text.count(where: \.isNewline) >= 40 }?.id
  }
}
