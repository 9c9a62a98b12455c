import Clocks
import Conversations
import Facts
import JSON
import LineProtocol
import Records
import XMPPCore

/// Which handler does what a request asks.
extension FrontEnd {
  func perform(_ request: Request, _ client: Client, _ desk: Desk) throws(RequestFailure) {
    switch request.verb {
    case .help: client.answer(Lines.help(request, client.socket.rights))
    case .ping: client.answer(Lines.ok(request))
    case .version: client.answer(Lines.ok(request) { $0.member("version", ConfabVersion.text) })
    case .quit:
      client.answer(Lines.ok(request))
      client.isClosing = true
    case .status: try status(request, client, desk)
    case .send: try send(request, client, desk)
    case .wait: try wait(request, client, desk)
    case .cancel: try cancel(request, client, desk)
    case .release: try release(request, client, desk)
    case .conversations: client.slots.append(.paging(try conversations(request, desk)))
    case .history: client.slots.append(.paging(try history(request, desk)))
    case .sections: client.answer(try sections(request, desk))
    case .search: try search(request, client, desk)
    case .watch: try startWatch(request, client, desk)
    case .unwatch: try stopWatch(request, client)
    case .ack: try acknowledge(request, client, desk)
    case .cursors: client.answer(cursorList(request, desk))
    case .forget: try forgetCursor(request, client, desk)
    case .read: try read(request, client, desk)
    case .unread: client.answer(try unread(request, desk))
    case .draft: try draft(request, client, desk)
    case .roster: client.answer(try roster(request, desk))
    case .groups: client.answer(try groups(request, desk))
    case .add: try add(request, client, desk)
    case .remove: try remove(request, client, desk)
    case .accept: try settleRequest(request, accept: true, client, desk)
    case .deny: try settleRequest(request, accept: false, client, desk)
    case .presence: try presence(request, client, desk)
    case .connect: try setConnected(true, request, client, desk)
    case .disconnect: try setConnected(false, request, client, desk)
    case .unpin: try unpin(request, client, desk)
    case .forgetHistory: try forgetHistory(request, client, desk)
    case .reload: reload(request, client, desk)
    }
  }

  /// Appends a record for a client, which gets its answer when it is durable.
  func store(_ record: Record, _ request: Request, then: Client.Completion, _ client: Client, _ desk: Desk) -> UInt64 {
    let sequence = desk.storage.appendUrgently(record)
    note(record, sequence, request, then: then, client)
    return sequence
  }

  /// A record was appended for a request: it is answered once the record is durable.
  func note(
    _ record: Record, _ sequence: UInt64, _ request: Request, then: Client.Completion, _ client: Client
  ) {
    underWay.note(record, sequence: sequence)
    client.lastAppended = sequence
    client.slots.append(.stored(sequence: sequence, request.withoutText, then: then))
  }

  /// The answer to a request whose record is durable now.
  func complete(
    _ request: Request, _ sequence: UInt64, _ completion: Client.Completion, _ client: Client, _ desk: Desk
  ) -> [UInt8] {
    switch completion {
    case .plain: Lines.ok(request)
    case .send(let place): sendAnswer(request, sequence, place, isRepeat: false, client, desk)
    case .standing(let id, let place):
      Lines.stored(id, desk.standing(of: id, at: place), request, isRepeat: false)
    case .read: completeRead(request, desk)
    case .watch(let start): Lines.watching(since: start, request)
    }
  }
}

// MARK: - Settings that are durable until changed

extension FrontEnd {
  private func presence(_ request: Request, _ client: Client, _ desk: Desk) throws(RequestFailure) {
    try desk.checkStorage()
    let account = try desk.account(of: request)
    var wish = underWay.wish(of: account.number) ?? account.facts.wish
    wish.show = request.string(.show) ?? "available"
    wish.status = request.text ?? ""
    wish.isCommand = false
    _ = store(.wish(wish), request, then: .plain, client, desk)
  }

  private func setConnected(
    _ connected: Bool, _ request: Request, _ client: Client, _ desk: Desk
  ) throws(RequestFailure) {
    try desk.checkStorage()
    let account = try desk.account(of: request)
    var wish = underWay.wish(of: account.number) ?? account.facts.wish
    wish.connected = connected
    wish.isCommand = true
    _ = store(.wish(wish), request, then: .plain, client, desk)
  }

  /// Forgets how the account logged in, so that a weaker login is taken; what it has next is what counts from then on.
  private func unpin(_ request: Request, _ client: Client, _ desk: Desk) throws(RequestFailure) {
    try desk.checkStorage()
    let account = try desk.account(of: request)
    _ = store(.login(LoginRecord(account: account.number)), request, then: .plain, client, desk)
  }

  private func forgetHistory(_ request: Request, _ client: Client, _ desk: Desk) throws(RequestFailure) {
    try desk.checkStorage()
    let account = try desk.account(of: request)
    let jid = try desk.jid(request.string(.jid), "jid").bare.description
    guard account.facts.conversations[jid] != nil else {
      throw RequestFailure(.notFound, "there is no conversation with \(jid)", argument: "jid")
    }
    // The draft is cleared before the history is hidden, so that its old text is hidden too. The draft may not be
    // durable yet.
    _ = desk.storage.append(.draft(DraftRecord(account: account.number, jid: jid, text: "")))
    let record = ForgettingRecord(account: account.number, jid: jid, archive: account.facts.archive?.anchor?.time)
    _ = store(.forgetting(record), request, then: .plain, client, desk)
  }

  private func reload(_ request: Request, _ client: Client, _ desk: Desk) {
    reloads.append(ticket(client, request))
    desk.effects.act(.readConfiguration)
  }

  private func draft(_ request: Request, _ client: Client, _ desk: Desk) throws(RequestFailure) {
    let account = try desk.account(of: request)
    let jid = try desk.jid(request.string(.jid), "jid").bare.description
    guard let text = request.text else {
      let text = account.facts.conversations[jid]?.draft ?? ""
      client.answer(Lines.ok(request) { $0.member("text", text) })
      return
    }
    try desk.checkStorage()
    let record = DraftRecord(account: account.number, jid: jid, text: text)
    _ = store(.draft(record), request, then: .plain, client, desk)
  }
}
