import ConfabAccounts
import Clocks
import JSON
import LineProtocol
import MarkedText
import Records
import State
import XMPPCore
import XMPPExtensions

/// `send`, `wait`, `cancel` and `release`: messages of mine on their way.
extension Command {
  static let sending: [Verb: Handler] = [
    .send: { try $0.send() },
    .wait: { try $0.wait() },
    .cancel: { try $0.cancel() },
    .release: { try $0.release() },
  ]

  private func send() throws(RequestFailure) {
    try context.checkStorage()
    let account = try account()
    let to = try context.jid(request.string(.to), "to")
    try client.socket.check(recipient: to)
    let text = try expandedText()
    if let id = request.id(.replace) { return try replace(id, of: to, account, by: text) }
    let times = try request.outboxTimes(from: context.effects.now.wall)
    if let key = request.string(.key), try isRepeat(of: key, account, to: to, text) { return }
    try checkRoom(to, account)
    var message = message(to, account, text)
    message.isUnstyled = isUnstyled
    message.want(try encryptionWish(to, account))
    try addReply(to: &message, account)
    (message.expires, message.heldUntil) = (times.expires?.milliseconds, times.heldUntil?.milliseconds)
    if let at = request.time(.at) { message.time = at.milliseconds }
    try submit(message, by: account)
  }

  /// Refuses what goes to a room that does not take me, or that I do not want to be in.
  func checkRoom(_ to: JID, _ account: Account) throws(RequestFailure) {
    guard let record = account.room(to.bare) else { return }
    if to.isBare, request.string(.wait) == "displayed" {
      throw RequestFailure(.badArgument, "a message to a room is never 'displayed'", argument: "wait")
    }
    if let refusal = record.refusal { throw RequestFailure(.failed, refusal.words) }
    if !record.isWanted { throw RequestFailure(.failed, "you are not in the room \(to.bare)") }
    if !to.isBare, request.string(.anyway) == nil { try checkOccupant(to, account) }
  }

  /// Refuses a private message that nobody would get, or somebody else than the one it is for. While I am not in the room
  /// it waits.
  func checkOccupant(_ to: JID, _ account: Account) throws(RequestFailure) {
    guard let room = account.parts.messaging.rooms[to.bare.description], let nick = to.resource else { return }
    let known = context.firstOccupant(in: to.description, of: account)
    guard room.presence(of: known ?? Occupant(nick: nick)) == .gone else { return }
    let isNobody = room.occupants[nick] == nil
    throw RequestFailure(
      .notFound,
      isNobody
        ? "nobody in the room has the nick '\(nick)'"
        : "somebody else has that nick now, or has come again; anyway=yes sends to that one", argument: "to")
  }

  /// The occupant whom a private message is for: who has the nick, or while I am not in the room the one whom the
  /// conversation was begun with.
  private func recipient(_ to: JID, _ account: Account) -> Occupant? {
    let known = request.string(.anyway) == nil ? context.firstOccupant(in: to.description, of: account) : nil
    guard let room = account.parts.messaging.rooms[to.bare.description], room.isThere else { return known }
    if let known, room.presence(of: known) == .unknown { return known }
    return account.occupant(to).map { Occupant(nick: $0.nick, id: $0.occupantID, presence: $0.presence) }
  }

  /// Hands a message of mine, or a change of one, to the outbox; the answer comes once it is durable.
  func submit(_ message: MessageRecord, by account: Account) throws(RequestFailure) {
    try checkForwarded(of: message, account)
    try count(message, of: account)
    answer(whenDurable: account.outbox.submit(message), then: .send(place(of: message, account)))
    if message.heldUntil == nil { account.parts.messaging.chatStates.sent(to: message.jid) }
  }

