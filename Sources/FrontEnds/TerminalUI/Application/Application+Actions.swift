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
    case .devices: pushDevices()
    case .lastNotice: lastNotice.isEmpty ? say("Nothing was said yet.") : push(.notice(lastNotice))
    case .nextUnread: goToNextUnread()
    case _ where UserAction.listRows.contains(action): openRow(UserAction.listRows.firstIndex(of: action) ?? 0)
    case .nextMention: goToNextMention()
    case .room: pushRoom { .menu($0) }
    case .members: pushRoom { .occupants($0) }
    case .occupantPane: toggleOccupants()
    case .showIgnored: toggleIgnored()
    case .otherPane: goToOtherPane()
    case .beside: goBeside()
    case .split: split()
    case .closePane: closePane()
    case .markRead, .markUnread, .readAll, .mute, .pin, .archive: mark(action)
    default: screen.isInList ? actInList(action) : actInConversation(action)
    }
  }

  /// True if a pop-up, the viewer or the emoticon keyboard takes the action.
  private func actInFront(_ action: UserAction) -> Bool {
    if let picker = screen.popups.last {
      if asksAboutChanges(of: action) { return true }
      let page = max(1, (PopupBox(screen.surface, picker)?.rows ?? 2) - Picker.pageOverlap)
      if take(screen.popups.act(action, page: page, slash)) { return true }
      // An action that closes the pop-ups goes on to the parts below them.
      if !screen.popups.isEmpty { return false }
    }
    if let outcome = screen.viewer?.act(action, model.fetches) { return take(outcome) }
    if let outcome = screen.keyboard?.act(action, model.emoticons) { return take(outcome) }
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
    if !screen.popups.isEmpty { return screen.popups.close() }
    if screen.viewer != nil { return screen.viewer = nil }
    if screen.keyboard != nil { return closeKeyboard() }
    leaveCopyView()
  }

  private func goBack() {
    if screen.surface.copyView?.typed.isEmpty == false { return screen.surface.copyView?.forgetTyped() ?? () }
    if screen.surface.isCopyView { return leaveCopyView() }
    if !screen.isInList, let key = screen.focused?.key, composer[key].purpose != nil {
      return composer.giveUpPurpose(key)
    }
    if screen.focused?.selected != nil { return screen.focused?.deselect() ?? () }
    guard !screen.isInList else { return }
    screen.isInList = true
    screen.list.update(model, settings, isFrozen: false)
    if let key = screen.focused?.key { screen.list.select(key) }
    if screen.panes.areas.isEmpty, let key = screen.focused?.key { closePane(key) }
  }

  // MARK: Panes

  /// From the list to the first conversation, then to the next, then back.
  private func goToOtherPane() {
    if screen.isInList {
      screen.isInList = screen.focused == nil
      if !screen.isInList, let first = screen.conversations.keys.first { _ = screen.conversations.focus(first) }
    } else if screen.conversations.focusIndex < screen.conversations.keys.count - 1 {
      goToOtherConversation()
    } else {
      goToList()
    }
  }

  /// Gives the keys to the list; the copy view does not show it, so it is left.
  func goToList() {
    if screen.surface.isCopyView { leaveCopyView() }
    screen.isInList = true
  }

  private func closePane() {
    guard let key = screen.focused?.key else { return }
    if screen.surface.isCopyView { leaveCopyView() }
    closePane(key)
    if screen.focused == nil { screen.isInList = true }
  }

  private func goToNextUnread() {
    if let key = screen.list.next(model.conversations, after: screen.focused?.key) { return open(key) }
    guard let item = screen.list.order.first(where: \.waitsForAnswer) else { return say("Nothing is unread.") }
    screen.list.select(item)
    openRow()
  }

  // MARK: In the list

  private func actInList(_ action: UserAction) {
    let page = max(1, screen.surface.paneLines / FrameBuilder.listRowLines - 1)
    switch action {
    case .up: screen.list.move(-1)
    case .down: screen.list.move(1)
    case .pageUp: screen.list.move(-page)
    case .pageDown: screen.list.move(page)
    case .top:
      screen.list.update(model, settings, isFrozen: false)
      screen.list.move(-screen.list.order.count)
    case .bottom: screen.list.move(screen.list.order.count)
    case .open:
      if screen.list.cursor != nil {
        openRow()
      } else if !isLoading {
        push(hasAccount ? .contacts : .firstSteps)
      }
    case .showStrangers: showStrangers()
    case .complete: screen.isInList = screen.focused == nil
    case .showArchive:
      screen.list.showsArchive.toggle()
      screen.list.update(model, settings, isFrozen: false)
    case .reply, .correct, .react, .forward, .versions, .cancelMessage, .links, .files, .view, .attach:
      say("Open the conversation first.")
    default: break
    }
    loadList(page)
  }

  /// Opens the conversation at the cursor or the group of strangers, or asks what to do with what waits for an answer.
  func openRow() {
    switch screen.list.cursor {
    case .conversation(let key): open(key)
    case .invitation(let key): push(.room(.invitation(key)))
    case .voiceRequest(let key, let nick): push(.room(.voiceRequest(key, nick: nick)))
    case .strangers: showStrangers()
    case .rooms, nil: break
    }
  }

  private func openRow(_ index: Int) {
    guard screen.list.order.indices.contains(index) else { return say("The list has no row \(index + 1).") }
    screen.list.select(screen.list.order[index])
    openRow()
  }

  /// Shows the strangers behind all others, or hides them.
  private func showStrangers() {
    guard model.conversations.strangers.count > 0 else { return say("Only people you know have written.") }
    screen.list.showsStrangers.toggle()
    screen.list.update(model, settings, isFrozen: true)
    screen.list.select(.strangers)
    screen.list.showBelow(height: listRows)
    if screen.list.showsStrangers { model.moreConversations(known: false) }
  }

  /// Asks for more strangers where the cursor is near the last ones.
  private func loadList(_ page: Int) {
    let order = screen.list.order
    guard let index = screen.list.index, let heading = order.firstIndex(of: .strangers) else { return }
    if index > heading, index > order.count - page { model.moreConversations(known: false) }
  }

  /// The rows of the list that there is room for.
  var listRows: Int { max(1, (screen.surface.paneLines - screen.surface.headerLines) / FrameBuilder.listRowLines) }

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

  private func actInConversation(_ action: UserAction) {
    guard let key = screen.focused?.key else { return }
    switch action {
    case .send: send(key)
    case .newline where settings.enter == .newline && isCommand(key): send(key)
    case .newline: write(key) { $0.input.insert("\n") }
    case .complete: complete(key)
    case .spelling: askSpelling(key)
    case .editor: actions.append(.edit(composer[key].editor.input.text))
    case .previousInput, .nextInput: composer.moveLine(action == .previousInput ? -1 : 1, in: key)
    case .findInput: push(.sent(key), text: composer[key].editor.input.text.filter { !$0.isNewline })
    case .pageUp: scrollConversation(-pageLines)
    case .pageDown: scrollConversation(pageLines)
    case .lineUp: scrollConversation(-1)
    case .lineDown: scrollConversation(1)
    case .firstMessage: load(screen.focused?.goToStart(), key)
    case .lineEnd where composer[key].editor.input.isEmpty: actInConversation(.lastMessage)
    case .lastMessage: if let window = model.windows[key] { load(screen.focused?.goToEnd(window), key) }
    case .jumpBack: if let window = model.windows[key] { load(screen.focused?.goBack(window), key) }
    case .previousSection: goToSection(-1, key)
    case .nextSection: goToSection(1, key)
    case .sections: push(.sections(key))
    case .jumpToDate: push(.prompt(.jumpToDate(key)))
    case .selectUp, .selectDown:
      if let window = model.windows[key] { screen.focused?.select(action == .selectUp ? -1 : 1, window) }
    case .previousLink, .nextLink: selectTarget(action == .previousLink ? -1 : 1, key)
    case .correct: correct(key)
    case .copyView: screen.surface.isCopyView ? leaveCopyView() : enterCopyView()
    case .emoticon: screen.keyboard = EmoticonKeyboard()
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
    if text.isEmpty { return screen.focused?.selected != nil }
    return SlashCommand.text(text) == nil && !text.contains(where: \.isNewline)
  }

  private var pageLines: Int { max(1, bodyLines - 2) }

  var bodyLines: Int {
    screen.focused.flatMap { screen.panes[$0.key] }.map(bodyLines) ?? 0
  }

  func bodyLines(_ pane: PaneLayout.Area) -> Int {
    let taken = FrameBuilder.inputRows(self, pane) + (LongNotice(self)?.lines(of: pane) ?? 0)
    return max(0, pane.height - screen.surface.headerLines - taken)
  }

  func scrollConversation(_ lines: Int) {
    if let pane = screen.focused.flatMap({ screen.panes[$0.key] }) { scroll(pane, lines) }
  }

  func scroll(_ pane: PaneLayout.Area, _ lines: Int) {
    guard let window = model.windows[pane.key], let geometry = geometry(pane) else { return }
    _ = screen.conversations.change(pane.key) { $0.scroll(lines, window, geometry) }
  }

  func geometry(_ pane: PaneLayout.Area) -> RowGeometry? {
    guard let transcript = screen.conversations[pane.key]?.transcript else { return nil }
    return RowGeometry(count: transcript.count, height: bodyLines(pane)) { transcript.height(of: $0) }
  }

  func load(_ page: PageRequest?, _ key: ConversationKey) {
    if let page { model.load(page, of: key) }
  }

  /// In an empty input takes the selected message, or my newest one; else moves a line up.
  private func correct(_ key: ConversationKey) {
    let field = composer[key]
    // A text that was sent before would be sent in the place of the one that is being corrected.
    if case .correction(let id, let text)? = field.purpose, field.editor.input.text == text {
      guard let row = messages?.mine(before: id) else { return say("No earlier message of yours is loaded.") }
      return perform(.correct(row))
    }
    guard field.editor.input.isEmpty, field.purpose == nil, let intent = messages?.intent(.correct) else {
      return composer.moveLine(-1, in: key)
    }
    perform(intent)
  }

  /// Goes to a link, mention or topic of the conversation.
  private func selectTarget(_ step: Int, _ key: ConversationKey) {
    guard let window = model.windows[key] else { return }
    guard let target = screen.focused?.selectTarget(step, window) else {
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
    screen.surface.copyView = CopyView()
    actions.append(.mouse(false))
  }

  func leaveCopyView() {
    screen.surface.copyView = nil
    actions.append(.mouse(settings.hasMouse))
  }

  func closeKeyboard() {
    screen.keyboard = nil
    model.closeEmoticons()
  }

  private func complete(_ key: ConversationKey) {
    let text = composer[key].editor.input.text
    if completeWord(key) { return }
    if let query = composer[key].editor.input.emoticonQuery { return say("No emoticon’s name has “\(query)” in it.") }
    guard text.hasPrefix("/") else {
      return text.isEmpty ? goToOtherPane() : say("Tab completes a command, which begins with a slash.")
    }
    if let path = PathCompletion(text, in: key) {
      screen.typedPath = path
      return actions.append(.list(path.folder))
    }
    if let common = slash.completion(text) { write(key) { $0.input.set(common) } }
  }

  /// Completes an emoticon, or the nick of an occupant, in a text or behind a command that takes one; false: there is none.
  private func completeWord(_ key: ConversationKey) -> Bool {
    let input = composer[key].editor.input
    let last = screen.completion.flatMap { $0.continues(input) ? $0 : nil }
    guard let completion = last ?? emoticon(input) ?? nick(input, in: key) else { return false }
    write(key) { screen.completion = completion.complete(&$0.input) }
    return true
  }

  private func emoticon(_ input: TextInput) -> InputCompletion? {
    let matches = model.emoticons.matches
    guard let query = input.emoticonQuery, matches.text == query else { return nil }
    return InputCompletion(input, emoticons: matches.found.map(\.written))
  }

  private func nick(_ input: TextInput, in key: ConversationKey) -> InputCompletion? {
    let isCommand = input.letters.first == "/" && SlashCommand.text(input.text) == nil
    guard !isCommand || RoomCommand.takesNick(input.text) else { return nil }
    return InputCompletion(input, among: model.nicks(in: key))
  }

  private func goToSection(_ step: Int, _ key: ConversationKey) {
    guard let view = screen.focused, let window = model.windows[key], window.rows.indices.contains(view.visible.top)
    else {
      return
    }
    let top = view.visible.top
    if step < 0 {
      let opener = window.rows[..<top].last(where: \.opensSection)
      load(opener.map { screen.focused?.go(to: $0.id) } ?? screen.focused?.go(to: window.rows[0].section), key)
    } else if let opener = window.rows[(top + 1)...].first(where: \.opensSection) {
      load(screen.focused?.go(to: opener.id), key)
    } else if window.hasMoreAfter {
      scrollConversation(pageLines)
    } else {
      load(screen.focused?.goToEnd(window), key)
    }
  }
}
