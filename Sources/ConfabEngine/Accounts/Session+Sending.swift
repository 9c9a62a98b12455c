import Clocks
import Facts
import Records
import Settings
import XMPPCore
import XMPPExtensions
import XMPPStream

/// The sending of my messages.
extension Session {
  /// Unacknowledged messages on a stream at once, and what they may take: servers keep as many in bounded queues.
  static let window = 250
  static let windowBytes = 1 << 20
  /// Bytes on their way to the server at which messages wait.
  static let maximumOutstanding = 256 << 10
  /// How long to wait before asking again a server that is not as far as it was asked about.
  static let requestPause = Interval.seconds(5)
  /// Answers of ours that nobody has acknowledged, at which the server is asked how far it is.
  static let mostUnasked = 32

  /// A message appended now may leave as soon as its own record is durable: nothing older waits and there is room.
  var mayTransmitNow: Bool {
    outboxReady && account.outbox.count(after: transmittedUpTo) == 0 && waitingUpTo <= transmittedUpTo
      && unacknowledgedMessages < Self.window && hasRoomForBytes
  }

  /// Messages of mine on this stream that nobody has acknowledged.
  var unacknowledgedMessages: Int {
    account.outbox.count - account.outbox.count(after: transmittedUpTo) + flagged.count
  }

  private var hasRoomForBytes: Bool { max(management.messageBytes, lane.messageBytes) < Self.windowBytes }

  /// Gives a message that is about to be appended the next place, where it may leave as soon as that is durable.
  func claimPlace(for message: inout MessageRecord) {
    guard mayTransmitNow, message.heldUntil == nil else { return }
    message.transmitted = true
    message.place = nextPlace
  }

  /// It was appended; where it has no place, none may overtake it, unless it is kept back.
  func enter(_ message: MessageRecord, id: UInt64) {
    if message.heldUntil != nil { return }
    guard message.transmitted else { return waitingUpTo = id }
    guard let stanza = stanza(message, inDoubt: false) else { return }
    flagged.append(id)
    enter(stanza, message: id, order: id, after: id)
  }

  /// A record that lets a message go is on its way to the disk: what is sent meanwhile may not overtake it.
  func holdBack(behind sequence: UInt64) { waitingUpTo = sequence }

  /// Announces to the log what will leave next, where there is room on the stream.
  func pumpOutbox() {
    if isEnding { return }
    if case .settled(let after) = doubts, storage.queue.durable >= after, managementState != .asked, isArchivePlaced {
      outboxReady = true
    }
    if outboxReady { tell() }
    guard outboxReady, flagged.isEmpty, !lane.hasMessages, storage.trouble == nil, hasRoomForBytes else { return }
    let room = Self.window - unacknowledgedMessages
    let ids = account.outbox.entries(after: transmittedUpTo, limit: max(room, 0)).map(\.id)
    transmit(ids, upTo: Self.windowBytes)
  }

  /// Announces messages to the log, as many as there is room for, and puts them behind one another.
  func transmit(_ ids: [UInt64], upTo most: Int) {
    var taken: [(entry: Outbox.Entry, stanza: [UInt8])] = []
    var bytes = 0
    for id in ids where bytes < most {
      guard let entry = account.outbox.entry(id) else { continue }
      // Even where it does not leave: its turn on this stream is over.
      transmittedUpTo = max(transmittedUpTo, entry.order)
      guard mayLeave(entry), let message = records.message(id, at: entry.location),
        let stanza = stanza(message, inDoubt: entry.inDoubt)
      else {
        vacate(entry)
        continue
      }
      taken.append((entry, stanza))
      bytes += stanza.count
    }
    guard !taken.isEmpty else { return }
    let record = TransmissionRecord(account: account.record.number, ids: taken.map(\.entry.id), place: nextPlace)
    let sequence = storage.appendUrgently(.transmission(record))
    deliveries.leave(record.ids, with: sequence)
    for (entry, stanza) in taken { enter(stanza, message: entry.id, order: entry.order, after: sequence) }
  }

  /// A message that has left once does not go again on this stream, and what leaves next takes its place. After a crash
  /// the server's count would cover the message, as long as the log gives it that place: so all waits for what is said of
  /// it now.
  private func vacate(_ entry: Outbox.Entry) {
    guard entry.place != nil else { return }
    vacatedAfter = storage.queue.last
    storage.queue.hurry()
  }

