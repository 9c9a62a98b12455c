import ConfabClient
import LineProtocol

/// Maps an action to the intent for the selected message, or for the one that it may concern.
struct MessageActions {
  let view: ConversationView
  let window: RowWindow
  /// How the other side is called.
  let name: String
  let fetches: FileFetches
  /// True in a room where I may retract what others say (XEP-0425).
  var moderates = false

  private var key: ConversationKey { view.key }
  private var chosen: MessageRow? { view.selected.flatMap(window.index(of:)).map { window.rows[$0] } }
  private var shown: ArraySlice<MessageRow> { window.rows[view.visible.range.clamped(to: 0..<window.rows.count)] }
  /// The selected message, or those on the screen.
  private var concerned: [MessageRow] { chosen.map { [$0] } ?? Array(shown) }

  /// The newest of mine, where the newest messages are here.
  private var newestOfMine: MessageRow? { window.hasMoreAfter ? nil : window.rows.last(where: \.isMine) }
  /// The newest message of somebody else.
  private var newest: MessageRow? { window.rows.last { !$0.isMine && !$0.isEvent && $0.details.retraction == nil } }

  /// Actions for the selected message, the most wanted first; nil: none is selected.
  var offers: [UserAction]? {
    guard let chosen else { return nil }
    guard chosen.details.retraction == nil else { return [.back] }
    let own: [UserAction] =
      chosen.isMine ? (correcting == Self.notCorrectable ? [] : [.correct]) + [.cancelMessage] : []
    return (opening == nil ? [] : [.send]) + [.reply, .react] + own + [.forward, .copy]
  }

  /// nil: there is nothing that it could be done with.
  func intent(_ action: UserAction) -> Intent? {
    guard let intent = meant(action) else { return nil }
    let isLost = view.selected != nil && chosen == nil
    return isLost ? .say("The selected message is not on the screen any more.") : intent
  }

  private func meant(_ action: UserAction) -> Intent? {
    switch action {
    case .unfold: (chosen ?? shown.last(where: \.isFolded)).map { .unfold($0.id) }
    case .copy: (chosen ?? window.rows.last).map(copying)
    case .cancelMessage: takingBack
    case .correct: correcting
    case .reply: about(chosen ?? newest, "answer") { .write(reply(to: $0)) }
    case .react: about(chosen ?? newest, "react to") { .popup(.react(key, $0.id)) }
    case .forward: about(chosen ?? newest, "forward") { .popup(.forward($0.id, $0.preview)) }
    case .versions: versions
    case .answered: answered
    case .links: targets
    case .files: files(of: concerned)
    case .view: pictures
    default: nil
    }
  }

  /// Returns the intent of an action with the words behind its command.
  func intent(_ action: UserAction, words: String) -> Intent {
    let row = chosen ?? (action == .correct ? newestOfMine : newest)
    if row == nil, action == .correct, isPartial { return Self.notLoaded }
    guard let row, row.details.retraction == nil else { return .say("There is no message that this could be about.") }
    switch action {
    case .reply: return .sendAbout(words, reply(to: row))
    case .correct where !row.isCorrectable: return Self.notCorrectable
    case .correct: return .sendAbout(words, .correction(row.id, text: row.text))
    // The name of an emoticon, as the menu finds it.
    case .react where !words.isEmpty && words.utf8.allSatisfy { $0 < 0x80 }: return .reactOnceFound(key, row.id, words)
    case .react: return .react(key, row.id, words.split(separator: " ").map(String.init))
    default:
      let parts = words.split(separator: " ", maxSplits: 1).map(String.init)
      return .forward(row.id, ConversationKey(account: key.account, jid: parts[0]), text: parts.dropFirst().first)
    }
  }

  /// A message may have files alone.
  private func copying(_ row: MessageRow) -> Intent {
    row.text.isEmpty ? .say("The message has no text.") : .copy(row.text)
  }

  /// Enter in an empty input: asks what to do with the link that is selected, or with the files of the message, or shows
  /// the devices that keep it from being read.
  var opening: Intent? {
    if let target = view.selectedTarget(window) { return .popup(.target(target)) }
    if chosen?.details.seal.concernsDevices == true { return .popup(.device(.list(key))) }
    return chosen.flatMap { $0.files(in: key).isEmpty ? nil : files(of: [$0]) }
  }

  /// The word for the target that Enter in an empty input opens.
  var openingWord: String {
    if view.selectedTarget(window) != nil { return "link" }
    return chosen?.details.seal.concernsDevices == true ? "devices" : "file"
  }

  /// - Parameter words: the number of the file, if the message has several, and the path.
  func saving(_ words: String) -> Intent {
    let row = chosen ?? window.rows.last { !$0.files(in: key).isEmpty }
    switch SaveCommand(words, row?.files(in: key) ?? []) {
    case .file(let target, let path): return target.fetching(.save(path))
    case .failure(let reason): return .say(reason)
    }
  }

