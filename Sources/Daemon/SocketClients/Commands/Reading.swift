import ConfabAccounts
import Clocks
import Timelines
import State
import JSON
import LineProtocol
import Records
import XMPPCore

/// `read`, `unread-from`, `unread` and `draft`: what front ends share of a conversation.
extension Command {
  static let reading: [Verb: Handler] = [
    .read: { try $0.request.isSet(.all) ? $0.readAll() : $0.read() },
    .unreadFrom: { try $0.unreadFrom() },
    .unread: { try $0.unread() },
    .draft: { try $0.draft() },
  ]

  private func read() throws(RequestFailure) {
    try context.checkStorage()
    let account = try account()
    let jid = try bareJID()
    guard let conversation = account.state.conversations[jid], var message = conversation.lastArrived else {
      throw RequestFailure(.notFound, "no conversation with \(jid)", argument: "jid")
    }
    if let id = request.id(.id) {
      message = conversation.timeline[try context.row(of: id, in: conversation, argument: "id")]
    }
    if let moving = context.storage.pending.read(of: account.number, jid) {
      guard moving.position < message.id else {
        return answer(whenDurable: moving.sequence, then: .read)
      }
    } else if message.id <= conversation.read {
      return answer(readAnswer())
    }
    store(.read(account.readRecord(upTo: message, in: conversation)), then: .read)
  }

  private func unreadFrom() throws(RequestFailure) {
    try context.checkStorage()
    let account = try account()
    let jid = try bareJID()
    guard let id = request.id(.id), let conversation = account.state.conversations[jid] else {
      throw RequestFailure(.notFound, "no conversation with \(jid)", argument: "jid")
    }
    let row = try context.row(of: id, in: conversation, argument: "id")
    let moving = context.storage.pending.read(of: account.number, jid)
    let position = min(conversation.position(before: row), moving?.position ?? conversation.read)
    guard position < moving?.position ?? conversation.read || conversation.hasHistory(from: row) else {
      return moving.map { answer(whenDurable: $0.sequence, then: .read) } ?? answer(readAnswer())
    }
    let time = conversation.timeline[row].time.milliseconds
    var record = ReadRecord(account: account.number, jid: jid, time: time, id: position)
    record.movedBackAt = context.effects.now.wall.milliseconds
    store(.read(record), then: .read)
  }

  /// Marks all conversations as read: appends a record for each conversation with unread messages, and answers when the
  /// last record is durable, because the log keeps their order.
  private func readAll() throws(RequestFailure) {
    try context.checkStorage()
    var last: UInt64 = 0
    for account in try context.accounts(of: request) {
      let records = account.state.conversations.mapUnread { conversation -> ReadRecord? in
        guard let newest = conversation.lastArrived else { return nil }
        if let moving = context.storage.pending.read(of: account.number, conversation.jid), moving.position >= newest.id
        {
          last = max(last, moving.sequence)
          return nil
        }
        return account.readRecord(upTo: newest, in: conversation)
      }
      for record in records { last = max(last, context.storage.appendUrgently(.read(record))) }
    }
    answer(whenDurable: last, then: .read)
  }

  /// The unread count after `read` or `unread-from`.
  func readAnswer() -> [UInt8] {
    if request.isSet(.all) {
      let accounts = (try? context.accounts(of: request)) ?? []
      return unreadAnswer(
        accounts.reduce(0) { $0 + $1.state.conversations.unread },
        mentions: accounts.reduce(0) { $0 + mentions(of: $1, in: nil) })
    }
    let (account, jid) = (try? account(), try? bareJID())
    let conversation = jid.flatMap { account?.state.conversations[$0] }
    return unreadAnswer(conversation?.unread ?? 0, mentions: conversation?.mentions ?? 0)
  }

  private func unread() throws(RequestFailure) {
    let accounts = try context.accounts(of: request)
    let jid = try bareJID(.in)
    let count = accounts.reduce(0) { count, account in
      let conversations = account.state.conversations
      return count + (jid.map { conversations[$0]?.unread ?? 0 } ?? conversations.unread)
    }
    let named = accounts.reduce(0) { $0 + mentions(of: $1, in: jid) }
    answer(unreadAnswer(count, mentions: named))
  }

  /// Only rooms have any.
  private func mentions(of account: Account, in jid: String?) -> Int {
    let rooms = account.state.rooms.byJID.keys.filter { jid == nil || $0 == jid }
    return rooms.reduce(0) { $0 + (account.state.conversations[$1]?.mentions ?? 0) }
  }

  private func unreadAnswer(_ count: Int, mentions: Int) -> [UInt8] {
    request.ok {
      $0.member("unread", count)
      $0.member("mentions", mentions)
    }
  }

  private func draft() throws(RequestFailure) {
    let account = try account()
    let jid = try bareJID()
    guard let text = request.text else {
      let text = account.state.conversations[jid]?.draft ?? ""
      return answerOK { $0.member("text", text) }
    }
    try context.checkStorage()
    store(.draft(DraftRecord(account: account.number, jid: jid, text: text)))
  }
}
