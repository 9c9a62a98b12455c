import Clocks
import Timelines
import State
import Records

/// Decides where a message with a delay stamp stands in its conversation. Many servers stamp whole seconds, a live
/// message has the time at which it came, and two copies of one message may be stamped at different moments. So where
/// both are about the same time, the order in which the server sends tells more than a stamp does.
final class MessageOrder {
  /// How long a message may take from its server's stamp to here, and how much coarser a stamp may be, if only the
  /// order of arrival is known.
  static let delay = Interval.seconds(5)
  /// How much later than its stamp a message may stand here if it waited for us at the server.
  static let searchMargin = Interval.minutes(2)
  /// The depth of the first late message of a time. Each further one has two less, which leaves room for what the
  /// archive has between two of them.
  private static let firstDepth: UInt32 = 1 << 13
  /// Entries that are looked at.
  private static let mostNeighbours = 1_000

  private let state: AccountState
  private let storage: Storage
  private let archive: Archive
  private let effects: Effects
  /// The last record before the present stream.
  private var streamBegan: UInt64 = 0
  /// True if the present connection resumed the stream.
  private var isResumed = false
  /// When the last message stands that the room has shown; nil: it has to be looked for.
  private var lastShown: Timestamp?

  init(_ state: AccountState, _ storage: Storage, _ archive: Archive, _ effects: Effects) {
    (self.state, self.storage, self.archive, self.effects) = (state, storage, archive, effects)
  }

  /// A connection is there, with a new stream or a resumed one.
  func streamBegins(isResumed: Bool) { (streamBegan, self.isResumed) = (storage.queue.last, isResumed) }

  /// True if a record was written before the present stream.
  func isOfEarlierStream(_ number: UInt64) -> Bool { number <= streamBegan }

  private var pending: PendingMessages { storage.pending.messages(of: state.number) }

  /// A stamped message, with its place.
  func placed(_ message: consuming MessageRecord) -> MessageRecord {
    guard message.delayed else { return message }
    let stamp = Timestamp(milliseconds: message.time)
    if !message.archived {
      let time = max(stamp, lastArrival(message.jid, since: stamp) ?? stamp)
      (message.time, message.depth) = (time.milliseconds, depthBehindAll(of: message.jid, at: time))
    } else if let time = archive.run?.places.place(of: stamp, in: message.jid) {
      message.time = time.milliseconds
      message.depth = archive.run?.course == .backward ? depthOfChange : depthInRun(message.jid, at: time)
    }
    return message
  }

  /// The depth of a change that the archive brings (`ChangePlace`).
  var depthOfChange: UInt32 { archive.run?.course == .backward ? archive.record?.pages ?? 0 : 0 }

  /// When the oldest message of a conversation stands that came out of the archive.
  func oldestArchived(in jid: String) -> Timestamp? {
    let pending = storage.queue.pendingMessages(of: state.number, in: jid).filter(\.message.archived)
    var times = pending.map { Timestamp(milliseconds: $0.message.time) }
    if let timeline = state.conversations[jid]?.timeline {
      let rows = 0..<min(timeline.count, Self.mostNeighbours)
      if let row = rows.first(where: { timeline[$0].flags.contains(.archived) }) { times.append(timeline[row].time) }
    }
    return times.min()
  }

  // MARK: - The order of a room

  /// A message of a room was kept.
  func kept(_ message: MessageRecord) {
    guard message.isOfRoom else { return }
    // Of two of one time a stamped one stands behind.
    noteShown(at: Timestamp(milliseconds: message.time + (message.archiveOrder > 0 ? 1 : 0)), in: message.jid)
  }

  /// A message of a room stands there, and the room has shown it.
  func noteShown(at time: Timestamp, in jid: String) { lastShown = max(last(in: jid) ?? time, time) }

  /// A message that a room shows, live or as history, with its place: not before what the room has shown already.
  func shown(_ message: consuming MessageRecord) -> MessageRecord {
    let time = Timestamp(milliseconds: message.time)
    if let last = last(in: message.jid), last > time,
      last - time <= (message.delayed ? Self.searchMargin : Self.delay)
    {
      message.time = last.milliseconds
    }
    return message
  }

  /// The time to which a message sent from here moves once its room shows it: behind what the room showed before. Nil: it
  /// stands there.
  ///
  /// - Parameter stamp: when the room showed it; nil: just now.
  func newTime(of shown: KnownMessage, at stamp: Timestamp?) -> Timestamp? {
    newTime(of: shown, at: stamp ?? effects.now.wall, behind: last(in: shown.record.jid))
  }

  /// The time to which a message sent from here moves that the archive of the room has: behind the message before it
  /// there.
  func newTime(ofArchived shown: KnownMessage) -> Timestamp? {
    guard let run = archive.run, run.course == .forward, let stamp = run.results.newest?.time else { return nil }
    let time = min(run.places.place(of: stamp, in: shown.record.jid), effects.now.wall)
    return newTime(of: shown, at: time, behind: run.places.end)
  }

