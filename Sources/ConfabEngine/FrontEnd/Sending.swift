import Clocks
import JSON
import LineProtocol
import Records
import XMPPCore

/// `send` and `wait`.
extension FrontEnd {
  func send(_ request: Request, _ client: Client, _ desk: Desk) throws(RequestFailure) {
    try desk.checkStorage()
    let account = try desk.account(of: request)
    let to = try desk.jid(request.string(.to), "to")
    try client.socket.check(recipient: to)
    let text = request.text ?? ""
    let times = try request.outboxTimes(from: desk.effects.now.wall)
    if let key = request.string(.key), let earlier = desk.message(withKey: key, of: account, client.socket.name) {
      return try repeated(request, earlier, to: to, text: text, client, desk)
    }
    if let key = request.string(.key), let id = desk.erased(withKey: key, of: account, client.socket.name) {
      throw RequestFailure(.keyMismatch, "this key was used for message \(id), which is erased", argument: "key")
    }
    try client.socket.countMessage(at: desk.effects.now.instant)
    var message = MessageRecord(
      account: account.number, jid: to.bare.description, peer: to.description,
      time: desk.effects.now.wall.milliseconds)
    message.mine = true
    message.text = text
    message.stanzaID = desk.effects.token(bytes: 12)
    message.key = request.string(.key)
    message.sender = Sender(client.caller)
    (message.expires, message.heldUntil) = (times.expires?.milliseconds, times.heldUntil?.milliseconds)
    let place = MessagePlace(message)
    let id = account.outbox.submit(message)
    note(.message(message), id, request, then: .send(place), client)
  }

  /// The same key came before: the first one's answer, or `key-mismatch`.
  private func repeated(
    _ request: Request, _ earlier: (id: UInt64, message: MessageRecord), to: JID, text: String, _ client: Client,
    _ desk: Desk
  ) throws(RequestFailure) {
    guard earlier.message.peer == to.description, earlier.message.text.utf8.elementsEqual(text.utf8) else {
      throw RequestFailure(
        .keyMismatch, "this key was used for another message, with id \(earlier.id)", argument: "key")
    }
    let place = MessagePlace(earlier.message)
    client.answer(sendAnswer(request, earlier.id, place, isRepeat: true, client, desk))
  }

  /// The message is on stable storage: say so and how far it is, or (nothing yet) wait for what the request waits for.
  func sendAnswer(
    _ request: Request, _ id: UInt64, _ place: MessagePlace, isRepeat: Bool, _ client: Client, _ desk: Desk
  ) -> [UInt8] {
    let standing = desk.standing(of: id, at: place)
    guard let wanted = request.deliveryState(.wait) else {
      return Lines.stored(id, standing, request, isRepeat: isRepeat)
    }
    let waiter = Waiter(
      client: client.id, request: request.withoutText, id: id, wanted: wanted, isRepeat: isRepeat)
    return answer(waiter, standing, client, desk)
  }

  func wait(_ request: Request, _ client: Client, _ desk: Desk) throws(RequestFailure) {
    let (id, message) = try desk.ownMessage(request, of: client)
    let waiter = Waiter(
      client: client.id, request: request, id: id, wanted: request.deliveryState(.for) ?? .sent, isRepeat: false)
    let standing = desk.standing(of: id, at: MessagePlace(message))
    client.answer(answer(waiter, standing, client, desk))
  }

  /// The answer where there is one already; else nothing, and the answer comes when the message has got that far, has
  /// failed, or time is up.
  private func answer(_ waiter: Waiter, _ standing: Standing, _ client: Client, _ desk: Desk) -> [UInt8] {
    if let line = waiter.answer(standing) { return line }
    client.waits += 1
    waiters.add(waiter, until: desk.effects.now.instant.advanced(by: waiter.request.duration(.timeout) ?? .seconds(30)))
    return []
  }

  /// A message of mine got further: whoever waited for that is answered. Not all of its batch is folded yet, so nobody
  /// is moved forward before `durable`.
  func delivered(_ delivery: DeliveryRecord, _ desk: Desk) {
    let standing = Standing(state: delivery.state, failure: delivery.failure, inDoubt: delivery.inDoubt)
    for waiter in waiters.take(message: delivery.id, where: { $0.answer(standing) != nil }) {
      guard let line = waiter.answer(standing) else { continue }
      finish(waiter.client, line, desk)
    }
  }

