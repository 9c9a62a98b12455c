import LineProtocol

/// What is done with a message that is there: answering, correcting, reacting, forwarding, taking back, copying.
extension Application {
  func actOnMessage(_ action: Action, _ key: ConversationKey) {
    guard let window = model.windows[key] else { return }
    let chosen = desk.talk?.selected.flatMap(window.index(of:)).map { window.rows[$0] }
    switch action {
    case .unfold: if let id = chosen?.id ?? firstFolded(window) { desk.talk?.toggleFold(id) }
    case .copy: if let row = chosen ?? window.rows.last { copy(row.text) }
    case .cancelMessage: takeBack(chosen ?? window.rows.last(where: \.isQueued) ?? beingFetched(window), key)
    case .correct: correct(chosen, window, key)
    case .reply: reply(to: chosen ?? newest(window), key)
    case .react: if let row = chosen ?? newest(window) { push(.react(key, row.id)) }
    case .forward: forward(chosen ?? newest(window))
    case .versions: showVersions(chosen ?? window.rows.last { $0.details.edited != nil })
    case .answered: goToAnswered(chosen ?? window.rows.last { $0.details.reply != nil }, key)
    case .links: showTargets(chosen.map { [$0] } ?? shownRows(window), key)
    case .files: showFiles(chosen.map { [$0] } ?? shownRows(window), key)
    case .view: openViewer(chosen.map { [$0] } ?? window.rows, key)
    default: desk.surface.isCopyView ? leaveCopyView() : enterCopyView()
    }
  }

  /// The same with the words behind its command.
  func actOnMessage(_ action: Action, words: String) {
    guard !desk.isInList, let key = desk.talk?.key, let window = model.windows[key] else {
      return say("Open the conversation first.")
    }
    let chosen = desk.talk?.selected.flatMap(window.index(of:)).map { window.rows[$0] }
    let row = chosen ?? (action == .correct ? window.rows.last(where: \.isMine) : newest(window))
    guard let row, row.details.retraction == nil else { return say("There is no message that this could be about.") }
    desk.talk?.deselect()
    switch action {
    case .reply: send(words, to: key, .reply(row.id, author: author(of: row, key), text: row.preview))
    case .correct where !row.isCorrectable: say("This message cannot be corrected.")
    case .correct: send(words, to: key, .correction(row.id, text: row.text))
    case .react: model.react(words.split(separator: " ").map(String.init), to: row.id, in: key)
    default:
      let parts = words.split(separator: " ", maxSplits: 1).map(String.init)
      forward(row.id, to: ConversationKey(account: key.account, jid: parts[0]), text: parts.dropFirst().first)
    }
  }

  /// The newest message of somebody else.
  private func newest(_ window: RowWindow) -> MessageRow? {
    window.rows.last { !$0.isMine && $0.details.retraction == nil }
  }

  func copy(_ text: String) {
    actions.append(.copy(text))
    say("Copied.")
  }

  // MARK: Writing about a message

  private func reply(to row: MessageRow?, _ key: ConversationKey) {
    guard let row, row.details.retraction == nil else { return say("There is no message to answer.") }
    if composer[key].purpose?.isCorrection == true { giveUpPurpose(key) }
    composer[key].purpose = .reply(row.id, author: author(of: row, key), text: row.preview)
    desk.talk?.deselect()
  }

  private func author(of row: MessageRow, _ key: ConversationKey) -> String {
    row.isMine ? "yourself" : row.nick == nil ? name(of: key) : row.author
  }

  /// In an empty input takes the selected message, or my newest one; else moves a line up.
  private func correct(_ chosen: MessageRow?, _ window: RowWindow, _ key: ConversationKey) {
    let field = composer[key]
    guard field.editor.input.isEmpty, field.purpose == nil else { return moveInInput(-1, key) }
    let last = window.hasMoreAfter ? nil : window.rows.last(where: \.isMine)
    guard let row = chosen ?? last else { return moveInInput(-1, key) }
    guard row.isCorrectable else { return say("This message cannot be corrected.") }
    composer.correct(row, in: key)
    desk.talk?.deselect()
  }