  private func newTime(of shown: KnownMessage, at time: Timestamp, behind last: Timestamp?) -> Timestamp? {
    guard shown.record.isOfRoom, shown.record.target == nil, let last,
      last >= Timestamp(milliseconds: standing(shown).time), last - effects.now.wall <= Self.delay
    else { return nil }
    return max(time, last.advanced(by: .milliseconds(1)))
  }

  /// When the last message stands that a room has shown.
  private func last(in jid: String) -> Timestamp? {
    if lastShown == nil, let timeline = state.conversations[jid]?.timeline {
      let rows = max(0, timeline.count - Self.mostNeighbours)..<timeline.count
      // One that was to leave later, and was taken back, may stand in the future.
      lastShown = rows.last { timeline[$0].time <= effects.now.wall && state.outbox.entry(timeline[$0].id) == nil }
        .map { timeline[$0].time }
    }
    return lastShown
  }

  /// A message with the time at which it stands.
  func standing(_ known: KnownMessage) -> MessageRecord {
    var record = known.record
    guard record.isOfRoom, record.isFromHere else { return record }
    if let time = storage.pending.delivery(of: known.id)?.standsAt {
      record.time = time
    } else if let timeline = state.conversations[record.jid]?.timeline,
      let row = timeline.row(ofTime: Timestamp(milliseconds: record.time), id: known.id)
    {
      record.time = timeline[row].time.milliseconds
    }
    return record
  }

  /// The place of the last message that the server sent, live or late, if it is not long after this one's stamp.
  private func lastArrival(_ jid: String, since stamp: Timestamp) -> Timestamp? {
    let isExact = stamp.milliseconds % 1_000 != 0
    if let last = pending.last(from: jid, late: isExact && !isResumed), last >= stamp, last - stamp <= Self.delay {
      return last
    }
    guard let timeline = state.conversations[jid]?.timeline else { return nil }
    let end = timeline.firstRow(notBefore: stamp.advanced(by: Self.searchMargin))
    for row in (max(0, end - Self.mostNeighbours)..<end).reversed() {
      let entry = timeline[row]
      if entry.time < stamp { return nil }
      if entry.time - stamp <= reach(behind: entry, isExact: isExact) { return entry.time }
    }
    return nil
  }

  /// The longest time by which the stamp of a message may be earlier than this one's if the server sends it later. A
  /// message of an earlier stream may have waited for us at the server; on this stream, a late message may have waited
  /// for another stream to end.
  ///
  /// On a new stream, ejabberd delivers messages that come now before those that have waited. It stamps fractions of
  /// seconds, which tell the order of these.
  private func reach(behind entry: Entry, isExact: Bool) -> Interval {
    if !entry.flags.isDisjoint(with: [.mine, .archived]) { return isExact ? .zero : .milliseconds(999) }
    if entry.id <= streamBegan { return Self.searchMargin }
    let isLate = entry.archiveOrder > 0
    return isExact && !isLate && !isResumed ? .zero : Self.delay
  }

  /// Behind all messages of that time.
  private func depthBehindAll(of jid: String, at time: Timestamp) -> UInt32 {
    let last = max(pending.order(of: jid, at: time), lastOrder(of: jid, at: time))
    return last == 0 ? Self.firstDepth : MessageRecord.depth(forOrder: (last + 2) & ~1)
  }

  private func lastOrder(of jid: String, at time: Timestamp) -> UInt32 {
    guard let timeline = state.conversations[jid]?.timeline else { return 0 }
    let row = timeline.firstRow(notBefore: time.advanced(by: .milliseconds(1))) - 1
    return row >= 0 && timeline[row].time == time ? timeline[row].archiveOrder : 0
  }

  /// Behind what the archive has shown of that time, and before what it has yet to show.
  private func depthInRun(_ jid: String, at time: Timestamp) -> UInt32 {
    switch archive.run?.places.order(of: jid, at: time) {
    case 0: hasLateMessage(jid, at: time) ? Self.firstDepth + 1 : 0
    case let order?: MessageRecord.depth(forOrder: order | 1)
    case nil: 0
    }
  }

  /// True if the server has sent a late message that has this time.
  private func hasLateMessage(_ jid: String, at time: Timestamp) -> Bool {
    if let lastShown, lastShown < time { return false }
    let pendingOrder = pending.order(of: jid, at: time)
    if pendingOrder > 0 { return pendingOrder < MessageRecord.newestOrder }
    guard let timeline = state.conversations[jid]?.timeline else { return false }
    let first = timeline.firstRow(notBefore: time)
    for row in first..<min(first + Self.mostNeighbours, timeline.count) where timeline[row].archiveOrder > 0 {
      return timeline[row].time == time && timeline[row].archiveOrder < MessageRecord.newestOrder
    }
    return false
  }
}