  /// An account's connection changed: `status for=online` may have its answer.
  func connectionChanged(_ desk: Desk) {
    for waiter in waiters.takeStatus(where: { isOnline($0, desk) }) {
      finish(waiter.client, Lines.status(waiter.request, desk), desk).map { advance($0, desk) }
    }
    for waiter in waiters.takeStatus(where: { (try? desk.accounts(of: $0.request)) == nil }) {
      let failure = RequestFailure(.notFound, "the account is not configured any more", argument: "account")
      finish(waiter.client, Lines.failure(failure, waiter.request.tag), desk).map { advance($0, desk) }
    }
  }

  /// Answers those whose time is up.
  func tick(_ desk: Desk) {
    pumpBehind(desk)
    for overdue in waiters.takeOverdue(at: desk.effects.now.instant) {
      finish(overdue.client, timedOut(overdue, desk), desk).map { advance($0, desk) }
    }
  }

  private func timedOut(_ overdue: Waiters.Entry, _ desk: Desk) -> [UInt8] {
    switch overdue {
    case .message(let waiter):
      let place = desk.message(waiter.id).map(MessagePlace.init)
      return waiter.timedOut(place.map { desk.standing(of: waiter.id, at: $0) } ?? Standing(state: .queued))
    case .status(let waiter):
      return Lines.failure(RequestFailure(.timeout, "not online in time"), waiter.request.tag)
    }
  }

  func status(_ request: Request, _ client: Client, _ desk: Desk) throws(RequestFailure) {
    _ = try desk.accounts(of: request)
    let waiter = StatusWaiter(client: client.id, request: request)
    guard request.string(.for) == "online", !isOnline(waiter, desk) else {
      client.answer(Lines.status(request, desk))
      return
    }
    client.waits += 1
    let patience = request.duration(.timeout) ?? .seconds(30)
    waiters.add(waiter, until: desk.effects.now.instant.advanced(by: patience))
  }

  private func isOnline(_ waiter: StatusWaiter, _ desk: Desk) -> Bool {
    (try? desk.accounts(of: waiter.request))?.allSatisfy { $0.status.state == .online } == true
  }

  /// Hands a client an answer out of order; the client where it still listens.
  @discardableResult
  private func finish(_ id: ClientID, _ line: [UInt8], _ desk: Desk) -> Client? {
    guard let client = client(id) else { return nil }
    client.waits -= 1
    // Not between the lines of an answer that is being written piece by piece.
    if case .paging(let page) = client.slots.first, page.hasBegun {
      client.answerNext(line)
    } else {
      client.write(line)
    }
    return client
  }
}

extension Request {
  /// What an answer needs of it while it waits: its record has the text.
  var withoutText: Request {
    var copy = self
    copy.text = nil
    return copy
  }

  /// Until when `expires=` and `hold=` say.
  fileprivate func outboxTimes(
    from now: Timestamp
  ) throws(RequestFailure) -> (expires: Timestamp?, heldUntil: Timestamp?) {
    let (expires, hold) = (duration(.expires), duration(.hold) ?? .zero)
    if let expires, expires <= hold {
      let reason = expires == .zero ? "expires should be above zero" : "it would expire while it is kept back"
      throw RequestFailure(.badArgument, reason, argument: "expires")
    }
    return (expires.map { now.advanced(by: $0) }, hold == .zero ? nil : now.advanced(by: hold))
  }

  /// `wait=` or `for=` as a delivery state.
  func deliveryState(_ option: OptionName) -> DeliveryState? {
    string(option).flatMap { word in DeliveryState.allCases.first { $0.word == word } }
  }
}

extension Sender {
  fileprivate init(_ caller: Caller) {
    self.init(uid: caller.user, pid: caller.process, socket: caller.socket)
  }
}

extension MessagePlace {
  init(_ message: MessageRecord) {
    self.init(account: message.account, jid: message.jid, time: Timestamp(milliseconds: message.time))
  }
}
