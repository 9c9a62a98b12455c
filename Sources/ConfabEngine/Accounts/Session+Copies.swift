import Clocks
import Conversations
import Facts
import Records

/// Which messages are here already, in whatever way they came: live, as a carbon copy, from the archive, or again.
///
/// The archive's id tells, where the archive is ours to trust; else sender, id and text together, between copies of
/// different ways only. Never an id alone: senders choose ids.
extension Session {
  /// How far apart a message's time here and the archive's stamp may be where only they can find it.
  static let searchMargin = Interval.minutes(2)
  /// Messages that one search may read, and look at.
  static let mostReads = 1_000
  static let mostLooks = 10_000
  /// Messages that are read for one that says the same as another, with the same id, from the same sender.
  private static let mostTwins = 16

  /// The message that this one is a copy of; nil: it is new.
  func known(_ message: MessageRecord, _ way: IncomingMessage.Way, _ turn: Turn) -> KnownMessage? {
    if let id = message.archiveID {
      let hash = TokenIndex.hash(id)
      if let found = candidate(hash, account.archiveIDs.candidate(hash), turn),
        found.record.hasSameArchiveID(as: message)
      {
        return found
      }
    }
    if message.mine, let sent = sentFromHere(message, turn) { return sent }
    if mayBeCopy(message, way), let token = message.copyToken {
      let hash = TokenIndex.hash(token)
      if let found = candidate(hash, account.incoming.candidate(hash), turn), found.record.hasSameContent(as: message) {
        if isCopy(message, way, of: found) { return found }
        // What the server handed over twice is in its archive twice: this is the other one's copy.
        if way == .archive { return search(for: message, before: found.id, most: Self.mostTwins, turn) }
      }
    }
    guard way == .archive else { return nil }
    let known = max(
      account.archiveIDs.completeFrom, account.incoming.completeFrom, message.mine ? account.stanzaIDs.completeFrom : 0)
    return search(for: message, before: known, most: Self.mostReads, turn)
  }

  /// Copies of what is here may come out of the archive. (What is asked of `archive` as a whole is asked of a copy.)
  var bringsCopies: Bool { archive.state != .none }

  /// What comes live and is not delivered again can only be what the archive has shown already, and that only where the
  /// archive's ids do not come with it.
  private func mayBeCopy(_ message: MessageRecord, _ way: IncomingMessage.Way) -> Bool {
    way != .live || message.delayed || bringsCopies && !features.keepsArchiveIDs
  }

  /// One that is on its way to the disk, or a fact.
  private func candidate(_ hash: UInt64, _ id: UInt64?, _ turn: Turn) -> KnownMessage? {
    if let found = underWay.candidate(hash) { return found }
    guard let id, let record = turn.message(id) else { return nil }
    return KnownMessage(id: id, record: record)
  }

  /// What I sent from here comes back: to my own JID, as a copy, or out of the archive. Its id is ours, and random.
  func sentFromHere(_ message: MessageRecord, _ turn: Turn) -> KnownMessage? {
    guard let stanzaID = message.originID ?? message.stanzaID, let id = account.stanzaIDs.candidate(stanzaID),
      let sent = turn.message(id), sent.stanzaID == stanzaID, sent.jid == message.jid
    else { return nil }
    return KnownMessage(id: id, record: sent)
  }

  /// Whether the same sender, id and text mean the same message. Of two that came live they do only where the server
  /// says that it delivers again; of two that the archive has apart, never.
  private func isCopy(_ message: MessageRecord, _ way: IncomingMessage.Way, of known: KnownMessage) -> Bool {
    let isOtherWay = way != .live || message.delayed || known.record.archived
    return isOtherWay && known.record.hasSameContent(as: message) && isFree(known, for: message)
  }

  /// The archive has one message for each: one of ours that it has told of under another id is another one's copy.
  private func isFree(_ known: KnownMessage, for message: MessageRecord) -> Bool {
    guard let id = message.archiveID else { return true }
    if let other = known.record.archiveID ?? claimed[known.id] { return other == id }
    return true
  }

  /// One that the indexes do not hold: it stands in its conversation at about its time.
  private func search(for message: MessageRecord, before limit: UInt64, most: Int, _ turn: Turn) -> KnownMessage? {
    guard limit > 0, let timeline = account.conversations[message.jid]?.timeline else { return nil }
    let began = archive.run?.began ?? 0
    var reads = 0
    var found: KnownMessage?
    timeline.visit(around: Timestamp(milliseconds: message.time), within: Self.searchMargin, most: Self.mostLooks) {
      entry in
      let isOfThisRun = entry.flags.contains(.archived) && entry.id > began
      guard entry.id < limit, !isOfThisRun, entry.flags.contains(.mine) == message.mine else { return true }
      reads += 1
      if let record = turn.message(at: entry.location) {
        let known = KnownMessage(id: entry.id, record: record)
        let isSame = record.hasSameArchiveID(as: message) || isCopy(message, .archive, of: known)
        if isSame { found = known }
      }
      return found == nil && reads < most
    }
    return found
  }
}

extension MessageRecord {
  /// The archive gave both the same id, and they are of one conversation.
  fileprivate func hasSameArchiveID(as other: MessageRecord) -> Bool {
    guard let archiveID, let id = other.archiveID else { return false }
    return archiveID == id && jid == other.jid && mine == other.mine
  }

  /// Sender, conversation, id and text are the same, byte by byte. What was sent from here has no sender.
  fileprivate func hasSameContent(as other: MessageRecord) -> Bool {
    guard let id = originID ?? stanzaID, let otherID = other.originID ?? other.stanzaID, mine == other.mine,
      jid == other.jid, mine && !elsewhere || peer == other.peer
    else { return false }
    return id.utf8.elementsEqual(otherID.utf8) && text.utf8.elementsEqual(other.text.utf8)
  }
}
