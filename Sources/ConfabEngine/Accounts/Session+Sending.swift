import Clocks
import Facts
import Records
import XMPPCore
import XMPPExtensions
import XMPPStream

/// Messages of mine on their way out (DESIGN 3.2).
extension Session {
  /// Unacknowledged messages on a stream at once: servers keep as many in bounded queues.
  static let window = 250
  /// Bytes on their way to the server at which messages wait.
  static let maximumOutstanding = 256 << 10
  /// How long to wait before asking again a server that is not as far as it was asked about.
  static let requestPause = Interval.seconds(5)

  /// A message appended now may leave as soon as its own record is durable: nothing older waits and there is room.
  var mayTransmitNow: Bool {
    outboxReady && transmissionsPending.isEmpty && ready.isEmpty
      && account.outbox.count(after: transmittedUpTo) == 0
      && unacknowledgedMessages + flaggedPending.count < Self.window
  }

  /// Messages of mine on this stream that nobody has acknowledged.
  var unacknowledgedMessages: Int {
    account.outbox.count - account.outbox.count(after: transmittedUpTo)
  }

  /// Announces to the log what will leave next, where there is room on the stream.
  func pumpOutbox(_ turn: Turn) {
    if turn.ledger.durable >= outboxReadyAfter, managementState != .asked { outboxReady = true }
    guard outboxReady, transmissionsPending.isEmpty, ready.isEmpty, flaggedPending.isEmpty, turn.storageTrouble == nil
    else { return }
    let room = Self.window - unacknowledgedMessages
    let next = account.outbox.entries(after: transmittedUpTo, limit: max(room, 0))
    guard !next.isEmpty else { return }
    transmissionsPending = next.map(\.id)
    turn.appendUrgently(
      .transmission(TransmissionRecord(account: account.record.number, ids: transmissionsPending)))
  }

  /// A message flagged as transmitted was appended.
  func flagged(_ id: UInt64) { flaggedPending.insert(id) }

  /// Its record is durable: its bytes leave, unless it was flagged for an earlier stream.
  func transmitFlagged(_ message: MessageRecord, id: UInt64, _ turn: Turn) {
    guard flaggedPending.remove(id) != nil else { return }
    guard ready.isEmpty, hasRoom else { return ready.append(id) }
    transmit(message, id: id, inDoubt: false, turn)
  }

  /// A transmission record of this session is durable: the bytes of its messages leave.
  func transmit(_ record: TransmissionRecord, _ turn: Turn) {
    guard record.ids == transmissionsPending else { return }
    transmissionsPending = []
    ready += record.ids
    transmitReady(turn)
  }

  /// The link has handed all it had to the kernel.
  func drained(_ turn: Turn) {
    outstanding = 0
    guard !ready.isEmpty else { return }
    transmitReady(turn)
    pumpOutbox(turn)
  }

  private var hasRoom: Bool { outstanding + output.count < Self.maximumOutstanding }

  /// Writes what may leave, as far as the link keeps up.
  private func transmitReady(_ turn: Turn) {
    while hasRoom, let id = ready.popFirst() {
      // Even where it has failed meanwhile, or cannot be read: its turn on this stream is over.
      transmittedUpTo = max(transmittedUpTo, id)
      guard let entry = account.outbox.entry(id), let message = turn.message(at: entry.location) else { continue }
      transmit(message, id: id, inDoubt: entry.inDoubt, turn)
    }
  }

  private func transmit(_ message: MessageRecord, id: UInt64, inDoubt: Bool, _ turn: Turn) {
    transmittedUpTo = max(transmittedUpTo, id)
    guard let to = try? JID(message.peer), let stanzaID = message.stanzaID else { return }
    let time = Timestamp(milliseconds: message.time)
    let late = inDoubt || (turn.now.wall - time) > .seconds(60)
    OutgoingMessage(
      to: to, id: stanzaID, originID: message.originID ?? stanzaID, text: message.text, delay: late ? time : nil
    ).serialize(into: &output)
    if managementState == .off {
      pingBehind(id, turn)
    } else {
      management.sent(tag: id)
      request(turn)
    }
  }

  /// Without stream management a ping behind the messages tells that they arrived.
  private func pingBehind(_ id: UInt64, _ turn: Turn) {
    needsPing = id
  }

  /// The end of the turn: one `<r/>` or one ping for all that was written, then the bytes.
  func takeOutput(_ turn: Turn) -> [UInt8] {
    if needsRequest {
      output += StreamManagementWriter.request()
      needsRequest = false
      requestedUpTo = management.sentCount
    }
    if let id = needsPing, !pingUnderWay {
      needsPing = nil
      pingUnderWay = true
      send(Ping.request(id: iqs.register(.ping(upTo: id), at: turn.now.instant)))
    }
    outstanding += output.count
    defer { output.removeAll() }
    return output
  }

  /// The server acknowledged the messages with these ids.
  func acknowledged(_ tags: [UInt64], _ turn: Turn) {
    for id in tags where id != 0 && !settled.contains(id) {
      guard let entry = account.outbox.entry(id) else { continue }
      turn.append(
        .delivery(
          DeliveryRecord(
            account: account.record.number, jid: entry.jid, time: entry.time.milliseconds, id: id, state: .sent)))
    }
  }
}
