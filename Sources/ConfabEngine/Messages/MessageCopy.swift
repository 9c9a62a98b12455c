import Clocks
import Conversations
import Facts
import Records

/// A message that is here, or on its way to the disk.
struct KnownMessage {
  /// Its record's number.
  let id: UInt64
  let record: MessageRecord
  /// The record that says under which other id the archive has it, where it was found by that, and its number.
  var named: [(record: ArchiveIDRecord, number: UInt64)] = []

  /// The id in our archive's name that it was found by, and the number of the record that says it.
  fileprivate var stated: (id: String?, number: UInt64) {
    named.first.map { ($0.record.archiveID, $0.number) } ?? (record.archiveID ?? record.claimedArchiveID, id)
  }

  /// Only our archive can have written that id.
  fileprivate var isVouchedFor: Bool { !named.isEmpty || record.archiveID != nil }
}

/// A message that may be a copy of another one, and by what that is told: the rules, without a look at anything but the
/// two (docs/decisions/0042-ids-of-an-archive.md).
struct MessageCopy {
  let message: MessageRecord
  let way: IncomingMessage.Way
  /// A live message may have been shown by the archive before, and does not bring the archive's id.
  let comparesLive: Bool
  /// The archive may have other ids than records before this one say.
  let idsSince: UInt64
  /// Records from this one on came lately: a clock that is wrong must not make two of what came just now.
  let newest: UInt64

  /// How far apart the times of two copies may be: clients count their ids anew, and people say the same again.
  private static let margin = Interval.days(1)

  // MARK: - By the archive's id

  var archiveHash: UInt64? { statedID.map { TokenHash.of($0) } }

  private var statedID: String? { message.archiveID ?? message.claimedArchiveID }

  /// Whether both have one id of our archive. In the archive's own words that is enough within a conversation; of an id that
  /// anybody may have written, or that the archive may have given twice, sender and text have to be the same too.
  func hasArchiveID(of known: KnownMessage) -> Bool {
    let (id, number) = known.stated
    guard let id, id == statedID, known.record.jid == message.jid, known.record.mine == message.mine else {
      return false
    }
    let isOfThisArchive = number >= idsSince
    if isOfThisArchive, message.archiveID != nil, known.isVouchedFor { return true }
    return hasSenderAndText(of: known.record) && (isOfThisArchive || isNear(known, within: Self.margin))
  }

  /// The record to append for an id under which the archive has a known message; nil if the log says so, or need not.
  func naming(_ known: KnownMessage) -> ArchiveIDRecord? {
    guard let id = message.archiveID, !known.record.mine || known.record.elsewhere else { return nil }
    if known.stated.id == id, known.isVouchedFor, known.stated.number >= idsSince { return nil }
    return ArchiveIDRecord(account: message.account, message: known.id, archiveID: id)
  }

  // MARK: - By sender, id and text

  /// The hashes by which others like it are found; none where they tell nothing.
  var contentHashes: [UInt64] {
    guard isTold else { return [] }
    let hashes = ContentHash.all(message)
    let mayBeNamed = message.archiveID == nil || message.isNoteToSelf || idsSince > 0
    return mayBeNamed ? hashes + hashes.map(ContentHash.ofNamed) : hashes
  }

  /// An archive shows messages in their order, so the oldest candidate is tried first.
  var beginsWithOldest: Bool { way == .archive }

  /// Whether what it says can tell of which message it is a copy. Without its sender's id that can only be said where the
  /// archive has one for each.
  private var isTold: Bool {
    let isNote = message.isNoteToSelf
    guard message.copyID != nil else { return message.archiveID != nil && (way == .archive || isNote) }
    // A live message that is not delivered again can only be a copy if the archive has shown it already, and only if
    // live messages do not bring the archive's ids.
    return way != .live || message.delayed || isNote || comparesLive
  }

  /// Whether it can be a copy of this one, unless that is another one's. Of two that came live only where the server says
  /// that it delivers again.
  func hasContent(of known: KnownMessage) -> Bool {
    let isOtherWay = way != .live || message.delayed || known.record.archived || message.isNoteToSelf
    return isOtherWay && hasSenderAndText(of: known.record) && hasCopyID(of: known.record) && isNear(known)
  }

  /// How many messages of the archive can be one: a note to oneself is there as sent and as received.
  var mostArchiveIDs: Int { message.isNoteToSelf ? 2 : 1 }

  private func hasSenderAndText(of known: MessageRecord) -> Bool {
    // A message sent from here has no sender.
    guard message.mine == known.mine, message.jid == known.jid,
      known.mine && !known.elsewhere || message.peer == known.peer
    else { return false }
    return message.text.utf8.elementsEqual(known.text.utf8)
  }

  private func hasCopyID(of known: MessageRecord) -> Bool {
    guard let id = message.copyID, let other = known.copyID else { return message.copyID == known.copyID }
    return id.utf8.elementsEqual(other.utf8)
  }

  private func isNear(_ known: KnownMessage) -> Bool {
    if let nearby { return isNear(known, within: nearby) }
    return known.id > newest || isNear(known, within: Self.margin)
  }

  private func isNear(_ known: KnownMessage, within span: Interval) -> Bool {
    let (difference, overflow) = message.time.subtractingReportingOverflow(known.record.time)
    return !overflow && difference.magnitude <= span.milliseconds.magnitude
  }

  /// How near it has to be where an id tells little; nil: it tells enough.
  private var nearby: Interval? {
    if message.copyID == nil { return .milliseconds(ContentHash.span) }
    guard message.isNoteToSelf else { return nil }
    return message.archiveID == nil ? Session.delay : .milliseconds(ContentHash.span)
  }
}
