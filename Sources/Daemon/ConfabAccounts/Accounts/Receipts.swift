import Clocks
import Timelines
import State
import Records
import ConfabConfiguration
import XMPPCore
import XMPPExtensions

/// Sends receipts (XEP-0184) and markers (XEP-0333) for messages of others. A pending receipt is durable until the
/// server has it: a crash or a cut loses none. After a crash one may be sent twice, for which recipients have to be
/// ready anyway (XEP-0184, section 4).
final class Receipts: StreamPart {
  /// Receipts that the server may have unacknowledged.
  static let mostSent = 250
  /// How long a receipt alone neither causes an ack request nor a write of the log.
  static let pause = Interval.seconds(10)

  private let state: AccountState
  private let effects: Effects
  private let storage: Storage
  private let records: RecordReader
  private let stream: ReliableStream
  private let roster: RosterSync
  private var settings: AccountSettings
  /// The record of the last pending receipt that was handed to the stream.
  private var upTo: UInt64 = 0
  /// Handed to the stream and not acknowledged, by their places.
  private(set) var sent: ArraySlice<StreamRecord.UnconfirmedReceipt> = []
  /// The server has them, and no record says so yet.
  private var done: [UInt64] = []
  /// The server had them when the stream was resumed: they are not sent again.
  private var finished: Set<UInt64> = []
  /// When an ack is requested and the log written at the latest.
  private(set) var deadline: Instant?

  init(
    _ state: AccountState, _ settings: AccountSettings, _ stream: ReliableStream, _ roster: RosterSync,
    _ records: RecordReader, _ effects: Effects, _ storage: Storage
  ) {
    (self.state, self.settings, self.stream, self.roster) = (state, settings, stream, roster)
    (self.records, self.effects, self.storage) = (records, effects, storage)
  }

  func configure(_ settings: AccountSettings) { self.settings = settings }

  /// True if others are told what I have read, as far as they may know.
  var sendsMarkers: Bool { settings.markers == .contacts }

  // MARK: - Streams

  /// A new stream: all pending receipts are sent on it.
  func reset() { (upTo, sent, done, finished, deadline) = (0, [], [], [], nil) }

  /// An earlier process left the stream in order, with these receipts unacknowledged.
  func restore(_ left: [StreamRecord.UnconfirmedReceipt]) {
    reset()
    sent = left[...]
  }

  /// The stream is resumed, and the server has this many of our stanzas: the other receipts are sent again.
  func resume(_ count: UInt32) {
    acknowledge(count)
    finished = Set(done)
    (sent, upTo) = ([], 0)
  }

  // MARK: - Sending

  /// True if the sender of a new message, who asked for a receipt, gets one: contacts who see our presence, and anybody
  /// while the roster is awaited, which decides before any is sent.
  func mayBeOwed(for message: MessageRecord) -> Bool {
    ConversationPolicy.of(message.kind).isFollowed && !message.isMine && settings.receipts == .contacts
      && (roster.seesPresence(message.jid) || roster.isPending)
  }

  /// Hands pending receipts to the stream, once the roster has come, which says to whom they may go.
  func send() {
    guard !roster.isPending else { return }
    for entry in state.pendingReceipts.entries(after: upTo) {
      guard sent.count < Self.mostSent else { break }
      upTo = entry.sequence
      guard !finished.contains(entry.sequence) else { continue }
      send(entry)
      deadline = deadline ?? effects.now.instant.advanced(by: Self.pause)
    }
    stream.depart()
  }

  private func send(_ entry: PendingReceipt) {
    // The recipient may not see us any more, or the message may be unreadable: nothing is owed then.
    guard let stanza = stanza(entry), let place = stream.sendUnkept(stanza) else { return done.append(entry.sequence) }
    sent.append(StreamRecord.UnconfirmedReceipt(place: place, sequence: entry.sequence))
  }

  private func stanza(_ entry: PendingReceipt) -> [UInt8]? {
    let setting = entry.isMarker ? settings.markers : settings.receipts
    guard setting == .contacts, roster.seesPresence(entry.jid), let message = records.received(entry.id),
      let about = message.stanzaID, let to = try? JID(message.sender)
    else { return nil }
    let id = effects.token(bytes: 12)
    return entry.isMarker
      ? DisplayedMarker.stanza(to: to, id: id, about: about)
      : DeliveryReceipt.stanza(to: to, type: message.type, id: id, about: about)
  }

  /// True if so many receipts are unacknowledged that an ack is requested.
  var areMany: Bool { sent.count >= AckRequests.mostUnrequested }

  // MARK: - Acks

  /// The server has this many of our stanzas.
  func acknowledged(_ count: UInt32) {
    acknowledge(count)
    send()
  }

  private func acknowledge(_ count: UInt32) {
    while let first = sent.first, !first.place.isBeyond(count) {
      sent.removeFirst()
      done.append(first.sequence)
    }
    if sent.isEmpty { sent = [] }
  }

  /// The stream is over, and the server has this many of our stanzas.
  func streamEnded(acknowledged count: UInt32) {
    acknowledge(count)
    recordDone()
  }

  /// Records the receipts that the server has, because a batch of the log is about to be written.
  func recordDone() {
    guard !done.isEmpty else { return }
    storage.append(.receiptSent(ReceiptSentRecord(account: state.number, sequences: done)))
    done = []
  }

  /// Some time after the first receipt an ack is requested, and the log written.
  func tick() {
    guard let deadline, deadline <= effects.now.instant else { return }
    self.deadline = nil
    if !done.isEmpty { storage.queue.expect() }
    guard !sent.isEmpty else { return }
    stream.request()
    self.deadline = effects.now.instant.advanced(by: Self.pause)
  }
}

extension Conversation {
  /// Messages that are looked at for one marker.
  private static let mostMarkable = 1_000

  /// The newest message up to a position that was never read and whose sender asked for a marker; nil: there is none.
  func newestMarkable(upTo position: UInt64) -> UInt64? {
    let rows = max(0, timeline.count - Self.mostMarkable)..<timeline.count
    return rows.reversed().lazy.map { self.timeline[$0] }.first {
      $0.flags.contains(.markable) && $0.id > self.furthestRead && $0.id <= position
    }?.id
  }
}
