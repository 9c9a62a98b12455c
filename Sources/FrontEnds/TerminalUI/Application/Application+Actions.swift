import ConfabClient
import LineProtocol

/// Effects of actions.
extension Application {
  func act(_ action: UserAction) {
    if actInFront(action) { return }
    switch action {
    case .help: push(.help)
    case .quit: leave()
    case .redraw, .suspend: actions.append(action == .suspend ? .suspend : .repaint)
    case .back: goBack()
    case .switcher: push(.switcher)
    case .search: beginSearch()
    case .contacts: push(.contacts)
    case .accounts: push(.accounts)
    case .lastNotice: lastNotice.isEmpty ? say("Nothing was said yet.") : push(.notice(lastNotice))
    case .nextUnread: goToNextUnread()
    case .otherPane: goToOtherPane()
    case .beside: goBeside()
    case .closePane: closePane()
    case .markRead, .markUnread, .readAll, .mute, .pin, .archive: mark(action)
    default: desk.isInList ? actInList(action) : actInTalk(action)
    }
  }

  /// True if a pop-up, the viewer or the emoticon keyboard takes the action.
  private func actInFront(_ action: UserAction) -> Bool {
    if let picker = desk.popups.last {
      let page = max(1, (PopupBox(desk.surface, picker)?.rows ?? 2) - Picker.pageOverlap)
      if take(desk.popups.act(action, page: page, slash)) { return true }
      // An action that closes the pop-ups goes on to the parts below them.
      if !desk.popups.isEmpty { return false }
    }
    if let outcome = desk.viewer?.act(action, model.fetches) { return take(outcome) }
    if let outcome = desk.keyboard?.act(action, model.emoticons) { return take(outcome) }
    return false
  }

  /// Does what is left of a key for the others.
  ///
  /// - Returns: whether the key is done with.
  @discardableResult
  func take(_ outcome: KeyOutcome) -> Bool {
    switch outcome {
    case .taken: return true
    case .closed:
      closeFront()
      return true
    case .intent(let intent):
      perform(intent)
      return true
    case .passed: return false
    case .left:
      closeFront()
      return false
    }
  }

  /// Closes what has the keys.
  private func closeFront() {
    if !desk.popups.isEmpty { return desk.popups.close() }
    if desk.viewer != nil { return desk.viewer = nil }
    if desk.keyboard != nil { return closeKeyboard() }
    leaveCopyView()
  }

  private func goBack() {
    if desk.surface.copyView?.typed.isEmpty == false { return desk.surface.copyView?.forgetTyped() ?? () }
    if desk.surface.isCopyView { return leaveCopyView() }
    if !desk.isInList, let key = desk.talk?.key, composer[key].purpose != nil { return composer.giveUpPurpose(key) }
    if desk.talk?.selected != nil { return desk.talk?.deselect() ?? () }
    guard !desk.isInList else { return }
    desk.isInList = true
    desk.list.update(model.conversations, settings.order, isFrozen: false)
    if let key = desk.talk?.key { desk.list.select(key) }
    if desk.panes.talks.isEmpty, let key = desk.talk?.key { closeTalk(key) }
  }

  // MARK: Panes

  /// From the list to the first conversation, then to the second, then back.
  private func goToOtherPane() {
    if desk.isInList {
      desk.isInList = desk.talk == nil
      if !desk.isInList, let first = desk.talks.keys.first { _ = desk.talks.focus(first) }
    } else if desk.talks.focusIndex == 0, desk.talks.hasTwo {
      goToOtherTalk()
    } else {
      goToList()
    }
  }

  /// Gives the keys to the list; the copy view does not show it, so it is left.
  func goToList() {
    if desk.surface.isCopyView { leaveCopyView() }
    desk.isInList = true
  }

  /// With two conversations, gives the keys to the other; else opens a second one: the one at the cursor, or a chosen one.
  private func goBeside() {
    if desk.talks.hasTwo { return goToOtherTalk() }
    guard desk.isInList, let key = desk.list.chosen else { return push(desk.talk == nil ? .switcher : .beside) }
    open(key, beside: true)
  }

  private func goToOtherTalk() {
    if desk.surface.isCopyView { leaveCopyView() }
    if desk.isInList { desk.isInList = false } else { desk.talks.focusOther() }
    if let key = desk.talk?.key { desk.list.select(key) }
  }

  private func closePane() {
    guard let key = desk.talk?.key else { return }
    if desk.surface.isCopyView { leaveCopyView() }
    closeTalk(key)
    if desk.talk == nil { desk.isInList = true }
  }

  private func goToNextUnread() {
    guard let key = desk.list.nextUnread(model.conversations, after: desk.talk?.key) else {
      return say("Nothing is unread.")
    }
    open(key)
  }

