import Clocks
import ConfabClient
import LineProtocol

/// Opening and leaving conversations, sending, marking.
extension Application {
  ///
  /// - Parameter beside: keeps the one that is open, and opens a second one.
  func open(_ key: ConversationKey, name: String = "", beside: Bool = false) {
    enter(key, beside: beside)
    let page = screen.focused?.start(model.conversations[key]) ?? .newest
    model.open(key, at: page, name: name)
    if beside, screen.conversations.hasSeveral, screen.panes.areas.count < 2 {
      say("There is no room for two beside each other; \(appearance.keyName(.beside)) goes to the other one.")
    }
  }

  /// Opens the conversation that the command line names, once contacts and conversations are here.
  func openWanted() {
    guard !wanted.isEmpty, model.link == .connected, model.hasPeople else { return }
    defer { wanted = "" }
    let found = wanted.contains("@") ? [] : model.book.matching(wanted)
    if found.count == 1 { return open(found[0]) }
    if found.count > 1 || model.book.isAmbiguous(wanted) { return push(.switcher, text: wanted) }
    guard wanted.contains("@"), let key = slash.key(of: wanted) else {
      return say("No contact is called \(wanted). In a shell, confab --help lists the commands.")
    }
    open(key)
  }

  /// Opens a conversation at a message.
  func show(_ key: ConversationKey, _ id: UInt64) {
    enter(key, beside: false)
    let page = screen.focused?.go(to: id) ?? .newest
    model.open(key, at: page)
  }

  private func enter(_ key: ConversationKey, beside: Bool) {
    if !screen.conversations.focus(key) {
      if !beside, let old = screen.focused?.key { leave(old) }
      screen.conversations.open(key, beside: beside)
    }
    screen.isInList = false
    if screen.surface.isCopyView { leaveCopyView() }
    composer.open(key, draft: model.conversations[key]?.draft ?? "")
    screen.list.select(key)
  }

  func closePane(_ key: ConversationKey) {
    leave(key)
    screen.conversations.close(key)
  }

  private func leave(_ key: ConversationKey) {
    shareDraft(key)
    tell(key) { $0.leave(.inactive) }
    model.close(key)
  }

  // MARK: Sending

  /// A text is sent, a command is done, an unknown one stays.
  func send(_ key: ConversationKey) {
    let typed = composer[key].editor.input.text
    guard !typed.allSatisfy(\.isWhitespace) else { return messages?.opening.map(perform) ?? () }
    guard let text = SlashCommand.text(typed) else {
      let intent = slash.intent(typed)
      if case .say = intent {} else { _ = composer.take(key) }
      return perform(intent)
    }
    if case .correction(_, text)? = composer[key].purpose { return composer.giveUpPurpose(key) }
    if let reason = model.greeting.refusal(ofText: text) { return say(reason) }
    let lines = text.count(where: \.isNewline) + (text.last?.isNewline == true ? 0 : 1)
    guard lines <= Self.manyLines else {
      return push(.confirm("Send \(lines) lines as one message", .send(text)))
    }
    transmit(text, key)
  }

  /// A text of more lines is asked about.
  static let manyLines = 30

  func transmit(_ text: String, _ key: ConversationKey) {
    screen.popups.closeAll()
    let purpose = composer[key].purpose
    _ = composer.take(key)
    composer[key].changedAt = now.instant
    composer.vi.reset()
    send(text, to: key, purpose)
    shareDraft(key)
  }

  /// A message of its own, and an answer, are shown at the end.
  func send(_ text: String, to key: ConversationKey, _ purpose: WritingPurpose?) {
    if purpose?.isCorrection != true {
      screen.focused?.forgetUnread()
      if let window = model.windows[key] { load(screen.focused?.goToEnd(window), key) }
    }
    composer[key].typing.sent()
    model.send(text, to: key, purpose: purpose, key: environment.token, holdSeconds: settings.holdSeconds)
  }

  /// Puts the editor's text into the input, without sending it.
  func takeEdited(_ text: String?) {
    guard let key = screen.focused?.key, let text else { return }
    write(key) { $0.input.set(text.hasSuffix("\n") ? String(text.dropLast()) : text) }
  }

  // MARK: Leaving

  /// Leaves; what was typed is shared first, and what cannot be is asked about.
  func leave() {
    shareAllDrafts()
    let isTyped = composer.fields.values.contains { !$0.editor.input.isEmpty }
    guard !model.outgoing.all.isEmpty || isTyped && model.link != .connected || composer.keepsTexts else {
      return quit()
    }
    screen.popups.closeAll()
    push(.confirm("Leave, and lose what the daemon has not stored yet", .quitAnyway))
  }

  func quit() {
    tellGone()
    actions.append(.quit)
  }

  /// The contacts of the open conversations are told that nobody is here any more.
  func tellGone() {
    for key in screen.conversations.keys { tell(key) { $0.leave(.gone) } }
  }

  // MARK: Drafts and typing

  func shareAllDrafts() {
    for key in composer.fields.keys { shareDraft(key) }
  }

  func shareDraft(_ key: ConversationKey) {
    composer[key].shareAt = nil
    // The next connection is told.
    guard model.link == .connected, let draft = composer.takeDraft(of: key, limit: model.greeting.textLimit) else {
      return
    }
    model.tell(Request(.draft, arguments: [.jid: .string(key.jid)], text: draft, account: key.accountName))
    model.conversations.change(key) { $0.draft = draft }
  }

  /// The contact is told that something is written, now and then while it goes on.
  func tellTyping(_ key: ConversationKey) {
    let input = composer[key].editor.input
    let isText = input.letters.first == "/" ? SlashCommand.text(input.text) != nil : !input.isEmpty
    tell(key) { $0.typed(isText: isText, at: now.instant) }
  }

  /// Sends what a report wants said; without a daemon it is not even noted.
  func tell(_ key: ConversationKey, _ body: (inout TypingReport) -> TypingReport.State?) {
    guard model.link == .connected, let state = body(&composer[key].typing) else { return }
    var request = Request(.typing, arguments: [.jid: .string(key.jid), .state: .string(state.rawValue)])
    request.account = key.accountName
    model.tell(request)
  }

  // MARK: Marking

  func mark(_ action: UserAction) {
    guard let key = screen.concerned else { return say("Open the conversation first.") }
    let (row, window) = (model.conversations[key], model.windows[key])
    let last = window?.rows.last { !$0.isMine }?.id ?? row?.last?.id
    let actions = ConversationActions(key: key, row: row, unreadFrom: screen.conversations[key]?.view.selected ?? last)
    guard let intent = actions.intent(action) else { return }
    perform(intent)
    guard action == .markUnread else { return }
    // Somebody who marks a conversation unread does not want to read it now.
    goToList()
    closePane(key)
  }
}
