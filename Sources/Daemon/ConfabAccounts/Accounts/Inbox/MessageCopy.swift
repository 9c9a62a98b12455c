import Clocks
import Timelines
import State
import Records
import XML
import XMPPExtensions

extension KnownMessage {
  /// The archive id by which the message was found, and the number of the record that has the id.
  fileprivate var stated: (id: String?, number: UInt64) {
    named.first.map { ($0.record.archiveID, $0.number) } ?? (record.archiveID ?? record.claimedArchiveID, id)
  }

  /// True if only our archive can have written the id.
  fileprivate var isVouchedFor: Bool { !named.isEmpty || record.archiveID != nil }
}

/// Decides whether a message is a copy of a known one: the rules, which depend on nothing but the two messages
/// (docs/decisions/0042-ids-of-an-archive.md).
struct MessageCopy {
  let message: MessageRecord
  let way: IncomingMessage.Way
  /// True if the archive may have shown a live message before, and live messages do not bring the archive's id.
  let comparesLive: Bool
  /// In records before this one the archive ids may be out of date.
  let idsSince: UInt64
  /// Records from this one on are recent: their times are not compared, so that a wrong clock does not split copies
  /// that came just now.
  let newest: UInt64

  /// The largest difference between the times of two copies: clients reuse ids, and people repeat texts.
  private static let margin = Interval.days(1)
  /// The margin of a room's message without an id, which the room says again at each join, stamped in whole seconds.
  private static let roomMargin = Interval.seconds(2)

  /// The greatest difference between the clocks of another client and of the archive.
  private static let importMargin = Interval.minutes(1)

  /// How far the clocks of two people may be apart when one says when a message was written that the other saw come.
  private static let clockMargin = Interval.minutes(2)

  // MARK: - By the archive's id

  var archiveHash: UInt64? { statedID.map { MessageIDHash.of($0) } }

  private var statedID: String? { message.archiveID ?? message.claimedArchiveID }

  /// True if both messages have the same id of our archive. An id that only the archive can have written is enough
  /// within a conversation. If anybody may have written the id, or the archive may have given it twice, sender and text
  /// must be equal, too.
  func hasArchiveID(of known: KnownMessage) -> Bool {
    let (id, number) = known.stated
    guard let id, id == statedID, message.isByAuthor(of: known.record) else { return false }
    let isOfThisArchive = number >= idsSince
    if isOfThisArchive, message.archiveID != nil, known.isVouchedFor { return true }
    return hasSenderAndText(of: known.record) && (isOfThisArchive || isNear(known, within: Self.margin))
  }

  /// The record to append for a known message's archive id; nil if the log has the id, or does not need it. A stanza
  /// that is delivered again may have the id of an earlier archive.
  func naming(_ known: KnownMessage) -> ArchiveIDRecord? {
    guard let id = message.archiveID, !known.record.isFromHere || known.record.isOfRoom else { return nil }
    if known.stated.id == id, known.isVouchedFor, way != .archive || known.stated.number >= idsSince { return nil }
    return ArchiveIDRecord(account: message.account, message: known.id, archiveID: id)
  }

  // MARK: - By sender, id and text

  /// The hashes by which possible copies are found; empty if they would prove nothing.
  var contentHashes: [UInt64] {
    guard isIdentifiedByContent else { return [] }
    let hashes = ContentHash.all(message)
    let mayBeNamed = message.archiveID == nil || message.isNoteToSelf || idsSince > 0 || message.isInPrivate
    return mayBeNamed ? hashes + hashes.map(ContentHash.ofNamed) : hashes
  }

  /// An archive shows messages in their order, so the oldest candidate is tried first.
  var beginsWithOldest: Bool { way == .archive }

  /// True if the content can identify the message. Without the sender's id it can do so only if the archive has an id
  /// for each message.
  private var isIdentifiedByContent: Bool {
    let isNote = message.isNoteToSelf
    guard message.copyID != nil else {
      return message.archiveID != nil && (way == .archive || isNote) || message.isOfRoom && message.delayed
    }
    // A live message that is not delivered again can only be a copy if the archive has shown it already, and only if
    // live messages do not bring the archive's ids.
    return way != .live || message.delayed || isNote || comparesLive || maySayAgain
  }

  /// True if it can be a copy of this message, if that is not matched already. Two live messages are copies only if the
  /// server marks the second one as delivered again.
  func hasContent(of known: KnownMessage) -> Bool {
    let isSaidAgain = isSaidAgain(known)
    let isOtherWay = way != .live || message.delayed || known.record.archived || message.isNoteToSelf
    return (isOtherWay || isSaidAgain) && hasSenderAndText(of: known.record, isSaidAgain: isSaidAgain)
      && hasCopyID(of: known.record) && isNear(known)
  }