  // MARK: Writing about a message

  private func about(_ row: MessageRow?, _ verb: String, _ intent: (MessageRow) -> Intent) -> Intent {
    guard let row, row.details.retraction == nil else { return .say("There is no message to \(verb).") }
    return intent(row)
  }

  private func reply(to row: MessageRow) -> WritingPurpose {
    let author = row.isMine ? "yourself" : row.nick == nil ? name : row.author
    return .reply(row.id, author: author, text: row.preview)
  }

  private var correcting: Intent? {
    let row = chosen ?? newestOfMine
    if row == nil, isPartial { return Self.notLoaded }
    return row.map { row in
      if row.isMine, row.delivery == .failed, !row.text.isEmpty { return .writeAgain(row.text) }
      if row.isCorrectable { return .correct(row) }
      return row.isMine ? Self.notCorrectable : .say("Only a message of mine can be corrected.")
    }
  }

  /// The message of mine before one that is being corrected, if it can be corrected, too.
  func mine(before id: UInt64) -> MessageRow? {
    window.index(of: id).flatMap { window.rows[..<$0].last(where: \.isCorrectable) }
  }

  private var isPartial: Bool { window.hasMoreBefore || window.hasMoreAfter }
  private static let notLoaded = Intent.say("No message of mine is loaded: scroll to one and select it.")
  private static let notCorrectable = Intent.say("This message cannot be corrected.")

  // MARK: Changing a message

  /// One that has not gone out is cancelled, the files of another one are fetched no further, or it is retracted.
  private var takingBack: Intent {
    let row = chosen ?? window.rows.last(where: \.isQueued) ?? window.rows.last { !fetches.indices(of: $0.id).isEmpty }
    guard let row else { return .say("No message waits to be sent; select one to retract it.") }
    let files = fetches.indices(of: row.id)
    if !row.isQueued, !files.isEmpty { return .stopFetching(row.id, files.sorted(), key) }
    guard row.details.retraction == nil, row.isMine || moderates && !row.isEvent else {
      return .say("Only a message of mine can be taken back.")
    }
    if row.isQueued { return .cancel(row) }
    if row.delivery == .failed { return .say("Nobody got this message, so nothing is to be taken back.") }
    let request = Request(.retract, arguments: [.id: .id(row.id)], account: key.accountName)
    let whose = row.isMine ? "" : " of \(row.author)"
    return .confirm(
      "Retract “\(ShownLine.clean(row.preview, limit: 40))”\(whose) for everybody", .request(request, "retract"))
  }

  // MARK: Looking behind a message

  private var versions: Intent {
    let row = chosen ?? window.rows.last { $0.details.edited != nil }
    guard let row, row.details.edited != nil else { return .say("The message was not edited.") }
    return .ask(
      Request(.versions, arguments: [.id: .id(row.id)], account: row.account.isEmpty ? nil : row.account))
  }

  private var answered: Intent {
    let row = chosen ?? window.rows.last { $0.details.reply != nil }
    guard let reply = row?.details.reply else { return .say("The message answers no other one.") }
    return reply.id.map { .go($0, key) } ?? .say("The message that it answers is not here.")
  }

  private var targets: Intent {
    let targets = concerned.reversed().flatMap { $0.targets(in: key) }
    return targets.isEmpty ? .say("No link, mention or topic is here.") : .popup(.targets(targets))
  }

  /// The newest message first.
  private func files(of rows: [MessageRow]) -> Intent {
    let files = rows.reversed().flatMap { $0.files(in: key) }
    if files.isEmpty { return .say("No file is here.") }
    return .popup(files.count == 1 ? .file(files[0]) : .files(files))
  }

  /// A picture of the selected message, or the newest one of the conversation.
  private var pictures: Intent {
    let files = (chosen.map { [$0] } ?? window.rows).lazy.map { $0.pictureFiles(in: key) }.last { !$0.isEmpty }
    return files?.first.map { .view($0) } ?? .say("No picture is here.")
  }
}

extension MessageRow {
  fileprivate var isQueued: Bool { isMine && delivery == .queued }

  /// True if the message is long or a spoiler, so that it may be shown in part.
  fileprivate var isFolded: Bool {
    details.spoiler != nil || text.utf8.count > 1500 || text.count(where: \.isNewline) >= 40
  }

  /// True if its text can be replaced (XEP-0308); files alone would be lost by that.
  var isCorrectable: Bool {
    guard isMine, !text.isEmpty, !isHeld, heldUntil == nil, details.retraction == nil, details.forwarded.isEmpty else {
      return false
    }
    switch delivery {
    case .queued, .sent, .delivered, .displayed: return true
    case .failed, .cancelled, nil: return false
    }
  }
}