  /// Refuses a stanza of more than `Limits.xmlText` bytes that brings another message: that one stands in it twice,
  /// quoted and whole.
  private func checkForwarded(of message: MessageRecord, _ account: Account) throws(RequestFailure) {
    guard message.details?.forwarded.isEmpty == false,
      let stanza = OutgoingStanza(message, own: account.state.record.jid),
      stanza.bytes(isLate: true).count > Limits.xmlText
    else { return }
    throw RequestFailure(
      .tooLarge, "the message with the forwarded one inside is longer than \(Limits.xmlText) bytes as XML",
      argument: request.verb == .forward ? "id" : "text")
  }

  /// True if the request wants no part of the text styled.
  var isUnstyled: Bool { request.string(.unstyled) == "yes" }

  /// The text to be sent, with characters instead of codes where `emoticons=` wants them.
  private func expandedText() throws(RequestFailure) -> String {
    let text = request.text ?? ""
    guard request.string(.emoticons) != nil, let emoticons = context.emoticons.all else { return text }
    let expanded = emoticons.expand(text, isStyled: !isUnstyled)
    guard expanded.utf8.count <= max(Limits.text, text.utf8.count) else {
      throw RequestFailure(
        .tooLarge, "the text with its emoticons has more than \(Limits.text) bytes", argument: "text")
    }
    return expanded
  }

  /// Counts one more to be sent, or refuses it because too many of this user, or of other users, wait.
  private func count(_ message: MessageRecord, of account: Account) throws(RequestFailure) {
    guard clients.shares.hasQueueSpace(for: message, of: client, in: account.outbox.shares) else {
      var failure = RequestFailure(
        .limit,
        "too many messages of user \(client.caller.user), or of all other users, wait to be sent; nothing was stored")
      failure.retryAfter = .seconds(60)
      throw failure
    }
    try client.socket.countMessage(at: context.effects.now.instant)
  }

  /// The conversation with a recipient: of an occupant of a room it is one of its own.
  func conversation(_ to: JID, _ account: Account) -> String {
    account.room(to.bare) == nil ? to.bare.description : to.description
  }

  func message(_ to: JID, _ account: Account, _ text: String) -> MessageRecord {
    let room = account.room(to.bare)
    let isOfRoom = room != nil
    // The sender that others see.
    let me = to.isBare ? room?.usedNick.flatMap { try? to.with(resource: $0) } : nil
    var message = MessageRecord(
      account: account.number, jid: conversation(to, account), peer: (me ?? to).description,
      time: context.effects.now.wall.milliseconds)
    message.author = .thisDevice
    (message.isOfRoom, message.isInPrivate) = (to.isBare && isOfRoom, !to.isBare && isOfRoom)
    if message.isInPrivate, let occupant = recipient(to, account) {
      (message.occupantID, message.occupantPresence) = (occupant.id, occupant.presence)
    }
    if message.isOfRoom { message.occupantID = room?.occupantID }
    message.text = text
    message.stanzaID = context.effects.token(bytes: 12)
    message.key = request.string(.key)
    message.sender = Sender(client.caller)
    return message
  }

  /// Answers a request whose key came before: as the first one, or with `key-mismatch`.
  func isRepeat(
    of key: String, _ account: Account, to: JID, _ text: String, _ files: [Attachment] = []
  ) throws(RequestFailure) -> Bool {
    if let earlier = try context.message(withKey: key, of: account, client.socket.name) {
      let message = earlier.message
      guard isSame(message, to: to, account), message.text.utf8.elementsEqual(text.utf8),
        message.isUnstyled == isUnstyled,
        message.hasFiles(files)
      else {
        throw RequestFailure(
          .keyMismatch, "this key was used for another message, \(earlier.id); use another key", argument: "key")
      }
      answer(sendAnswer(earlier.id, place(of: message, account), isRepeat: true))
      return true
    }
    if let id = try context.erased(withKey: key, of: account, client.socket.name) {
      throw RequestFailure(
        .keyMismatch, "this key was used for message \(id), which has been erased; use another key", argument: "key")
    }
    return false
  }

