import Clocks
import State
package import Records
import ConfabConfiguration
import XMPPCore
import XMPPExtensions
import XMPPStream

/// Sends messages of mine: the one way in for whatever is sent, the window of unacknowledged messages, expiry, and the
/// delivery states up to `sent`.
///
/// A message leaves once its place on the stream is durable, so that a process that resumes the stream knows whether
/// the server had it.
package final class OutboxSender: StreamPart {
  /// The knowledge of messages that left on an earlier stream: did they arrive?
  enum Resolution: Equatable {
    /// Unknown.
    case open
    /// The archive is queried once this record, the last of the earlier stream, is durable.
    case waiting(after: UInt64)
    /// Known once this record is durable.
    case known(after: UInt64)
  }

  /// Unacknowledged messages on a stream at once, and their bytes: servers keep as many in bounded queues.
  static let window = 250
  static let windowBytes = 1 << 20

  let state: AccountState
  package let deliveries: Deliveries
  private let effects: Effects
  let storage: Storage
  let records: RecordReader
  private let stream: ReliableStream
  private let receipts: Receipts
  private let archive: Archive
  let departures: Departures
  var settings: AccountSettings
  /// A message as it stands, by its number and its record.
  var present: (_ id: UInt64, _ first: MessageRecord) -> PresentMessage? = { _, _ in nil }
  /// Messages to a room wait until it takes them.
  weak var rooms: Rooms?
  /// The last message handed to the stream, by the order of the outbox.
  private(set) var transmittedUpTo: UInt64 = 0
  var resolution = Resolution.open
  /// True if messages may be sent on the present stream.
  private(set) var isReady = false
  /// True if the stream is about to end: nothing more is taken from the outbox.
  private var isStopped = false
  /// The records behind which it is looked whether keys are known, by the conversation that waits for them.
  var keyChecks: [String: UInt64] = [:]
  /// When messages expire, or are kept back no longer.
  private var deadlines = Deadlines<UInt64>()

  init(
    _ state: AccountState, _ settings: AccountSettings, _ stream: ReliableStream, _ receipts: Receipts,
    _ archive: Archive, _ records: RecordReader, _ encryption: Encryption, _ effects: Effects, _ storage: Storage
  ) {
    departures = Departures(state, encryption, effects)
    (self.state, self.settings, self.stream, self.receipts) = (state, settings, stream, receipts)
    (self.archive, self.records, self.effects, self.storage) = (archive, records, effects, storage)
    deliveries = Deliveries(state, storage)
  }

  var number: UInt32 { state.number }

  func configure(_ settings: AccountSettings) { self.settings = settings }

  // MARK: - Submitting

  /// Takes a message of mine, or a change of a message, whose record is appended and makes it durable; returns its
  /// number. It leaves at once if nothing waits before it and there is room.
  package func submit(_ message: consuming MessageRecord) -> UInt64 {
    let isUploading = message.details?.attachments.contains { $0.url.isEmpty } == true && message.target == nil
    if mayTransmitNow, message.heldUntil == nil, !isUploading, rooms?.isOpen(for: message) ?? true {
      let isBehindOthers = waitsForKeys(message.jid)
      departures.prepare(&message, isBehindOthers: isBehindOthers)
      if message.transmitted { message.place = stream.place(ofLast: message.stanzaCount) }
    }
    let isChange = message.target != nil
    let (jid, isWaiting) = (message.jid, message.details?.seal?.isWaiting == true)
    if !isChange { SettingsChanges(state: state, storage: storage, effects: effects).unarchive(message.jid) }
    let id = storage.appendUrgently(isChange ? .change(message) : .message(message))
    if isWaiting { keyChecks[jid] = id }
    guard message.transmitted, let stanza = departures.stanza(message) else { return id }
    if message.isOfRoom { rooms?[message.jid]?.sent(id) }
    send(stanza, isLate: false, message: id, order: id, after: id)
    return id
  }

  private var mayTransmitNow: Bool {
    isReady && state.outbox.count(after: transmittedUpTo) == 0 && !storage.pending.hasWaiting(of: number)
      && unacknowledgedCount < Self.window && hasSpaceForBytes
  }

  /// Messages on this stream that nobody has acknowledged.
  package var unacknowledgedCount: Int {
    state.outbox.count - state.outbox.count(after: transmittedUpTo) + storage.pending.transmittedCount(of: number)
  }

  /// Shares of the queue by user, in units of `QueueShare`: of messages that wait to be sent or to be acknowledged,
  /// those that are kept back or not durable too.
  package var shares: [UInt32: Int] {
    let shares = state.outbox.shares(without: storage.pending.settled)
    return storage.pending.shares(of: number).reduce(into: shares) { $1.add(to: &$0) }
  }

  private var hasSpaceForBytes: Bool { stream.messageBytes < Self.windowBytes }

  // MARK: - Streams

  /// A stream begins or goes on.
  ///
  /// - Parameter last: the last message that the server acknowledged on a stream that goes on.
  func restart(acknowledgedUpTo last: UInt64? = nil) {
    transmittedUpTo = last.map(state.outbox.order(of:)) ?? 0
    (resolution, isReady, isStopped) = (.open, false, false)
  }

  /// Takes nothing more from the outbox on this stream.
  func stop() { (isStopped, isReady) = (true, false) }

  /// Everything about earlier streams is known; messages continue once that is durable.
  func resolved() {
    for message in state.outbox.changes.keys.sorted() where state.outbox.entry(message) == nil {
      releaseChanges(of: message)
    }
    resolution = .known(after: storage.queue.last)
    storage.queue.hurry()
    pump()
  }

  /// True until the start of the stream is durable, if messages to rooms left on an earlier one: in which rooms I am, and
  /// what those have of the messages, is known later.
  private var hasRoomMessagesOfEarlierStream: Bool {
    guard let start = stream.record.startedBy, storage.queue.durable >= start else {
      return state.outbox.entries.contains(where: \.awaitsRoom)
    }
    return false
  }

  func synced() {
    if keyChecks.values.contains(where: { storage.queue.durable >= $0 }) { checkKeys() }
    pump()
  }

  /// Announces to the log what leaves next, as far as there is room on the stream.
  func pump() {
    if isStopped { return }
    if !isReady, case .known(let after) = resolution, storage.queue.durable >= after, stream.mode != .requested,
      archive.isPlaced, !hasRoomMessagesOfEarlierStream
    {
      isReady = true
      // Keys that became known before now let nothing leave.
      checkKeys()
    }
    guard isReady else { return }
    receipts.send()
    guard storage.pending.transmittedCount(of: number) == 0, !stream.hasQueuedMessages, storage.trouble == nil,
      hasSpaceForBytes
    else { return }
    let space = Self.window - unacknowledgedCount
    transmit(state.outbox.entries(after: transmittedUpTo, limit: max(space, 0)).map(\.id), upTo: Self.windowBytes)
  }

  /// Sends again what the server had not handled when the stream was resumed, all of it at once and in order: a message
  /// without a new place would keep its old one in the log, which is another stanza's.
  func sendAgain(_ stanzas: [StreamManagement.Stanza]) {
    var messages: [UInt64] = []
    for stanza in stanzas {
      switch stanza {
      case .message(let id, _): messages.append(id)
      case .other(let bytes):
        transmit(messages, upTo: .max)
        messages = []
        stream.send(bytes)
      }
    }
    transmit(messages, upTo: .max)
  }

  /// Records that messages leave, as many as there is room for, and queues them.
  private func transmit(_ ids: [UInt64], upTo most: Int) {
    var departing: [Departure] = []
    var bytes = 0
    for id in ids where bytes < most {
      guard let entry = state.outbox.entry(id) else { continue }
      // Even if it does not leave: its turn on this stream is over.
      transmittedUpTo = max(transmittedUpTo, entry.order)
      guard mayLeave(entry), let message = records.written(entry), let departure = departure(of: message, entry) else {
        vacate(entry)
        continue
      }
      if departure.sealed != nil || departure.stanza.count > 1 {
        depart(departing)
        departing = []
        depart([departure])
      } else {
        departing.append(departure)
      }
      bytes += message.contentBytes
    }
    depart(departing)
  }

  private func depart(_ departing: [Departure]) {
    guard let first = departing.first else { return }
    let place = stream.place(ofLast: first.stanza.count)
    let sequence: UInt64
    if var sealed = first.sealed {
      sealed.place = place
      sequence = storage.appendUrgently(.change(sealed))
      if let id = first.shown { showEncrypted(id, as: sealed) }
    } else {
      let ids = departing.map(\.entry.id)
      sequence = storage.appendUrgently(
        .transmission(TransmissionRecord(account: number, ids: ids, place: place)))
    }
    for departure in departing {
      let entry = departure.entry
      send(departure.stanza, isLate: departure.isLate, message: entry.id, order: entry.order, after: sequence)
      if entry.isOfRoom { rooms?[entry.jid]?.sent(entry.id) }
    }
  }

  /// A message that was changed, itself or its change waiting, stands as the change has it, which does not know how it
  /// has left.
  private func showEncrypted(_ id: UInt64, as sealed: MessageRecord) {
    guard let present = present(id, sealed), let change = present.message.details?.change,
      change.retraction == nil, present.message.details?.seal?.version == nil
    else { return }
    storage.append(.change(present.encrypted(as: sealed)))
  }

  /// Nil: the message waits for keys, or fails.
  private func departure(of message: MessageRecord, _ entry: Outbox.Entry) -> Departure? {
    switch departures.outcome(of: message, entry) {
    case .leaves(let departure): return departure
    case .refused(let failure): fail(entry, failure)
    case .waits:
      var delivery = DeliveryRecord(entry, of: number, .queued, isHeld: true)
      delivery.awaitsKeys = true
      storage.append(.delivery(delivery))
      keyChecks[entry.jid] = storage.queue.last
    case .none: break
    }
    return nil
  }

  private func send(
    _ stanza: OutgoingStanza, isLate: Bool, message id: UInt64, order: UInt64, after sequence: UInt64
  ) {
    transmittedUpTo = max(transmittedUpTo, order)
    stream.send(message: id, stanza.all(isLate: isLate), after: sequence)
  }

  /// True if a message leaves as two stanzas, each for the devices that read one version of OMEMO.
  func isTwofold(_ entry: Outbox.Entry) -> Bool { records.written(entry)?.isTwofold ?? false }

  /// A message that has left once does not leave again on this stream, and the next stanza takes its place. After a
  /// crash the server's count would cover the message as long as the log gives it that place: everything waits for what
  /// is recorded of it now.
  private func vacate(_ entry: Outbox.Entry) {
    guard entry.place != nil else { return }
    stream.holdBack(until: storage.queue.last)
    storage.queue.hurry()
  }

  /// True if the message is neither cancelled nor expired, nor changes a message that never left.
  private func mayLeave(_ entry: Outbox.Entry) -> Bool {
    guard deliveries.mayLeave(entry.id), !entry.transmitted || rooms?.keepBack(entry) != true else { return false }
    if entry.hasExpired(at: effects.now.wall, settings.outboxMaxAge) {
      expire(entry)
    } else if let target = entry.target, deliveries.isGivenUp(target, in: entry) {
      failChange(entry)
    } else {
      return true
    }
    return false
  }

  /// When a message expires; nil: it does not.
  func expiry(of entry: Outbox.Entry) -> Instant? {
    entry.expiry(settings.outboxMaxAge).map { effects.now.instant.advanced(by: max(.zero, $0 - effects.now.wall)) }
  }

  /// A message is not sent in time.
  func expire(_ entry: Outbox.Entry) {
    takeBack(entry)
    deliveries.expire(entry)
  }

  /// A message is not sent any more.
  func fail(_ entry: Outbox.Entry, _ failure: Failure) {
    takeBack(entry)
    deliveries.advance(DeliveryRecord(entry, of: number, .failed, failure: failure))
  }

  private func failChange(_ entry: Outbox.Entry) {
    fail(entry, Failure(condition: "cancelled", text: "the message that it changes was not sent"))
  }

  /// A message has got further. If it is not sent any more, its changes that have not left go with it.
  package func deliveryChanged(_ delivery: DeliveryRecord) {
    schedule(delivery.id)
    if [.sent, .delivered, .displayed].contains(delivery.state) { releaseChanges(of: delivery.id) }
    guard [.cancelled, .failed].contains(delivery.state) else { return }
    for id in state.outbox.changes[delivery.id] ?? [] {
      guard let entry = state.outbox.entry(id), !hasLeft(entry), deliveries.mayLeave(id) else { continue }
      failChange(entry)
    }
  }

  /// A change does not arrive; said before its failure is, as in `Inbox.fail`.
  private func takeBack(_ entry: Outbox.Entry) {
    guard entry.target != nil, let record = records.written(entry.id, at: entry.location) else { return }
    RefusedChange(record)?.takeBack(MessageFinder(state: state, storage: storage, records: records), effects)
  }

  // MARK: - Deadlines

  var nextDeadline: Instant? { deadlines.next }

  /// Schedules all messages anew, and handles what is due: at the start, and when the clock was set or nothing could be
  /// stored.
  package func scheduleAll() {
    for entry in state.outbox.entries { schedule(entry.id) }
    for id in state.outbox.held.keys.sorted() { schedule(id) }
    expireAndRelease()
  }

  /// Schedules one message; one that is not in the outbox needs no deadline.
  package func schedule(_ id: UInt64) {
    let due = state.outbox.entry(id).flatMap { entry in
      [entry.heldUntil, entry.expiry(settings.outboxMaxAge)].compactMap { $0 }.min()
    }
    deadlines.set(id, at: due.map { effects.now.instant.advanced(by: max(.zero, $0 - effects.now.wall)) })
  }

  /// Expires and releases messages whose time has come, online or not.
  func expireAndRelease() {
    while let id = deadlines.takeDue(at: effects.now.instant) {
      // All are scheduled anew when something can be stored.
      if storage.mayAppend, let entry = state.outbox.entry(id) { handleDue(entry) }
    }
  }

  private func handleDue(_ entry: Outbox.Entry) {
    if entry.hasExpired(at: effects.now.wall, settings.outboxMaxAge) {
      // A message that has left may arrive. Before it leaves again, its expiry is checked.
      if !hasLeft(entry) { expire(entry) }
    } else if let until = entry.heldUntil, until <= effects.now.wall {
      // One that is being let go already is a room's from then on: another record would send it there.
      if deliveries.mayLeave(entry.id), storage.pending.mayBeReleased(entry.id) {
        storage.appendUrgently(.release(ReleaseRecord(account: number, id: entry.id)))
      }
    } else {
      schedule(entry.id)
    }
  }
}