  // MARK: In the list

  private func actInList(_ action: UserAction) {
    let page = max(1, desk.surface.paneLines / FrameBuilder.listRowLines - 1)
    switch action {
    case .up: desk.list.move(-1)
    case .down: desk.list.move(1)
    case .pageUp: desk.list.move(-page)
    case .pageDown: desk.list.move(page)
    case .top:
      desk.list.update(model.conversations, settings.order, isFrozen: false)
      desk.list.move(-desk.list.order.count)
    case .bottom: desk.list.move(desk.list.order.count)
    case .open:
      if desk.list.cursor != nil {
        openRow()
      } else if !isLoading {
        push(hasAccount ? .contacts : .firstSteps)
      }
    case .showStrangers: showStrangers()
    case .complete: desk.isInList = desk.talk == nil
    case .showArchive:
      desk.list.showsArchive.toggle()
      desk.list.update(model.conversations, settings.order, isFrozen: false)
    case .reply, .correct, .react, .forward, .versions, .cancelMessage, .links, .files, .view, .attach:
      say("Open the conversation first.")
    default: break
    }
    loadList(page)
  }

  /// Opens the conversation at the cursor, or the group of strangers.
  func openRow() {
    if let key = desk.list.chosen { open(key) } else { showStrangers() }
  }

  /// Shows the strangers behind all others, or hides them.
  private func showStrangers() {
    guard model.conversations.strangers.count > 0 else { return say("Only people you know have written.") }
    desk.list.showsStrangers.toggle()
    desk.list.update(model.conversations, settings.order, isFrozen: true)
    desk.list.select(ListView.strangers)
    desk.list.showBelow(height: listRows)
    if desk.list.showsStrangers { model.moreConversations(known: false) }
  }

  /// Asks for more strangers where the cursor is near the last ones.
  private func loadList(_ page: Int) {
    let order = desk.list.order
    guard let index = desk.list.index, let heading = order.firstIndex(of: ListView.strangers) else { return }
    if index > heading, index > order.count - page { model.moreConversations(known: false) }
  }

  /// The rows of the list that there is room for.
  var listRows: Int { max(1, (desk.surface.paneLines - desk.surface.headerLines) / FrameBuilder.listRowLines) }

  /// True if the list may still get rows without the person's doing.
  private var isLoading: Bool {
    switch model.link {
    case .connecting: true
    case .connected: !model.conversations.isLoaded
    case .lost: false
    }
  }

  private var hasAccount: Bool { model.link == .connected && !model.accounts.isEmpty }

  // MARK: In the conversation

  private func actInTalk(_ action: UserAction) {
    guard let key = desk.talk?.key else { return }
    switch action {
    case .send: send(key)
    case .newline where settings.enter == .newline && isCommand(key): send(key)
    case .newline: write(key) { $0.input.insert("\n") }
    case .complete: complete(key)
    case .spelling: askSpelling(key)
    case .editor: actions.append(.edit(composer[key].editor.input.text))
    case .previousInput, .nextInput: composer.moveLine(action == .previousInput ? -1 : 1, in: key)
    case .findInput: push(.sent(key), text: composer[key].editor.input.text.filter { !$0.isNewline })
    case .pageUp: scrollTalk(-pageLines)
    case .pageDown: scrollTalk(pageLines)
    case .lineUp: scrollTalk(-1)
    case .lineDown: scrollTalk(1)
    case .firstMessage: load(desk.talk?.goToStart(), key)
    case .lineEnd where composer[key].editor.input.isEmpty: actInTalk(.lastMessage)
    case .lastMessage: if let window = model.windows[key] { load(desk.talk?.goToEnd(window), key) }
    case .jumpBack: if let window = model.windows[key] { load(desk.talk?.goBack(window), key) }
    case .previousSection: goToSection(-1, key)
    case .nextSection: goToSection(1, key)
    case .sections: push(.sections(key))
    case .jumpToDate: push(.prompt(.jumpToDate(key)))
    case .selectUp, .selectDown:
      if let window = model.windows[key] { desk.talk?.select(action == .selectUp ? -1 : 1, window) }
    case .previousLink, .nextLink: selectTarget(action == .previousLink ? -1 : 1, key)
    case .correct: correct(key)
    case .copyView: desk.surface.isCopyView ? leaveCopyView() : enterCopyView()
    case .emoticon: desk.keyboard = EmoticonKeyboard()
    case .attach: sendFiles("")
    case .deleteBack: write(key) { $0.deleteBack(model.emoticons.knownCodes) }
    case .deleteForward: write(key) { $0.deleteForward(model.emoticons.knownCodes) }
    case .nextHit, .previousHit: goToHit(action == .nextHit ? 1 : -1)
    default: if let intent = messages?.intent(action) { perform(intent) } else { write(key) { _ = $0.edit(action) } }
    }
  }