  /// True if a message equals the request in recipient and reply, or in the message that it replaces.
  private func isSame(_ message: MessageRecord, to: JID, _ account: Account) -> Bool {
    guard let target = message.target else {
      return request.id(.replace) == nil && (message.isOfRoom ? message.jid : message.peer) == to.description
        && message.details?.reply?.message == request.id(.reply)
    }
    return target == request.id(.replace) && message.jid == conversation(to, account)
  }

  /// The message is on stable storage: the answer says how far it is, or waits for what the request waits for.
  func sendAnswer(_ id: UInt64, _ place: MessagePlace, isRepeat: Bool) -> [UInt8] {
    let status = context.status(of: id, at: place)
    guard let wanted = request.deliveryState(.wait) else {
      return request.stored(place.target ?? id, status, isRepeat: isRepeat, place.encryption)
    }
    return answer(id, place, status, wanted, isRepeat: isRepeat)
  }

  private func wait() throws(RequestFailure) {
    let (id, message) = try context.ownMessage(request, of: client)
    let status = context.status(of: id, at: MessagePlace(message))
    answer(answer(id, MessagePlace(message), status, request.deliveryState(.for) ?? .sent, isRepeat: false))
  }

  /// The answer if there is one already; else none, and it comes when the message has got that far, has failed, or time
  /// is up.
  private func answer(
    _ id: UInt64, _ place: MessagePlace, _ status: DeliveryStatus, _ wanted: DeliveryState, isRepeat: Bool
  ) -> [UInt8] {
    let waiter = Waiter(
      client: client.id, request: request.withoutText, message: id, place: place, wanted: wanted, isRepeat: isRepeat)
    if let line = waiter.answer(status) ?? waiter.answerWithoutAccount(context) { return line }
    wait(waiter)
    return []
  }
}

extension MessageRecord {
  /// True if it was sent with these files: by names and bytes.
  fileprivate func hasFiles(_ files: [Attachment]) -> Bool {
    let own = target == nil ? details?.attachments ?? [] : []
    return own.count == files.count && zip(own, files).allSatisfy { $0.name == $1.name && $0.hashes == $1.hashes }
  }
}

// MARK: - Messages that have not gone out

extension Command {
  private func cancel() throws(RequestFailure) {
    let (id, message, account) = try ownMessage()
    if let pending = context.storage.pending.delivery(of: id), pending.state == .cancelled {
      return answer(whenDurable: pending.sequence, then: .cancelled(id))
    }
    let status = context.status(of: id, at: MessagePlace(message))
    if status.state == .cancelled { return answer(request.stored(id, status, isRepeat: false)) }
    let outbox = account.outbox
    guard let entry = account.state.outbox.entry(id), !outbox.hasLeft(entry), outbox.deliveries.mayLeave(id) else {
      return answer(request.unsuccessful(.notFound, id, status))
    }
    try context.checkStorage()
    var delivery = DeliveryRecord(entry, of: account.number, .cancelled)
    let now = context.effects.now.wall
    if entry.isScheduled(after: now) { delivery.standsAt = now.milliseconds }
    guard let sequence = outbox.deliveries.advance(delivery, urgently: true) else { return }
    answer(whenDurable: sequence, then: .cancelled(id))
  }

  private func release() throws(RequestFailure) {
    let (id, message, account) = try ownMessage()
    guard let entry = account.state.outbox.held[id], entry.fileCount == 0, !entry.awaitsItsRoom,
      account.outbox.deliveries.mayLeave(id)
    else {
      throw RequestFailure(.notFound, "message \(id) is not kept back", argument: "id")
    }
    try context.checkStorage()
    let now = context.effects.now.wall
    if entry.isScheduled(after: now) { return try reschedule(to: now, text: nil) }
    let record = ReleaseRecord(account: account.number, id: id)
    if context.storage.pending.mayBeReleased(id) {
      store(.release(record), then: .status(id, MessagePlace(message)))
    } else {
      answer(whenDurable: context.storage.queue.last, then: .status(id, MessagePlace(message)))
    }
    account.outbox.releaseChanges(of: id)
  }

