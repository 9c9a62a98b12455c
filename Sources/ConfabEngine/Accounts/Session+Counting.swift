import Clocks
import Facts
import Records
import XMPPCore
import XMPPExtensions
import XMPPStream

/// What the log has to say of the stream (XEP-0198), so that it can be resumed after a crash, too.
extension Session {
  /// What the log says of the stream, or will when it is written.
  struct Recorded {
    var ceiling: UInt32 = 0
    /// Last states of resources that are in no record yet, by full JID.
    var presences: [String: PresenceRecord] = [:]
    /// The roster came whole, and no record says so yet.
    var owesRoster = false
    /// Whether our archive's ids can be trusted, for the next stream record; nil if the log already says so.
    var keepsArchiveIDs: Bool?
  }

  /// Stanzas that are no messages may leave up to this many places beyond what the log says of those that have left.
  static let reach: UInt32 = 64
  /// More presences than this are not gathered for one record: the disk is behind, and who sends them is to feel it.
  static let mostGathered = 256

  /// So many of the server's stanzas may be acknowledged: they are durable, and that they are handled is.
  var covered: UInt32 { isFounded ? account.stream?.handled ?? 0 : 0 }

  /// All that was received is stored and may be acknowledged.
  var isComplete: Bool { management.handled == covered && recorded.presences.isEmpty }

  /// Who is there, as far as this stream has told.
  var presences: PresenceBook { isFounded ? account.presences : PresenceBook() }

  /// It is known whether the stream can be resumed, and how: from now on the log has what is needed for it.
  func found(_ beginning: StreamRecord.Beginning) {
    isResumable = beginning.id != nil
    var record = StreamRecord(account: account.record.number)
    record.beginning = beginning
    if isResumable {
      recorded.ceiling = management.place &+ Self.reach
      record.ceiling = recorded.ceiling
      record.presencePlace = presencePlace
    }
    foundedBy = storage.append(.stream(record))
  }

  /// A stream goes on of which the log has all.
  func goOn(_ stream: StreamFacts) {
    (isFounded, foundedBy, isResumable) = (true, 0, true)
    unrecorded = Int(Int32(bitPattern: management.handled &- stream.handled))
    recorded.ceiling = stream.ceiling
    // An earlier process may have left a feature request unanswered: it is sent again, and until then the log's value
    // counts.
    if let keepsArchiveIDs = stream.keepsArchiveIDs, features.unknown.contains(.account) {
      features.keepsArchiveIDs = keepsArchiveIDs
    }
  }

  /// Records the server's answer whether our archive's ids can be trusted, because a process that resumes the stream
  /// needs it at once.
  func noteArchiveIDs() {
    let known = isFounded ? account.stream?.keepsArchiveIDs : nil
    guard isResumable, features.keepsArchiveIDs != (known ?? false) else { return }
    recorded.keepsArchiveIDs = features.keepsArchiveIDs
  }

  /// Counts a stanza of the server's; it may be acknowledged once that is durable, and with it what it led to.
  func handled() {
    guard managementState == .on else { return }
    management.received()
    unrecorded += 1
  }

  /// Appends a message that counts by itself: what was handled before it is said before it.
  func append(_ message: MessageRecord) -> UInt64 {
    if message.isCounted {
      if unrecorded > 0 { recordProgress() }
      unrecorded -= 1
    }
    return storage.append(.message(message))
  }

  /// Whether a presence differs from the stored one, or may differ because a presence record is pending.
  func isNews(_ presence: PresenceRecord) -> Bool {
    recorded.presences[Self.key(of: presence)] != nil || presencesDurableAfter > durable || !presences.knows(presence)
  }

  private static func key(of presence: PresenceRecord) -> String { "\(presence.jid)/\(presence.resource)" }

  /// Notes the last state of a resource: it is known to front ends once it is durable.
  func note(_ presence: PresenceRecord) {
    guard isNews(presence) else { return }
    let key = Self.key(of: presence)
    if presence.resource.isEmpty { recorded.presences = recorded.presences.filter { $0.value.jid != presence.jid } }
    recorded.presences[key] = presence
    storage.queue.expect()
    if recorded.presences.count >= Self.mostGathered { recordProgress() }
  }

  /// Says what is new, in one record: a batch of the log is about to be written.
  func recordProgress() {
    recordTold()
    guard foundedBy != nil else { return }
    var record = StreamRecord(account: account.record.number)
    if unrecorded > 0 { record.handled = management.handled }
    if isCeilingNear { record.ceiling = management.place &+ Self.reach }
    record.hasRoster = recorded.owesRoster
    record.keepsArchiveIDs = recorded.keepsArchiveIDs
    record.presences = recorded.presences.sorted { $0.key < $1.key }.map(\.value)
    guard !record.isEmpty else { return }
    let sequence = storage.append(.stream(record))
    if !record.presences.isEmpty { presencesDurableAfter = sequence }
    recorded = Recorded(ceiling: record.ceiling ?? recorded.ceiling)
    unrecorded = min(unrecorded, 0)
  }

  /// What is to be written soon so that stanzas need not wait.
  var isCeilingNear: Bool {
    isResumable && !recorded.ceiling.isBeyond(management.place &+ Self.reach / 2)
  }

  /// Something is to be stored though no record asks for it: what the server waits for, or a higher ceiling.
  func expectProgress() {
    let isOwed = answering.isOwed && unrecorded > 0
    if foundedBy != nil, isOwed || isCeilingNear || recorded.owesRoster { storage.queue.expect() }
  }

  /// The record that founds the stream is durable: what the log says of the account's stream is said of this one.
  func noteFounding() {
    guard !isFounded, let foundedBy, foundedBy <= storage.queue.durable else { return }
    isFounded = true
    for jid in account.presences.jids { effects.notices.append(.presence(account: account.record.number, jid: jid)) }
  }
}

extension StreamRecord.Beginning {
  /// What the server's `<enabled/>` says.
  init(jid: JID, id: String?, maximumSeconds: UInt32?, location: String?, isDirect: Bool) {
    self.init(jid: jid.description)
    (self.id, self.maximumSeconds, self.location, self.isDirect) = (id, maximumSeconds, location, isDirect)
  }
}

extension PresenceRecord {
  /// Nil where it says nothing of somebody's being there.
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
}
