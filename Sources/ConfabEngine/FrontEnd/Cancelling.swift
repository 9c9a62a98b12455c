import Facts
import LineProtocol
import Records

/// `cancel` and `release`: what becomes of messages that have not gone out.
extension FrontEnd {
  func cancel(_ request: Request, _ client: Client, _ desk: Desk) throws(RequestFailure) {
    let (id, message, account) = try ownMessage(request, client, desk)
    let place = MessagePlace(message)
    if let pending = desk.storage.pending.delivery(of: id), pending.state == .cancelled {
      return follow(pending.sequence, request, .standing(id, place), client)
    }
    let standing = desk.standing(of: id, at: place)
    if standing.state == .cancelled { return client.answer(Lines.stored(id, standing, request, isRepeat: false)) }
    guard let entry = account.facts.outbox.entry(id), !account.outbox.hasLeft(entry),
      account.outbox.deliveries.mayLeave(id)
    else {
      return client.answer(Lines.unsuccessful(.notFound, id, standing, request))
    }
    try desk.checkStorage()
    let delivery = DeliveryRecord(entry, of: account.number, .cancelled)
    guard let sequence = account.outbox.deliveries.advance(delivery, urgently: true) else { return }
    follow(sequence, request, .standing(id, place), client)
  }

  func release(_ request: Request, _ client: Client, _ desk: Desk) throws(RequestFailure) {
    let (id, message, account) = try ownMessage(request, client, desk)
    guard account.facts.outbox.held[id] != nil, account.outbox.deliveries.mayLeave(id) else {
      throw RequestFailure(.notFound, "message \(id) is not kept back", argument: "id")
    }
    try desk.checkStorage()
    let record = ReleaseRecord(account: account.number, id: id)
    _ = store(.release(record), request, then: .standing(id, MessagePlace(message)), client, desk)
  }

  /// The answer comes when a record is durable.
  private func follow(_ sequence: UInt64, _ request: Request, _ completion: Client.Completion, _ client: Client) {
    client.lastAppended = max(client.lastAppended, sequence)
    client.slots.append(.stored(sequence: sequence, request, then: completion))
  }

  /// The message of mine that a request names, of an account that is configured.
  private func ownMessage(
    _ request: Request, _ client: Client, _ desk: Desk
  ) throws(RequestFailure) -> (id: UInt64, message: MessageRecord, account: Account) {
    let (id, message) = try desk.ownMessage(request, of: client)
    guard let account = desk.accounts.numbered(message.account) else {
      throw RequestFailure(.notFound, "the account of message \(id) is not configured any more", argument: "id")
    }
    return (id, message, account)
  }
}
