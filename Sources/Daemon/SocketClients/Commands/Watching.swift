import ConfabAccounts
import State
import JSON
import LineProtocol
import Records
import XMPPCore

/// `watch`, `unwatch` and `focus`.
extension Command {
  static let watching: [Verb: Handler] = [
    .watch: { try $0.watch() }, .unwatch: { try $0.unwatch() }, .focus: { try $0.focus() },
  ]

  private func watch() throws(RequestFailure) {
    guard client.watch == nil else {
      throw RequestFailure(.alreadyWatching, "this connection already has a watch")
    }
    let durable = context.storage.queue.durable
    if let other = request.string(.log), other != clients.log {
      throw RequestFailure(.otherLog, "this log is \(clients.log)", argument: "log")
    }
    let since = request.id(.since) ?? durable
    guard since <= durable else {
      throw RequestFailure(.otherLog, "the newest event of this log is \(durable)", argument: "since")
    }
    let jid = try bareJID(.in)
    let account = request.account == nil ? nil : try account().number
    let name = request.string(.as) == nil ? nil : try cursorName()
    let (start, record) = try begin(name, since: since)
    guard context.storage.isWhole else { return }
    clients.watchers.add(client) { position in
      Watch(
        tag: request.tagMember, account: account, jid: jid,
        kinds: request.list(.kinds)?.compactMap(EventKind.init(rawValue:)), name: name, record: record,
        position: .init(sequence: start, ephemeral: position), catchingUpTo: durable)
    }
  }

  private func unwatch() throws(RequestFailure) {
    guard client.watch != nil else { throw RequestFailure(.notFound, "this connection has no watch") }
    clients.endWatch(of: client)
    answerOK()
  }

  private func focus() throws(RequestFailure) {
    if request.string(.jid) == nil {
      clients.attendance.focuses.clear(client.id)
    } else {
      let (account, jid) = (try account(), try bareJID())
      clients.attendance.focuses.set(client.id, account: account.number, jid: jid)
      account.parts.messaging.rooms[jid]?.isShown()
    }
    answerOK()
  }

  /// The start of a watch, and the record that has to be durable first; appends the answer.
  ///
  /// - Parameter since: the start of a watch without a name, or with a new name.
  private func begin(
    _ name: CursorName?, since: UInt64
  ) throws(RequestFailure) -> (start: UInt64, record: UInt64?) {
    guard let name else { return (answer(watchingSince: since), nil) }
    guard clients.watchers.named(name) == nil else {
      throw RequestFailure(.busy, "another client watches as \(name.text)", argument: "as")
    }
    let pending = context.storage.pending.cursor(name)
    if let pending, let position = pending.position {
      answer(whenDurable: pending.sequence, then: .watch(since: position))
      return (position, pending.sequence)
    }
    if pending == nil, let known = context.state.cursors[name] { return (answer(watchingSince: known), nil) }
    let others = context.state.cursors.keys.count { $0.account == name.account && !$0.isOfHook }
    guard others + context.storage.pending.cursorCount(of: name.account) < Limits.cursors else {
      throw RequestFailure(.limit, "there are already \(Limits.cursors) names: forget one first", argument: "as")
    }
    try context.checkStorage()
    // Durable from the beginning: a consumer that ends before its first `ack` comes back to the same place.
    return (since, store(.cursor(CursorRecord(name: name, position: since)), then: .watch(since: since)))
  }

  private func answer(watchingSince start: UInt64) -> UInt64 {
    answerOK { $0.member("seq", start) }
    return start
  }
}

extension Request {
  /// The tag as it stands behind the other members of a line: `,"tag":…`, or empty.
  fileprivate var tagMember: [UInt8] {
    guard let tag else { return [] }
    var writer = JSONWriter()
    Answer.event(.caughtUp, tag, into: &writer)
    // {"event":"caught-up","tag":…}LF: what follows the first member, without the end.
    let line = writer.bytes
    let start = line.firstIndex(of: UInt8(ascii: ",")) ?? 0
    return Array(line[start...].dropLast(2))
  }
}
