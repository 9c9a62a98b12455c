import ConfabAccounts
import Clocks
import JSON
import LineProtocol
import Records
import ConfabConfiguration
import State
import XMPPCore
import XMPPExtensions

/// `send replace=`, `retract`, `react`, `forward` and `versions`: what becomes of messages that are here.
extension Command {
  static let changing: [Verb: Handler] = [
    .retract: { try $0.retract() },
    .react: { try $0.react() },
    .forward: { try $0.forward() },
    .versions: { try $0.versions() },
  ]

  /// `send replace=ID`: another text for a message of mine.
  func replace(_ id: UInt64, of to: JID, _ account: Account, by text: String) throws(RequestFailure) {
    let target = try changeable(id, "replace")
    let conversation = conversation(to, account)
    guard target.present.message.jid == conversation, target.account === account else {
      throw RequestFailure(
        .notFound, "message \(id) is not in the conversation with \(conversation)", argument: "replace")
    }
    try checkIsMine(target, "replace")
    try checkIsNoGateway(target, "replace")
    if let key = request.string(.key), try isRepeat(of: key, account, to: to, text) { return }
    var message = change(by: account, of: target)
    (message.text, message.isUnstyled) = (text, isUnstyled)
    message.want(try correctionWish(to, account, target))
    if let details = target.present.message.details, details.reply != nil {
      // The quotation stays before the new text.
      let quotation = details.plain.map { $0.dropLast(target.present.message.text.count) } ?? ""
      var changed = message.details ?? MessageDetails()
      changed.plain = quotation.isEmpty ? nil : quotation + message.text
      message.details = changed
    }
    if let forwarded = target.present.message.details?.forwarded, !forwarded.isEmpty {
      message.forward(forwarded)
    }
    if let files = target.present.message.details?.attachments, !files.isEmpty { message.bring(files) }
    try submit(ChangeRequest(.correction, of: ""), message, target)
  }

  private func retract() throws(RequestFailure) {
    let reason = request.text.flatMap { $0.isEmpty ? nil : $0 }
    let named = try known(request.id(.id), "id")
    try checkIsNoGateway(named, "id")
    if named.present.message.isOfRoom, !named.present.message.author.isMe { return try moderate(named, reason) }
    let target = try changeable(request.id(.id), "id", isRetracted: true)
    try checkIsMine(target, "id")
    guard reason == nil else {
      throw RequestFailure(.badArgument, "a reason goes with a message of somebody else alone", argument: "text")
    }
    let message = change(by: target.account, of: target)
    try submit(ChangeRequest(.retraction(reason: nil), of: ""), message, target)
  }

  /// Retracts a message of somebody else in a room (XEP-0425).
  private func moderate(_ target: Target, _ reason: String?) throws(RequestFailure) {
    let present = target.present
    if present.message.details?.change?.retraction != nil {
      return answer(request.stored(present.id, DeliveryStatus(state: .delivered), isRepeat: false))
    }
    guard let room = target.account.parts.messaging.rooms[present.message.jid], room.isModeratable,
      let id = try roomIDs(of: target, "id").last
    else {
      throw RequestFailure(.notSupported, "the room lets nobody retract messages of others", argument: "id")
    }
    try context.checkStorage()
    try context.checkOnline(target.account)
    guard room.machine.isJoined else {
      throw RequestFailure(.failed, "you are not in the room \(room.jid)", argument: "id")
    }
    room.moderate(present.id, id, reason: reason, for: ticket())
  }

  private func react() throws(RequestFailure) {
    let target = try changeable(request.id(.id), "id")
    try checkIsNoGateway(target, "id")
    var emoji: [String] = []
    for word in request.list(.emoji) ?? [] where !emoji.contains(word) {
      guard MessageReactions.isEmoji(word) else {
        throw RequestFailure(.badArgument, "'\(word)' is not an emoji", argument: "emoji")
      }
      emoji.append(word)
    }
    guard emoji.count <= MessageReactions.most else {
      throw RequestFailure(.badArgument, "more than \(MessageReactions.most) emoji", argument: "emoji")
    }
    let message = change(by: target.account, of: target)
    try submit(ChangeRequest(.reactions(emoji), of: ""), message, target)
  }
}