  /// True if it can be a copy of this message as it was before changes that it had when it came. One of mine in a room,
  /// which came without the nick that I had, is looked for so, too, and one that this device cannot read.
  func hasContentBeforeChanges(of known: KnownMessage) -> Bool {
    guard known.record.isHistory, message.hasSender(of: known.record), hasCopyID(of: known.record),
      isNear(known, within: Self.margin)
    else { return false }
    // Another device sent it, or could read it.
    if message.details?.seal?.unreadable != nil { return true }
    guard let change = known.record.details?.change else {
      return message.isOfRoom && message.isMine && message.text == known.record.text
    }
    return change.retraction != nil || change.texts.first?.text == message.text
  }

  /// True of a message with the archive's id, out of the archive.
  var mayBeImported: Bool { way == .archive && message.archiveID != nil && !message.text.isEmpty }

  /// The times between which an imported copy stands.
  var importedTimes: (Timestamp, Timestamp) {
    let time = Timestamp(milliseconds: message.time)
    return (
      time.advanced(by: .milliseconds(-Self.importMargin.milliseconds)), time.advanced(by: Self.importMargin)
    )
  }

  /// True if the message can be the one that was imported from another client's history, whose clock was another, and which
  /// may have had no ids.
  func isImported(as known: KnownMessage) -> Bool {
    guard known.record.isHistory, message.isByAuthor(of: known.record), isNear(known, within: Self.importMargin)
    else { return false }
    if let id = message.copyID, let other = known.record.copyID, id != other { return false }
    let earlier = known.record.details?.change?.texts.first?.text
    return message.text == known.record.text || message.text == earlier
  }

  /// True of a message of a room without an archive, or of an occupant to me, whose sender says when it was written.
  private var maySayAgain: Bool {
    message.claimedTime != nil && (message.isInPrivate || message.isOfRoom && statedID == nil)
  }

  /// True if the sender of a message of a room may have sent this one before, by when it says that it was written: a room
  /// whose server was killed has shown a message and does not know it, so its sender says it again under the same id.
  func isSaidAgain(_ known: KnownMessage) -> Bool {
    guard maySayAgain, let claimed = message.claimedTime else { return false }
    return Self.areNear(claimed, known.record.claimedTime ?? known.record.time, within: Self.clockMargin)
  }

  /// True if a private message of an occupant is archived once more for another device of mine under the same nick, at the
  /// same time.
  func isForOtherDevice(_ known: KnownMessage) -> Bool {
    message.isInPrivate && !message.isMine && message.copyID != nil && isNear(known, within: MessageOrder.delay)
  }

  /// How many archive ids one message can have: a note to self is archived as sent and as received.
  var mostArchiveIDs: Int { message.isNoteToSelf ? 2 : 1 }

  private func hasSenderAndText(of known: MessageRecord, isSaidAgain: Bool = false) -> Bool {
    (message.hasSender(of: known) || isSaidAgain && message.mayRepeat(known))
      && message.text.utf8.elementsEqual(known.text.utf8)
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
    Self.areNear(message.time, known.record.time, within: span)
  }

  /// True if two times, in milliseconds since 1970, may be those of two copies.
  static func areNear(_ time: Int64, _ other: Int64, within span: Interval = margin) -> Bool {
    let distance = Timestamp(milliseconds: time) - Timestamp(milliseconds: other)
    return distance.milliseconds.magnitude <= span.milliseconds.magnitude
  }

  /// How close the times must be if the id proves little; nil if the id is enough.
  private var nearby: Interval? {
    if message.copyID == nil { return message.isOfRoom ? Self.roomMargin : .milliseconds(ContentHash.span) }
    guard message.isNoteToSelf else { return nil }
    return message.archiveID == nil ? MessageOrder.delay : .milliseconds(ContentHash.span)
  }
}

extension PayloadRecord {
  /// True if this stanza has the same id of our archive as a stored one, and is the same. An id that only the archive
  /// can have written is enough; if anybody may have written it, or the archive may have given it twice, the stanzas
  /// must be equal, too.
  ///
  /// - Parameter isOfThisArchive: true: the stored one's id is of the archive that there is now.
  func isCopy(of known: PayloadRecord, isOfThisArchive: Bool) -> Bool {
    guard let id = statedArchiveID, id == known.statedArchiveID, waitsFor == known.waitsFor else { return false }
    return isOfThisArchive && archiveID != nil && known.archiveID != nil || hasContent(of: known)
  }

  /// True if sender, id and content are equal, apart from additions of servers.
  private func hasContent(of known: PayloadRecord) -> Bool {
    guard let stanza = UnknownPayloads.parse(xml)?.first, let other = UnknownPayloads.parse(known.xml)?.first else {
      return xml == known.xml
    }
    return stanza.attribute(.from) == other.attribute(.from) && stanza.attribute(.id) == other.attribute(.id)
      && stanza.ownChildren == other.ownChildren
  }
}

extension Element {
  /// The children that no server adds.
  fileprivate var ownChildren: [Element] {
    children.filter { !$0.isNamed(.stanzaID, .stanzaIDs) && !$0.isNamed(.delay, .delayed) }
  }
}
