import Clocks
import Conversations
import Facts
import LineProtocol
import Records
import XMPPCore

/// `read` and `unread`.
extension FrontEnd {
  func read(_ request: Request, _ client: Client, _ desk: Desk) throws(RequestFailure) {
    try desk.checkStorage()
    guard !request.isSet(.all) else { return try readAll(request, client, desk) }
    let account = try desk.account(of: request)
    let jid = try desk.jid(request.string(.jid), "jid").bare.description
    guard let conversation = account.facts.conversations[jid], let newest = conversation.newest else {
      throw RequestFailure(.notFound, "there is no conversation with \(jid)", argument: "jid")
    }
    var place = newest
    if let id = request.id(.id) {
      let row = try desk.row(of: id, in: conversation, argument: "id")
      place = .init(conversation.timeline[row])
    }
    if let moving = underWay.read(of: account.number, jid), !Conversation.precedes(moving.place, place) {
      client.lastAppended = max(client.lastAppended, moving.sequence)
      client.slots.append(.stored(sequence: moving.sequence, request, then: .read))
      return
    }
    if let read = conversation.read, !Conversation.precedes(read, place) {
      client.answer(completeRead(request, desk))
      return
    }
    _ = store(.read(account.readRecord(upTo: place, in: conversation)), request, then: .read, client, desk)
  }

  /// Marks all conversations as read: appends a record for each conversation with unread messages, and answers when the
  /// last record is durable, because the log keeps their order.
  private func readAll(_ request: Request, _ client: Client, _ desk: Desk) throws(RequestFailure) {
    var last: UInt64 = 0
    for account in try desk.accounts(of: request) {
      let records = account.facts.conversations.mapUnread { conversation -> ReadRecord? in
        guard let newest = conversation.newest else { return nil }
        if let moving = underWay.read(of: account.number, conversation.jid),
          !Conversation.precedes(moving.place, newest)
        {
          last = max(last, moving.sequence)
          return nil
        }
        return account.readRecord(upTo: newest, in: conversation)
      }
      for record in records {
        last = max(last, desk.storage.appendUrgently(.read(record)))
        underWay.note(.read(record), sequence: last)
      }
    }
    client.lastAppended = max(client.lastAppended, last)
    client.slots.append(.stored(sequence: last, request, then: .read))
  }

  func completeRead(_ request: Request, _ desk: Desk) -> [UInt8] {
    if request.isSet(.all) {
      let accounts = (try? desk.accounts(of: request)) ?? []
      return Lines.unread(accounts.reduce(0) { $0 + $1.facts.conversations.unread }, request)
    }
    let account = try? desk.account(of: request)
    let jid = try? desk.jid(request.string(.jid), "jid").bare.description
    let unread = jid.flatMap { account?.facts.conversations[$0]?.unread } ?? 0
    return Lines.unread(unread, request)
  }

  func unread(_ request: Request, _ desk: Desk) throws(RequestFailure) -> [UInt8] {
    let accounts = try desk.accounts(of: request)
    var count = 0
    if let text = request.string(.in) {
      let jid = try desk.jid(text, "in").bare.description
      count = accounts.reduce(0) { $0 + ($1.facts.conversations[jid]?.unread ?? 0) }
    } else {
      count = accounts.reduce(0) { $0 + $1.facts.conversations.unread }
    }
    return Lines.unread(count, request)
  }
}

extension Account {
  /// The record that moves the read position to a place in a conversation.
  fileprivate func readRecord(upTo place: Conversation.Place, in conversation: Conversation) -> ReadRecord {
    ReadRecord(
      account: number, jid: conversation.jid, time: place.time.milliseconds, id: place.id,
      marker: marker(upTo: place, in: conversation))
  }
}
