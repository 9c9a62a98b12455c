import Clocks
import JSON
import LineProtocol
import MessageLog
import Records
import Settings
import XMPPCore

/// `watch`, `unwatch` and the events.
extension FrontEnd {
  func startWatch(_ request: Request, _ client: Client, _ desk: Desk) throws(RequestFailure) {
    guard client.watch == nil else {
      throw RequestFailure(.alreadyWatching, "this connection is watching already: one watch each")
    }
    let durable = desk.storage.queue.durable
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
    let (start, record) = try begin(request, since: since, client, desk)
    client.watch = Watch(
      tag: Self.tagMember(request.tag), account: account, jid: jid,
      kinds: request.list(.kinds)?.compactMap(EventKind.init(rawValue:)), name: request.string(.as),
      record: record, told: start, catchingUpTo: durable, heard: news.newest)
    watchers.append(client)
  }

  func stopWatch(_ request: Request, _ client: Client) throws(RequestFailure) {
    guard client.watch != nil else { throw RequestFailure(.notFound, "this connection is not watching") }
    endWatch(of: client)
    client.answer(Lines.ok(request))
  }

  /// The client wants to hear nothing more.
  func endWatch(of client: Client) {
    guard let watch = client.watch else { return }
    if let name = watch.name { cursors.ended(name, told: watch.told) }
    client.watch = nil
    watchers.removeAll { $0 === client }
    guard watchers.isEmpty else { return }
    events.clear()
    news.forget(upTo: .max)
  }

  /// Somebody is to hear of what becomes durable.
  var isWatched: Bool { !watchers.isEmpty }

  /// A record became durable: kept ready for those who watch live.
  func publish(_ record: Record, sequence: UInt64, _ desk: Desk) {
    guard isWatched else { return }
    events.append(desk.event(record, sequence: sequence), sequence: sequence)
  }

  /// Ephemeral things happened. A line is made once for all who are told of it now.
  func publish(_ notices: [Notice], _ desk: Desk) {
    if notices.contains(where: { $0.kind == .connection }) { connectionChanged(desk) }
    guard !watchers.isEmpty else { return }
    freshLines = [:]
    for notice in notices { news.add(notice) }
    for client in watchers { pumpWatch(client, desk) }
    news.forget(upTo: watchers.lazy.compactMap { $0.watch?.heard }.min() ?? .max)
    freshLines = nil
  }

  /// Ranges of the log that are read for one watcher before the next one has its turn: 64 KiB at most.
  private static let stretchesOfTurn = 8

  /// Sends a watcher its next events, as fast as it reads; never between the lines of an answer, and ephemeral events
  /// only after `caught-up`. Of the log a few ranges are read at a time, and other watchers have their turn in between.
  func pumpWatch(_ client: Client, _ desk: Desk) {
    if !behind.isEmpty { behind.remove(client.id) }
    var stretches = 0
    while client.isBehind(desk.storage.queue.durable), client.eventRoom > 0, !isAnswering(client),
      var watch = client.watch.take()
    {
      let before = watch.told
      let bytes = nextEvents(&watch, room: client.eventRoom, desk)
      let isStuck = watch.told == before && bytes.isEmpty
      let hasMore = watch.cursor != nil && watch.told < desk.storage.queue.durable
      client.watch = watch
      client.write(bytes)
      if isStuck { break }
      if hasMore { stretches += 1 }
      if stretches == Self.stretchesOfTurn {
        behind.insert(client.id)
        behindDue = behindDue ?? desk.effects.now.instant.advanced(by: .milliseconds(1))
        break
      }
    }
    tellNews(client, desk)
  }

  /// Goes on with those who are behind, when it is time.
  func pumpBehind(_ desk: Desk) {
    guard let due = behindDue, due <= desk.effects.now.instant else { return }
    behindDue = nil
    for client in watchers where behind.contains(client.id) { advance(client, desk) }
  }

  private func isAnswering(_ client: Client) -> Bool {
    // The watch's own answer comes first; a long answer is not interrupted.
    !client.slots.isEmpty
  }

  private func nextEvents(_ watch: inout Watch, room: Int, _ desk: Desk) -> [UInt8] {
    var bytes: [UInt8] = []
    if let ready = events.lines(after: watch.told) {
      watch.told = desk.storage.queue.durable
      for line in ready where watch.wants(line) {
        guard bytes.count < room else {
          watch.told = line.sequence - 1
          break
        }
        // One line is the rule, and not copied for each.
        if bytes.isEmpty { bytes = line.line(watch.tag) } else { bytes += line.line(watch.tag) }
      }
      watch.cursor = nil
    } else if watch.told < desk.storage.queue.durable {
      bytes = readEvents(&watch, room: room, desk)
    }
    if let target = watch.catchingUpTo, watch.told >= target {
      watch.catchingUpTo = nil
      bytes += EventLine(caughtUp: watch.told).line(watch.tag)
    }
    return bytes
  }

  /// Reads the next range of the log for a watcher that is behind. Events are longer than their records.
  private func readEvents(_ watch: inout Watch, room: Int, _ desk: Desk) -> [UInt8] {
    var bytes: [UInt8] = []
    do {
      var cursor = try watch.cursor ?? desk.records.cursor(after: watch.told)
      var records: [(sequence: UInt64, record: Record)] = []
      try desk.records.read(&cursor, limit: min(64 << 10, max(room / 4, 1 << 10))) { sequence, record in
        if sequence > watch.told { records.append((sequence, record)) }
      }
      for (sequence, record) in records where watch.name == nil || !record.isImported {
        guard bytes.count < room else {
          (watch.told, watch.cursor) = (sequence - 1, nil)
          return bytes
        }
        guard let line = desk.event(desk.whole(record, behind: records), sequence: sequence), watch.wants(line) else {
          continue
        }
        bytes += line.line(watch.tag)
      }
      watch.told = max(watch.told, cursor.sequence - 1)
      watch.cursor = cursor
    } catch {
      desk.effects.journal(.error, .damage, "the log could not be read for a watcher: \(error)")
    }
    return bytes
  }

  private func tellNews(_ client: Client, _ desk: Desk) {
    guard let watch = client.watch, watch.heard < news.newest, watch.catchingUpTo == nil, client.eventRoom > 0,
      !isAnswering(client)
    else { return }
    var heard = news.newest
    var bytes: [UInt8] = []
    for piece in news.pieces(after: watch.heard) where watch.wants(piece.notice) {
      guard bytes.count < client.eventRoom else {
        heard = piece.number - 1
        break
      }
      bytes += line(piece, desk).line(watch.tag)
    }
    client.watch?.heard = heard
    client.write(bytes)
  }

  private func line(_ piece: LateNews.Piece, _ desk: Desk) -> EventLine {
    if let line = freshLines?[piece.number] { return line }
    let line = desk.event(piece.notice)
    freshLines?[piece.number] = line
    return line
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
