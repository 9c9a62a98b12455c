import Clocks
import Records
import State
import XMPPCore
import XMPPStream

/// A stream as the log has it, or will with the next stream record, so that it can be resumed after a crash, too.
struct StreamLogState {
  /// The full JID that the server bound; nil until it has.
  var jid: JID?
  /// True if TLS began with the connection.
  var isDirect = false
  /// The record of the stream's start, and whether that is durable.
  var startedBy: UInt64?
  var isStarted = false
  /// True if the server keeps the stream for a while after its link is lost.
  var isResumable = false
  /// True if it continues a stream whose link was lost.
  var isResumed = false
  /// The highest place that a stanza which is no message may have.
  var ceiling: UInt32 = 0
  /// Last states of resources that are in no record yet, by full JID.
  var presences: [String: PresenceRecord] = [:]
  /// True if the roster came whole, and no record says so yet.
  var owesRoster = false
  /// True if our archive's ids can be trusted, for the next record; nil if the log already says so.
  var keepsArchiveIDs: Bool?
  /// The place of our presence among our stanzas.
  var presencePlace: UInt32 = 0
  /// Handled stanzas of the server's of which no record says so yet. An appended message says it of itself before it is
  /// handled.
  var unrecordedCount = 0

  /// A stream goes on of which the log has all.
  mutating func resume(_ stream: StreamState) {
    (isStarted, startedBy, isResumable, isResumed) = (true, 0, true, true)
    ceiling = stream.ceiling
  }
}

/// The records of a stream (docs/LOG-FORMAT.md, kind 16).
extension ReliableStream {
  /// Stanzas that are no messages may leave up to this many places beyond what the log says of those that have left.
  static let reach: UInt32 = 64
  /// Presences gathered for one record: with more, the disk is behind, and their sender is to notice.
  static let mostGathered = 256

  /// How old the log's word on live messages may be while there is something to write.
  static let livePause = Interval.minutes(1)

  private var number: UInt32 { state.number }

  /// When live messages were last taken, for a record; nil: the log says so already, about.
  var unrecordedLastLive: Int64? {
    guard let lastLive else { return nil }
    if let known = state.server.lastLive,
      (lastLive - known).milliseconds.magnitude < Self.livePause.milliseconds.magnitude
    {
      return nil
    }
    return lastLive.milliseconds
  }

  /// How many of the server's stanzas may be acknowledged: they, and that they are handled, are durable.
  var covered: UInt32 { record.isStarted ? state.stream?.handled ?? 0 : 0 }

  /// True if all received stanzas are durable and may be acknowledged.
  var isComplete: Bool { counters.handled == covered && record.presences.isEmpty }

  /// The resources that this stream has reported.
  var presences: PresenceBook { (record.isStarted ? state.stream?.presences : nil) ?? PresenceBook() }

  /// Records the start of the stream: it is known whether it can be resumed, and how.
  func recordStart(_ describe: (inout StreamRecord.Beginning) -> Void = { _ in }) {
    var start = StreamRecord.Beginning(jid: record.jid?.description ?? "")
    start.isDirect = record.isDirect
    describe(&start)
    if start.id == nil { start.isDirect = false }
    record.isResumable = start.id != nil
    var stream = StreamRecord(account: number)
    stream.beginning = start
    if record.isResumable {
      record.ceiling = counters.place &+ Self.reach
      stream.ceiling = record.ceiling
      stream.presencePlace = record.presencePlace
    }
    stream.lastLive = lastLive?.milliseconds
    record.startedBy = storage.append(.stream(stream))
  }

  /// Takes the place for our presence; returns the record after which it may leave. Its place is durable before, so
  /// that a process that resumes the stream knows whether it arrived.
  func placePresence() -> UInt64 {
    record.presencePlace = counters.place &+ 1
    guard record.startedBy != nil, record.isResumable else { return 0 }
    var stream = StreamRecord(account: number)
    stream.presencePlace = record.presencePlace
    stream.ceiling = record.presencePlace
    return storage.append(.stream(stream))
  }

  /// Records that a stream which was left in order goes on.
  func recordResumption() {
    var stream = StreamRecord(account: number)
    stream.ceiling = counters.place &+ Self.reach
    storage.append(.stream(stream))
  }