  /// It is neither taken back nor too late for it.
  private func mayLeave(_ entry: Outbox.Entry) -> Bool {
    guard deliveries.mayLeave(entry.id) else { return false }
    guard entry.hasExpired(at: effects.now.wall, settings.outboxMaxAge) else { return true }
    deliveries.expire(entry)
    return false
  }

  /// The place of the next stanza, where they are counted.
  private var nextPlace: UInt32? { managementState == .off ? nil : management.place &+ 1 }

  private func enter(_ stanza: [UInt8], message id: UInt64, order: UInt64, after sequence: UInt64) {
    transmittedUpTo = max(transmittedUpTo, order)
    let place = managementState == .off ? nil : management.place(message: id, bytes: stanza.count)
    lane.append(Lane.Entry(bytes: stanza, sequence: sequence, place: place, message: id))
  }

  private func stanza(_ message: MessageRecord, inDoubt: Bool) -> [UInt8]? {
    guard let to = try? JID(message.peer), let id = message.stanzaID else { return nil }
    let time = Timestamp(milliseconds: message.time)
    let late = inDoubt || (effects.now.wall - time) > .seconds(60)
    var bytes: [UInt8] = []
    var outgoing = OutgoingMessage(
      to: to, id: id, originID: message.originID ?? id, text: message.text, delay: late ? time : nil)
    // What goes to myself says by coming back that it has arrived.
    outgoing.isFollowed = !to.hasSameBare(as: ownBare)
    outgoing.serialize(into: &bytes)
    return bytes
  }

  /// Puts a stanza that is no message on the wire, behind those that wait, once a record is durable.
  func send(_ stanza: [UInt8], after sequence: UInt64 = 0) {
    let place = managementState == .off ? nil : management.place(stanza)
    lane.append(Lane.Entry(bytes: stanza, sequence: sequence, place: place))
    depart()
  }

  /// Writes what may leave, in its order: as far as the log has it, and messages as far as the link keeps up.
  func depart() {
    while let first = lane.first, mayLeave(first) {
      lane.removeFirst()
      output += first.bytes
      if first.place != nil { management.wrote() }
      guard let id = first.message else { continue }
      if managementState == .off {
        asking.wantPing(behind: account.outbox.order(of: id))
      } else {
        hasWrittenMessages = true
      }
    }
  }

  private func mayLeave(_ entry: Lane.Entry) -> Bool {
    guard silences == 0, max(entry.sequence, vacatedAfter) <= durable else { return false }
    if entry.message != nil { return outstanding + output.count < Self.maximumOutstanding }
    // Nobody can resume what is not known to the log.
    guard isResumable, isFounded, let place = entry.place, let stream = account.stream else { return true }
    return !place.isBeyond(stream.ceiling)
  }

  /// The link has handed all it had to the kernel.
  func drained() {
    outstanding = 0
    depart()
    pumpOutbox()
  }

  /// The end of the turn: one `<r/>` or one ping for all that was written, then the bytes.
  func takeOutput() -> [UInt8] {
    if hasWrittenMessages || hasMuchUnasked, managementState == .on { request() }
    hasWrittenMessages = false
    if asking.takeRequest(behind: management.sentCount) { output += StreamManagementWriter.request() }
    if let order = asking.takePing() {
      send(Ping.request(id: iqs.register(.ping(upTo: order), at: effects.now.instant)))
    }
    expectProgress()
    outstanding += output.count
    defer { output.removeAll() }
    return output
  }

  /// Nobody has asked for long what became of answers, receipts and markers: since the last question there are many new
  /// ones, however many the server has left unacknowledged.
  private var hasMuchUnasked: Bool {
    max(management.keptOthers, telling.sent.count) >= Self.mostUnasked
      && management.sentCount &- asking.askedUpTo >= UInt32(Self.mostUnasked)
  }

  /// Takes nothing more from the outbox on this stream.
  func stopSending() { (isEnding, outboxReady) = (true, false) }

  /// Whether the server has not acknowledged all of my messages that were sent, or are about to be.
  var isAwaitingAcknowledgement: Bool {
    lane.hasMessages || (managementState == .on ? management.isAwaited : asking.isPingWanted)
  }

  /// The server acknowledged the messages with these ids.
  func acknowledged(_ ids: [UInt64]) {
    for id in ids {
      guard let entry = account.outbox.entry(id) else { continue }
      deliveries.advance(DeliveryRecord(entry, of: account.record.number, .sent))
    }
  }
}