  /// The message of mine that the request names, of an account that is configured.
  private func ownMessage() throws(RequestFailure) -> (id: UInt64, message: MessageRecord, account: Account) {
    let (id, message) = try context.ownMessage(request, of: client)
    guard let account = context.accounts.numbered(message.account) else {
      throw .notConfigured(accountOf: id, argument: "id")
    }
    return (id, message, account)
  }
}

// MARK: - Options and answers

extension Request {
  /// Until when `expires=`, and `hold=` or `at=`, say. With `at=` the message expires so long after that.
  fileprivate func outboxTimes(
    from now: Timestamp
  ) throws(RequestFailure) -> (expires: Timestamp?, heldUntil: Timestamp?) {
    if let at = try futureTime(now) { return (duration(.expires).map { at.advanced(by: $0) }, at) }
    let (expires, hold) = (duration(.expires), duration(.hold) ?? .zero)
    if let expires, expires <= hold {
      let reason =
        expires == .zero
        ? "expires must be above zero"
        : "expires must be longer than hold: the message would expire while it is kept back"
      throw RequestFailure(.badArgument, reason, argument: "expires")
    }
    return (expires.map { now.advanced(by: $0) }, hold == .zero ? nil : now.advanced(by: hold))
  }

  /// `wait=` or `for=` as a delivery state.
  fileprivate func deliveryState(_ option: OptionName) -> DeliveryState? {
    string(option).flatMap { word in DeliveryState.allCases.first { $0.word == word } }
  }

  /// A message of mine is stored, and this is how far it got.
  ///
  /// - Parameter encryption: what was wanted when it was stored; nil: nothing is said of that.
  func stored(
    _ id: UInt64, _ status: DeliveryStatus, isRepeat: Bool, _ encryption: MessageSeal.Wish? = nil
  ) -> [UInt8] {
    ok {
      $0.member("id", id)
      $0.member("state", status.state.word)
      if let encryption { $0.member("encrypt", plain: encryption.word) }
      if status.inDoubt { $0.member("in_doubt", true) }
      if isRepeat { $0.member("repeated", true) }
      status.failure?.write(into: &$0)
    }
  }

  /// A message of mine is stored and did not get as far as was waited for.
  func unsuccessful(_ code: ErrorCode, _ id: UInt64, _ status: DeliveryStatus) -> [UInt8] {
    let reason =
      switch code {
      case .notFound where status.state == .failed: "the message has already failed"
      case .notFound: "the message was sent, or may have been"
      case .timeout: "the message did not reach that state in time; it is stored and is still being delivered"
      case _ where status.state == .cancelled: "the message was cancelled"
      default: "the delivery failed: \(status.failure?.text ?? status.failure?.condition ?? status.state.word)"
      }
    return unsuccessful(RequestFailure(code, reason, argument: code == .notFound ? "id" : nil), id, status)
  }

  /// A message of mine is stored, and something else is wrong.
  func unsuccessful(_ failure: RequestFailure, _ id: UInt64, _ status: DeliveryStatus) -> [UInt8] {
    error(failure) {
      $0.member("id", id)
      $0.member("state", status.state.word)
      status.failure?.write(into: &$0)
    }
  }
}

extension Failure {
  func write(into writer: inout JSONWriter) {
    writer.object("failure") {
      $0.member("condition", condition)
      if let text { $0.member("text", text) }
    }
  }
}

extension Sender {
  init(_ caller: Caller) {
    self.init(uid: caller.user, pid: caller.process, socket: caller.socket)
  }
}

extension Outbox.Entry {
  /// True if it stands at the time at which it leaves, and that is to come.
  fileprivate func isScheduled(after now: Timestamp) -> Bool { heldUntil == standsAt && standsAt > now }

  /// True if it leaves by itself once I am in its room; a private message that may have arrived waits for the user.
  fileprivate var awaitsItsRoom: Bool { awaitsRoom && heldUntil == nil && !(isInPrivate && transmitted && inDoubt) }
}
