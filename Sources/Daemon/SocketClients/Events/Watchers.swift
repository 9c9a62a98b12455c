import ConfabAccounts
import Clocks
import LineProtocol
import MessageLog
import Records
import ConfabConfiguration
/// The watching clients, and the one path by which durable and ephemeral events reach them.
package final class Watchers {
  /// In the order in which they began.
  private(set) var clients: [Client] = []
  var feed = EventFeed()
  private let context: RequestContext
  /// The end of the last batch.
  private var batched = EventFeed.Position()
  /// The lines of the ephemeral events that are being delivered, by number.
  private var encoded: [UInt64: EventLine] = [:]
  /// Watchers that have more to read from the log, and when they go on.
  private var behind: Set<ClientID> = []
  private(set) var nextDeadline: Instant?

  init(_ context: RequestContext) { self.context = context }

  package var isEmpty: Bool { clients.isEmpty }

  /// The client that watches by this name.
  func named(_ name: CursorName) -> Client? { clients.first { $0.watch?.name == name } }

  /// A watch begins; it is made with the number of the newest ephemeral event.
  func add(_ client: Client, _ watch: (UInt64) -> Watch) {
    client.watch = watch(feed.ephemeral.newest)
    clients.append(client)
  }

  /// The client wants no further events.
  ///
  /// - Returns: its watch, if it had one.
  func remove(_ client: Client) -> Watch? {
    behind.remove(client.id)
    guard let watch = client.watch.take() else { return nil }
    clients.removeAll { $0 === client }
    if clients.isEmpty { feed.clear() }
    return watch
  }

  // MARK: What happens

  /// A record became durable: its event, if it is one, is kept ready for those that watch live.
  func append(_ line: EventLine?, sequence: UInt64) { feed.append(line, sequence: sequence) }

  func append(_ events: [EphemeralEvent]) {
    for event in events { feed.ephemeral.append(event) }
  }

  /// The events since the last batch; nil if they have to be read from the log, or are too many.
  ///
  /// - Parameter space: for one client, in bytes.
  func nextBatch(space: Int) -> EventBatch? {
    let start = batched
    batched = EventFeed.Position(sequence: context.storage.queue.durable, ephemeral: feed.ephemeral.newest)
    let ephemeral = encodeEvents(after: start.ephemeral, space: space)
    let durable = start.sequence == batched.sequence ? [] : feed.lines(after: start.sequence)
    guard !clients.isEmpty, let durable, let ephemeral else { return nil }
    return EventBatch(durable + ephemeral, from: start, to: batched, space: space)
  }

  /// The batch has been delivered to all.
  func batchDelivered() {
    encoded = [:]
    guard feed.ephemeral.count > 0 else { return }
    feed.ephemeral.forget(upTo: clients.lazy.compactMap { $0.watch?.position.ephemeral }.min() ?? .max)
  }

  /// Encodes the ephemeral events that anybody wants; nil if that is more than a client may be sent at once.
  private func encodeEvents(after number: UInt64, space: Int) -> [EventLine]? {
    var (lines, bytes): ([EventLine], Int) = ([], 0)
    for new in feed.ephemeral.events(after: number)
    where clients.contains(where: { $0.watch?.wants(new.event) == true }) {
      guard bytes <= space else { return nil }
      let line = EventLine(new.event, context)
      encoded[new.number] = line
      lines.append(line)
      bytes += line.count
    }
    return lines
  }

  // MARK: One watcher

  /// Ranges of the log that are read for one watcher before the next one has its turn: 64 KiB at most.
  private static let rangesOfTurn = 8

  /// Sends a watcher its next events, as fast as it reads; never between the lines of an answer, and ephemeral events
  /// only after `caught-up`. Reads a few ranges of the log at a time, so that other watchers have their turn in
  /// between.
  func advance(_ client: Client) {
    if !behind.isEmpty { behind.remove(client.id) }
    // The watch's own answer comes first, and a long answer is not interrupted.
    guard client.watch != nil, client.answers.isEmpty, context.storage.isWhole else { return }
    let durable = context.storage.queue.durable
    var ranges = 0
    while client.watch?.isBehind(durable) == true, client.output.eventSpace > 0, var watch = client.watch.take() {
      let (unread, before) = (watch, watch.position)
      let bytes = durableEvents(&watch, space: client.output.eventSpace)
      let isStuck = watch.position == before && bytes.isEmpty
      let hasMore = watch.cursor != nil && watch.position.sequence < durable
      guard context.storage.isWhole else {
        client.watch = unread
        return
      }
      client.watch = watch
      client.output.write(bytes)
      if isStuck {
        goOn(client, in: Storage.pause)
        break
      }
      if hasMore { ranges += 1 }
      if ranges == Self.rangesOfTurn {
        goOn(client, in: .milliseconds(1))
        break
      }
    }
    sendEphemeralEvents(client)
  }

  /// A watcher reads on later, unless something happens before.
  private func goOn(_ client: Client, in pause: Interval) {
    behind.insert(client.id)
    nextDeadline = nextDeadline.orEarlier(context.effects.now.instant.advanced(by: pause))
  }

  /// The watchers that have more to read from the log, once it is time to continue.
  func takeBehind(at now: Instant) -> [Client] {
    guard let due = nextDeadline, due <= now else { return [] }
    nextDeadline = nil
    return clients.filter { behind.contains($0.id) }
  }

  /// The next events, up to `caught-up` or beyond it: what came since the watch began is live, and is told behind it.
  private func durableEvents(_ watch: inout Watch, space: Int) -> [UInt8] {
    let last = min(watch.catchingUpTo ?? .max, context.storage.queue.durable)
    var bytes: [UInt8] = []
    if let ready = feed.lines(after: watch.position.sequence) {
      watch.position.sequence = max(watch.position.sequence, last)
      for line in ready.prefix(while: { $0.sequence <= last }) where watch.wants(line) {
        guard bytes.count < space else {
          watch.position.sequence = line.sequence - 1
          break
        }
        let text = line.line(watch.tag, isLive: watch.catchingUpTo == nil)
        // One line is the rule, and not copied for each.
        if bytes.isEmpty { bytes = text } else { bytes += text }
      }
      watch.cursor = nil
    } else if watch.position.sequence < last {
      bytes = readEvents(&watch, upTo: last, space: space)
    }
    if let target = watch.catchingUpTo, watch.position.sequence >= target {
      watch.catchingUpTo = nil
      bytes += EventLine(caughtUp: watch.position.sequence).line(watch.tag)
    }
    return bytes
  }

  /// Reads the next range of the log for a watcher that is behind. Events are longer than their records.
  private func readEvents(_ watch: inout Watch, upTo last: UInt64, space: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    do {
      var cursor = try watch.cursor ?? context.records.cursor(after: watch.position.sequence)
      var records: [(sequence: UInt64, record: Record)] = []
      try context.records.read(&cursor, limit: min(64 << 10, max(space / 4, 1 << 10))) { sequence, record in
        if sequence > watch.position.sequence { records.append((sequence, record)) }
      }
      let events = DurableEvents(context: context)
      for (sequence, record) in records where watch.name == nil || !record.isHistory {
        let isDue = bytes.count < space && sequence <= last
        let event = isDue ? events.read(record, sequence: sequence, behind: records) : nil
        guard let event, event.isKnown else {
          (watch.position.sequence, watch.cursor) = (sequence - 1, nil)
          return bytes
        }
        if let line = event.line, watch.wants(line) { bytes += line.line(watch.tag) }
      }
      watch.position.sequence = max(watch.position.sequence, cursor.sequence - 1)
      watch.cursor = cursor
    } catch {
      context.effects.journal(.error, .damage, "reading the log for a watcher failed: \(error)")
    }
    return bytes
  }

  private func sendEphemeralEvents(_ client: Client) {
    guard let watch = client.watch, watch.position.ephemeral < feed.ephemeral.newest, watch.catchingUpTo == nil,
      client.output.eventSpace > 0
    else { return }
    var position = feed.ephemeral.newest
    var bytes: [UInt8] = []
    for new in feed.ephemeral.events(after: watch.position.ephemeral) where watch.wants(new.event) {
      guard bytes.count < client.output.eventSpace else {
        position = new.number - 1
        break
      }
      bytes += (encoded[new.number] ?? EventLine(new.event, context)).line(watch.tag)
    }
    client.watch?.position.ephemeral = position
    client.output.write(bytes)
  }
}