  /// Records that we leave the stream in order, to resume it.
  func recordLeaving(_ receipts: [StreamRecord.UnconfirmedReceipt]) {
    var stream = StreamRecord(account: number)
    stream.leftAt = effects.now.wall.milliseconds
    stream.lastLive = lastLive?.milliseconds
    stream.unconfirmedReceipts = receipts
    storage.append(.stream(stream))
  }

  /// Records whether our archive's ids can be trusted, because a process that resumes the stream needs it at once.
  func note(keepsArchiveIDs: Bool) {
    let known = record.isStarted ? state.stream?.keepsArchiveIDs : nil
    guard record.isResumable, keepsArchiveIDs != (known ?? false) else { return }
    record.keepsArchiveIDs = keepsArchiveIDs
  }

  /// Counts a stanza of the server's. It may be acknowledged once that, and what it led to, is durable.
  func handled() {
    guard mode == .on else { return }
    counters.received()
    record.unrecordedCount += 1
  }

  /// Appends a message that counts itself as handled: earlier stanzas are recorded before it.
  func append(_ message: MessageRecord) -> UInt64 {
    if message.isCounted {
      if record.unrecordedCount > 0 { recordProgress() }
      record.unrecordedCount -= 1
    }
    return storage.append(.message(message))
  }

  /// True if presences came that are not durable yet.
  var hasPendingPresences: Bool { !record.presences.isEmpty || storage.pending.hasPresences(of: number) }

  /// True if a presence differs from the last one of its resource, or may because a record with presences is pending.
  func isNews(_ presence: PresenceRecord) -> Bool {
    record.presences[presence.key] != nil || storage.pending.hasPresences(of: number) || !presences.knows(presence)
  }

  /// Notes the last state of a resource: clients see it once it is durable.
  func note(_ presence: PresenceRecord) {
    guard isNews(presence) else { return }
    if presence.resource.isEmpty { record.presences = record.presences.filter { $0.value.jid != presence.jid } }
    record.presences[presence.key] = presence
    storage.queue.expect()
    if record.presences.count >= Self.mostGathered { recordProgress() }
  }

  /// Records what is new, because a batch of the log is about to be written.
  func recordProgress() {
    guard record.startedBy != nil else { return }
    var stream = StreamRecord(account: number)
    if record.unrecordedCount > 0 { stream.handled = counters.handled }
    if isCeilingNear { stream.ceiling = counters.place &+ Self.reach }
    stream.hasRoster = record.owesRoster
    stream.keepsArchiveIDs = record.keepsArchiveIDs
    stream.lastLive = unrecordedLastLive
    stream.presences = record.presences.sorted { $0.key < $1.key }.map(\.value)
    guard !stream.isEmpty else { return }
    storage.append(.stream(stream))
    record.ceiling = stream.ceiling ?? record.ceiling
    (record.presences, record.owesRoster, record.keepsArchiveIDs) = ([:], false, nil)
    record.unrecordedCount = min(record.unrecordedCount, 0)
  }

  private var isCeilingNear: Bool {
    record.isResumable && !record.ceiling.isBeyond(counters.place &+ Self.reach / 2)
  }

  /// Has a batch written though no record asks for it: the server waits for an ack, or stanzas for a higher ceiling.
  func expectProgress() {
    let isOwed = ackReplies.isOwed && record.unrecordedCount > 0
    if record.startedBy != nil, isOwed || isCeilingNear || record.owesRoster { storage.queue.expect() }
  }

  /// The record of the start is durable: what the log says of the account's stream, it says of this one.
  func noteStarted() {
    guard !record.isStarted, let startedBy = record.startedBy, startedBy <= storage.queue.durable else { return }
    record.isStarted = true
    reportPresences()
  }

  /// Reports every known presence to clients.
  func reportPresences() {
    for jid in presences.jids { effects.publish(.presence(account: number, contact: jid)) }
  }
}

extension PresenceRecord {
  /// Nil if the presence does not say whether somebody is there.
  init?(_ presence: Presence, from: JID) {
    self.init(jid: from.bare.description, resource: from.resource ?? "")
    switch presence.kind {
    case .available: show = presence.show?.rawValue ?? "available"
    case .unavailable: return
    default: return nil
    }
    status = presence.status ?? ""
    priority = Int64(presence.priority)
  }

  fileprivate var key: String { "\(jid)/\(resource)" }

  /// The approximate size of the record in the log, in bytes.
  var cost: Int { 64 + jid.utf8.count + resource.utf8.count + status.utf8.count }
}