// MARK: - Changes

extension Command {
  /// A message that a request names, as it stands.
  struct Target {
    let account: Account
    /// Its first record.
    let first: MessageRecord
    let present: PresentMessage
  }

  /// The message that a request names, as it stands, if it can be changed.
  ///
  /// - Parameter isRetracted: it may be one that was taken back.
  func changeable(
    _ id: UInt64?, _ argument: String, isRetracted: Bool = false
  ) throws(RequestFailure) -> Target {
    let target = try known(id, argument)
    let message = target.present.message
    guard isRetracted || message.details?.change?.retraction == nil else {
      throw RequestFailure(.badArgument, "message \(target.present.id) was retracted", argument: argument)
    }
    let ids = [message.stanzaID, message.originID].compactMap { $0 }
    guard !ids.isEmpty else {
      throw RequestFailure(
        .notSupported, "message \(target.present.id) came without an id by which its sender would know it",
        argument: argument)
    }
    // Servers end the stream at a stanza that is too long.
    guard ids.allSatisfy({ $0.utf8.count <= DeliveryReceipt.longestID }) else {
      throw RequestFailure(
        .notSupported, "message \(target.present.id) came with an id of more than \(DeliveryReceipt.longestID) bytes",
        argument: argument)
    }
    guard let state = try ownState(of: target), state != .sent else { return target }
    throw notSent(target, argument)
  }

  private func notSent(_ target: Target, _ argument: String) -> RequestFailure {
    RequestFailure(.badArgument, "message \(target.present.id) was not sent", argument: argument)
  }

  /// The message that a request names.
  ///
  /// - Parameter isOfAny: it may be another account's than the one that `account=` names.
  func known(_ id: UInt64?, _ argument: String, isOfAny: Bool = false) throws(RequestFailure) -> Target {
    guard let id else { throw RequestFailure(.badArgument, "the id is missing", argument: argument) }
    guard let first = context.message(id), isOfAny || context.isVisible(first, to: request),
      client.socket.mayFollow(first),
      let account = context.accounts.numbered(first.account),
      let present = account.parts.messaging.inbox.finder.present(id, first)
    else { throw RequestFailure(.notFound, "no message has the id \(id)", argument: argument) }
    return Target(account: account, first: first, present: present)
  }

  /// The state of a message of mine from here: `queued` while it is kept back, `failed` or `cancelled`, else `sent`;
  /// nil for other messages.
  private func ownState(of target: Target) throws(RequestFailure) -> DeliveryState? {
    let (id, message) = (target.present.id, target.present.message)
    guard message.isFromHere else { return nil }
    if target.account.state.outbox.held[id] != nil { return .queued }
    var place = MessagePlace(message)
    place.target = nil
    switch context.storage.pending.delivery(of: id)?.state ?? context.status(of: id, at: place).state {
    case .failed: return .failed
    case .cancelled: return .cancelled
    case .queued, .sent, .delivered, .displayed: return .sent
    }
  }

  private func checkIsMine(_ target: Target, _ argument: String) throws(RequestFailure) {
    guard !target.present.message.author.isMe else { return }
    throw RequestFailure(.notAllowed, "message \(target.present.id) was not sent by me", argument: argument)
  }

  /// Messages of other networks cannot be changed.
  private func checkIsNoGateway(_ target: Target, _ argument: String) throws(RequestFailure) {
    guard isOfGateway(target) else { return }
    throw RequestFailure(
      .notSupported, "a room of another network (irc) knows no \(request.verb.rawValue)", argument: argument)
  }

  private func isOfGateway(_ target: Target) -> Bool {
    let message = target.present.message
    let room = message.isOfRoom ? target.account.parts.messaging.rooms[message.jid] : nil
    return room?.record.info?.has(.gateway) == true
  }

  /// The message of its own that carries a change.
  private func change(by account: Account, of target: Target) -> MessageRecord {
    let present = target.present.message
    var message = MessageRecord(
      account: account.number, jid: present.jid, peer: present.jid,
      // A clock that was set back makes no change older than the one before it.
      time: max(context.effects.now.wall.milliseconds, target.present.lastChange(by: .thisDevice)))
    message.author = .thisDevice
    (message.isOfRoom, message.isInPrivate) = (present.isOfRoom, present.isInPrivate)
    message.stanzaID = context.effects.token(bytes: 12)
    return message
  }

