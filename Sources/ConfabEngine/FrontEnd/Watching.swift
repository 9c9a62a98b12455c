import Clocks
import JSON
import LineProtocol
import MessageLog
import Records
import Settings
import XMPPCore

/// A client's watch: what it wants to hear, and how far it has heard.
struct Watch {
  /// The request's tag as it stands in a line: `,"tag":…`, or empty.
  let tag: [UInt8]
  let account: UInt32?
  let jid: String?
  let kinds: Set<EventKind>?
  /// Everything up to this number has been told.
  var told: UInt64
  /// Where reading goes on, while it reads from the disk.
  var cursor: LogCursor?
  /// `caught-up` comes once everything up to this number has been told; nil: it came.
  var catchingUpTo: UInt64?
  /// Ephemeral events that the client has not kept up with, the newest of each kind and JID.
  var late: [String: EventLine] = [:]
  var lateOrder: [String] = []

  func wants(_ line: EventLine) -> Bool {
    if let account, account != line.account { return false }
    if let jid, let other = line.jid, jid != other { return false }
    return kinds?.contains(line.kind) ?? true
  }
}

/// `watch`, `unwatch` and the events.
extension FrontEnd {
  func startWatch(_ request: Request, _ client: Client, _ desk: Desk) throws(RequestFailure) {
    guard client.watch == nil else {
      throw RequestFailure(.alreadyWatching, "this connection is watching already: one watch each")
    }
    let durable = desk.turn.ledger.durable
    if let other = request.string(.log), other != log {
      throw RequestFailure(.otherLog, "this log is \(log)", argument: "log")
    }
    let since = request.id(.since) ?? durable
    guard since <= durable else {
      throw RequestFailure(.otherLog, "this log ends at \(durable)", argument: "since")
    }
    var jid: String?
    if let text = request.string(.in) { jid = try desk.jid(text, "in").bare.description }
    let account = request.account == nil ? nil : try desk.account(of: request).number
    client.slots.append(.done(Lines.ok(request) { $0.member("seq", since) }))
    client.watch = Watch(
      tag: Self.tagMember(request.tag), account: account, jid: jid,
      kinds: request.list(.kinds).map { Set($0.compactMap(EventKind.init(rawValue:))) }, told: since,
      catchingUpTo: durable)
  }

  func stopWatch(_ request: Request, _ client: Client) {
    client.watch = nil
    client.slots.append(.done(Lines.ok(request)))
    if !clients.values.contains(where: { $0.watch != nil }) { events.clear() }
  }

  /// A record became durable: kept ready for those who watch live.
  func publish(_ record: Record, sequence: UInt64, _ desk: Desk) {
    guard clients.values.contains(where: { $0.watch != nil }) else { return events.clear() }
    events.append(desk.event(record, sequence: sequence), sequence: sequence)
  }

  /// Something ephemeral happened.
  func publish(_ notice: Notice, _ desk: Desk) {
    if case .connection = notice { connectionChanged(desk) }
    guard clients.values.contains(where: { $0.watch != nil }), let line = desk.event(notice) else { return }
    for client in clients.values {
      guard let watch = client.watch, watch.wants(line) else { continue }
      let key = "\(line.kind.rawValue) \(line.account) \(line.jid ?? "")"
      if client.watch?.late.updateValue(line, forKey: key) == nil { client.watch?.lateOrder.append(key) }
    }
    for client in clients.values where client.watch != nil { pumpWatch(client, desk) }
  }

  /// Tells a watcher what it has not heard, as far as it keeps up; never between the lines of an answer.
  func pumpWatch(_ client: Client, _ desk: Desk) {
    while var watch = client.watch, !client.isCongested, !isAnswering(client) {
      guard watch.told < desk.turn.ledger.durable || watch.catchingUpTo != nil else { break }
      let before = watch.told
      let bytes = nextEvents(&watch, desk)
      let isStuck = watch.told == before && bytes.isEmpty
      client.watch = watch
      client.write(bytes, desk.turn)
      if isStuck { break }
    }
    tellLate(client, desk)
  }

  private func isAnswering(_ client: Client) -> Bool {
    // The watch's own answer comes first; a long answer is not interrupted.
    !client.slots.isEmpty
  }

  private func nextEvents(_ watch: inout Watch, _ desk: Desk) -> [UInt8] {
    var bytes: [UInt8] = []
    if let ready = events.lines(after: watch.told) {
      for line in ready where watch.wants(line) { bytes += line.line(watch.tag) }
      watch.told = desk.turn.ledger.durable
      watch.cursor = nil
    } else if watch.told < desk.turn.ledger.durable {
      bytes = readEvents(&watch, desk)
    }
    if let target = watch.catchingUpTo, watch.told >= target {
      watch.catchingUpTo = nil
      bytes += EventLine(.caughtUp, sequence: watch.told, account: 0, jid: nil) { _ in }.line(watch.tag)
    }
    return bytes
  }

  /// Reads the next stretch of the log for a watcher that is behind.
  private func readEvents(_ watch: inout Watch, _ desk: Desk) -> [UInt8] {
    var bytes: [UInt8] = []
    do {
      var cursor = try watch.cursor ?? desk.turn.cursor(after: watch.told)
      try desk.turn.read(&cursor, limit: 64 << 10) { sequence, record in
        guard sequence > watch.told else { return }
        if let line = desk.event(record, sequence: sequence), watch.wants(line) { bytes += line.line(watch.tag) }
      }
      watch.told = max(watch.told, cursor.sequence - 1)
      watch.cursor = cursor
    } catch {
      desk.turn.journal(.error, "the log could not be read for a watcher: \(error)")
    }
    return bytes
  }

  private func tellLate(_ client: Client, _ desk: Desk) {
    guard let watch = client.watch, !watch.lateOrder.isEmpty, !client.isCongested, !isAnswering(client) else { return }
    let bytes = watch.lateOrder.compactMap { watch.late[$0]?.line(watch.tag) }.flatMap(\.self)
    client.watch?.late = [:]
    client.watch?.lateOrder = []
    client.write(bytes, desk.turn)
  }

  private static func tagMember(_ tag: RequestTag?) -> [UInt8] {
    guard let tag else { return [] }
    var writer = JSONWriter()
    Answer.event(.caughtUp, tag, into: &writer)
    // {"event":"caught-up","tag":…}LF: what follows the first member, without the end.
    let line = writer.bytes
    let start = line.firstIndex(of: UInt8(ascii: ",")) ?? 0
    return Array(line[start...].dropLast(2))
  }
}