  /// The input is for a message of its own again.
  func giveUpPurpose(_ key: ConversationKey) {
    let isCorrection = composer[key].purpose?.isCorrection == true
    composer[key].purpose = nil
    if isCorrection { composer[key].editor = InputEditor() }
  }

  // MARK: Changing a message

  /// The newest message of which files are on their way here.
  private func beingFetched(_ window: RowWindow) -> MessageRow? {
    window.rows.last { !model.fetches.indices(of: $0.id).isEmpty }
  }

  /// One that has not gone out is cancelled, the files of another one are fetched no further, or it is retracted.
  private func takeBack(_ row: MessageRow?, _ key: ConversationKey) {
    guard let row else { return say("No message waits to be sent; select one to retract it.") }
    let files = model.fetches.indices(of: row.id)
    if !row.isQueued, !files.isEmpty { return stopFetching(row.id, files, key) }
    guard row.isMine, row.details.retraction == nil else { return say("Only a message of mine can be taken back.") }
    if row.isQueued { return model.cancel(row, in: key) }
    var request = Request(.retract, arguments: [.id: .id(row.id)])
    request.account = key.accountName
    let text = ShownLine.clean(row.preview, limit: 40)
    push(.confirm("Retract “\(text)” for everybody", .request(request, "retract")))
  }

  private func forward(_ row: MessageRow?) {
    guard let row, row.details.retraction == nil else { return say("There is no message to forward.") }
    push(.forward(row.id))
  }

  func forward(_ id: UInt64, to key: ConversationKey, text: String? = nil) {
    desk.popups = []
    desk.talk?.deselect()
    let arguments: NamedValues<ArgumentName> = [.id: .id(id), .jid: .string(key.jid)]
    request(Request(.forward, arguments: arguments, text: text), key, "forward to \(key.jid)")
    say("Forwarded to \(name(of: key)).")
  }

  // MARK: Looking behind a message

  private func showVersions(_ row: MessageRow?) {
    guard let row, row.details.edited != nil else { return say("The message was not edited.") }
    var request = Request(.versions, arguments: [.id: .id(row.id)])
    request.account = row.account.isEmpty ? nil : row.account
    perform(.ask(request))
  }

  private func goToAnswered(_ row: MessageRow?, _ key: ConversationKey) {
    guard let reply = row?.details.reply else { return say("The message answers no other one.") }
    guard let id = reply.id else { return say("The message that it answers is not here.") }
    load(desk.talk?.go(to: id), key)
  }

  private func showTargets(_ rows: [MessageRow], _ key: ConversationKey) {
    let targets = rows.reversed().flatMap { $0.targets(in: key) }
    if targets.isEmpty { return say("No link, mention or topic is here.") }
    push(.targets(targets))
  }

  /// Goes to a link, mention or topic of the conversation.
  func selectTarget(_ step: Int, _ key: ConversationKey) {
    guard let window = model.windows[key] else { return }
    guard let target = desk.talk?.selectTarget(step, window) else {
      let isEnd = step < 0 ? !window.hasMoreBefore : !window.hasMoreAfter
      return say("No link, mention or topic \(isEnd ? "further" : "up to here; the same key looks further").")
    }
    say("\(target.title): \(keyName(.send)) opens it, copies it or searches for it.")
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

extension MessageRow {
  fileprivate var isQueued: Bool { isMine && delivery == .queued }

  /// Whether its text can be replaced (XEP-0308).
  var isCorrectable: Bool {
    guard isMine, !isHeld, heldUntil == nil, details.retraction == nil, details.forwarded.isEmpty else { return false }
    switch delivery {
    case .queued, .sent, .delivered, .displayed: return true
    case .failed, .cancelled, nil: return false
    }
  }
}