  /// The ids by which a change names its message, if that is not the message's own: a retraction those of each stanza that
  /// it was.
  private func references(of change: ChangeRequest, to target: Target) throws(RequestFailure) -> [String] {
    guard change.kind != .correction else { return [] }
    let ids = try roomIDs(of: target, "id")
    guard change.kind == .retraction(reason: nil) else { return ids.suffix(1) }
    return ids.isEmpty ? target.present.message.partIDs : ids
  }

  /// The ids by which all in a room know a message, one for each stanza that it was; empty: it is in no room.
  private func roomIDs(of target: Target, _ argument: String) throws(RequestFailure) -> [String] {
    let message = target.present.message
    guard message.isOfRoom else { return [] }
    guard let ids = target.account.parts.messaging.rooms[message.jid]?.stanzaIDs(of: target.present.id), !ids.isEmpty
    else { throw RequestFailure(.notSupported, "the room gives no ids to messages", argument: argument) }
    return message.isFromHere && message.details?.seal?.version != nil ? ids : ids.suffix(1)
  }

  private func submit(
    _ change: ChangeRequest, _ message: MessageRecord, _ target: Target
  ) throws(RequestFailure) {
    try context.checkStorage()
    if target.present.message.isInPrivate, let to = try? JID(target.present.message.jid) {
      try checkOccupant(to, target.account)
    }
    let own = target.account.state.record.jid
    guard var record = target.present.changed(by: change, in: message, own: own) else { return answerUnchanged(target) }
    record.details?.change?.references = try references(of: change, to: target)
    record.details?.change?.isSent = true
    record.details?.change?.key = request.string(.key)
    record.sender = Sender(client.caller)
    record.expires = [request.duration(.expires), target.account.settings.outboxMaxAge].compactMap { $0 }.min()
      .map { context.effects.now.wall.advanced(by: $0).milliseconds }
    try submit(record, by: target.account)
  }

  /// Nothing is new: the answer is that of the last change, once that is durable.
  private func answerUnchanged(_ target: Target) {
    let present = target.present
    if present.message.details?.change?.isSent == true {
      answer(whenDurable: present.number, then: .send(MessagePlace(present.message)))
    } else {
      answer(request.stored(present.id, DeliveryStatus(state: .sent), isRepeat: false))
    }
  }
}

// MARK: - Answers and forwarded messages

extension Command {
  /// Makes a message the answer to another one: `send reply=ID`.
  func addReply(to message: inout MessageRecord, _ account: Account) throws(RequestFailure) {
    guard let id = request.id(.reply) else { return }
    let target = try changeable(id, "reply")
    let answered = target.present.message
    guard answered.jid == message.jid, target.account === account, let stanzaID = answered.originID ?? answered.stanzaID
    else {
      throw RequestFailure(.notFound, "message \(id) is not in the conversation with \(message.jid)", argument: "reply")
    }
    if isOfGateway(target) { return message.quote(answered) }
    let isFromHere = answered.author == .thisDevice
    var reply = MessageReply(stanzaID: try roomIDs(of: target, "reply").last ?? stanzaID)
    (reply.author, reply.message, reply.time) = (
      isFromHere ? account.jid.description : answered.peer, id, answered.time
    )
    reply.isSecret = isSecret(target)
    message.quote(answered)
    message.details?.reply = reply
  }

  /// True of a message that is encrypted, or may be when it leaves.
  private func isSecret(_ target: Target) -> Bool {
    let (id, message) = (target.present.id, target.present.message)
    if message.details?.seal?.version != nil || message.details?.seal?.wish == .required { return true }
    guard message.isFromHere, wantedEncryption(of: message, target.account) != .none else { return false }
    return id > context.storage.queue.durable || target.account.state.outbox.entry(id)?.transmitted == false
  }