  /// True if the input holds a command and nothing else, or is empty while a message is selected: then no text would
  /// get another line.
  private func isCommand(_ key: ConversationKey) -> Bool {
    let text = composer[key].editor.input.text
    if text.isEmpty { return desk.talk?.selected != nil }
    return SlashCommand.text(text) == nil && !text.contains(where: \.isNewline)
  }

  private var pageLines: Int { max(1, bodyLines - 2) }

  var bodyLines: Int {
    desk.talk.flatMap { desk.panes[$0.key] }.map(bodyLines) ?? 0
  }

  func bodyLines(_ pane: PaneLayout.Talk) -> Int {
    desk.surface.bodyLines(inputRows: FrameBuilder.inputRows(self, pane))
  }

  func scrollTalk(_ lines: Int) {
    if let pane = desk.talk.flatMap({ desk.panes[$0.key] }) { scroll(pane, lines) }
  }

  func scroll(_ pane: PaneLayout.Talk, _ lines: Int) {
    guard let window = model.windows[pane.key], let geometry = geometry(pane) else { return }
    _ = desk.talks.change(pane.key) { $0.scroll(lines, window, geometry) }
  }

  func geometry(_ pane: PaneLayout.Talk) -> RowGeometry? {
    guard let transcript = desk.talks[pane.key]?.transcript else { return nil }
    return RowGeometry(count: transcript.count, height: bodyLines(pane)) { transcript.height(of: $0) }
  }

  func load(_ page: PageRequest?, _ key: ConversationKey) {
    if let page { model.load(page, of: key) }
  }

  /// In an empty input takes the selected message, or my newest one; else moves a line up.
  private func correct(_ key: ConversationKey) {
    let field = composer[key]
    guard field.editor.input.isEmpty, field.purpose == nil, let intent = messages?.intent(.correct) else {
      return composer.moveLine(-1, in: key)
    }
    perform(intent)
  }

  /// Goes to a link, mention or topic of the conversation.
  private func selectTarget(_ step: Int, _ key: ConversationKey) {
    guard let window = model.windows[key] else { return }
    guard let target = desk.talk?.selectTarget(step, window) else {
      let isEnd = step < 0 ? !window.hasMoreBefore : !window.hasMoreAfter
      return say("No link, mention or topic \(isEnd ? "further" : "up to here; the same key looks further").")
    }
    say("\(target.title): \(appearance.keyName(.send)) opens it, copies it or searches for it.")
  }

  /// Asks for other spellings of the word at the cursor, or of the wrong one before it.
  private func askSpelling(_ key: ConversationKey) {
    guard !settings.spelling.isEmpty else { return say("Spelling is off: tui.conf(5), spelling = en_US.") }
    guard let word = composer.spelling.word(in: composer[key].editor.input) else { return say("No word is here.") }
    actions.append(.suggestSpelling(word, settings.spelling))
  }

  private func enterCopyView() {
    desk.surface.copyView = CopyView()
    actions.append(.mouse(false))
  }

  func leaveCopyView() {
    desk.surface.copyView = nil
    actions.append(.mouse(settings.hasMouse))
  }

  func closeKeyboard() {
    desk.keyboard = nil
    model.closeEmoticons()
  }

  private func complete(_ key: ConversationKey) {
    let text = composer[key].editor.input.text
    guard text.hasPrefix("/") else {
      return text.isEmpty ? goToOtherPane() : say("Tab completes a command, which begins with a slash.")
    }
    if let path = PathCompletion(text, in: key) {
      desk.typedPath = path
      return actions.append(.list(path.folder))
    }
    if let common = slash.completion(text) { write(key) { $0.input.set(common) } }
  }

  private func goToSection(_ step: Int, _ key: ConversationKey) {
    guard let view = desk.talk, let window = model.windows[key], window.rows.indices.contains(view.visible.top) else {
      return
    }
    let top = view.visible.top
    if step < 0 {
      let opener = window.rows[..<top].last(where: \.opensSection)
      load(opener.map { desk.talk?.go(to: $0.id) } ?? desk.talk?.go(to: window.rows[0].section), key)
    } else if let opener = window.rows[(top + 1)...].first(where: \.opensSection) {
      load(desk.talk?.go(to: opener.id), key)
    } else if window.hasMoreAfter {
      scrollTalk(pageLines)
    } else {
      load(desk.talk?.goToEnd(window), key)
    }
  }
}