  /// The encryption that a correction has to have: what was encrypted is not corrected in plain text.
  private func correctionWish(
    _ to: JID, _ account: Account, _ target: Target
  ) throws(RequestFailure) -> MessageSeal.Wish? {
    let wish = try encryptionWish(to, account)
    let seal = target.present.message.details?.seal
    guard seal?.version != nil || seal?.wish == .required else { return wish }
    guard wish != MessageSeal.Wish.none else {
      throw RequestFailure(
        .notAllowed, "message \(target.present.id) is encrypted, and so is its correction", argument: "encrypt")
    }
    return .required
  }

  private func forward() throws(RequestFailure) {
    try context.checkStorage()
    let target = try known(request.id(.id), "id", isOfAny: true)
    let to = try jid()
    let account = request.account == nil && context.accounts.all.count > 1 ? target.account : try account()
    let forwarded = target.present.message
    let isScheduled = target.account.state.outbox.held[target.present.id]?.heldUntil != nil
    if forwarded.awaitsUpload || isScheduled { throw notSent(target, "id") }
    guard forwarded.details?.event == nil else {
      throw RequestFailure(.badArgument, "\(target.present.id) is an event of a room, not a message", argument: "id")
    }
    guard forwarded.details?.change?.retraction == nil else {
      throw RequestFailure(.badArgument, "message \(target.present.id) was retracted", argument: "id")
    }
    guard forwarded.details?.attachments.contains(where: \.url.isEmpty) != true else {
      throw RequestFailure(
        .badArgument, "message \(target.present.id) has a file without an address", argument: "id")
    }
    try client.socket.check(recipient: to)
    try checkRoom(to, account)
    var message = message(to, account, request.text ?? "")
    message.want(try encryptionWish(to, account))
    message.forward([ForwardedText(forwarded, own: target.account.state.record.jid)])
    try submit(message, by: account)
  }

  private func versions() throws(RequestFailure) {
    let present = try known(request.id(.id), "id").present
    var writer = JSONWriter()
    for version in present.message.earlierTexts(atMost: Limits.page, { context.records.changed($0) }) {
      Answer.data("version", request.tag, into: &writer) {
        $0.member("text", version.text)
        $0.member("time", Timestamp(milliseconds: version.time))
      }
    }
    Answer.ok(request.tag, into: &writer)
    answer(writer.bytes)
  }
}

extension MessageRecord {
  /// Puts messages inside of this one, which are quoted behind its text.
  fileprivate mutating func forward(_ messages: [ForwardedText]) {
    var details = details ?? MessageDetails()
    details.forwarded = messages
    details.plain = ([text].filter { !$0.isEmpty } + messages.map(\.quoted)).joined(separator: "\n")
    self.details = details
  }

  /// Puts a quotation of a message before its text, for clients that know no replies.
  fileprivate mutating func quote(_ answered: MessageRecord) {
    var details = details ?? MessageDetails()
    details.plain = MessageReplies.quotation(of: answered.text.isEmpty ? answered.plainText : answered.text) + text
    self.details = details
  }

  /// Keeps the files that its earlier text came with.
  fileprivate mutating func bring(_ files: [Attachment]) {
    var details = details ?? MessageDetails()
    details.plain = (details.plain ?? text) + files.addresses(behind: text)
    details.attachments = files
    self.details = details
  }

  /// True for a message of mine from here with files without addresses.
  fileprivate var awaitsUpload: Bool {
    author == .thisDevice && details?.attachments.contains { $0.url.isEmpty } == true
  }

  /// All of its body.
  fileprivate var plainText: String { details?.plain ?? text }
}

extension ForwardedText {
  /// - Parameter own: my bare JID.
  fileprivate init(_ message: MessageRecord, own: String) {
    self.init()
    (from, time) = (message.isFromHere ? own : message.peer, message.time)
    let (inside, files) = (message.details?.forwarded ?? [], message.details?.attachments ?? [])
    // A message inside of this one travels in its text: one inside of another is all that clients show.
    guard inside.isEmpty else {
      text = Self.whole(message.plainText, inside, files)
      return
    }
    attachments = files
    // The addresses alone say no more than the files.
    text = message.text == files.addresses(behind: "") ? "" : message.text
  }
}
