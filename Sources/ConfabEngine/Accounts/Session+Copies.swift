import Clocks
import Conversations
import Facts
import Records

/// Which messages are here already, in whatever way they came: live, as a carbon copy, from the archive, or again.
///
/// The archive's id tells, where the archive is ours to trust; else sender, id and text together, between copies of
/// different ways only. Never an id alone: senders choose ids.
extension Session {
  /// How far apart the times of two copies may be: clocks are wrong. What came lately may have come at any time.
  private static let copyMargin = Interval.days(1)
  private static let lately: UInt64 = 10_000

  /// The message that this one is a copy of; nil: it is new.
  func known(_ message: MessageRecord, _ way: IncomingMessage.Way, _ turn: Turn) -> KnownMessage? {
    if let id = message.archiveID {
      let found = first(.archiveID, TokenHash.of(id), turn) { $0.record.hasSameArchiveID(as: message) }
      if let found { return found }
    }
    if message.mine, let sent = sentFromHere(message, turn) { return sent }
    guard mayBeCopy(message, way), let hash = message.copyHash else { return nil }
    return first(.copy, hash, turn) { isCopy(message, way, of: $0, turn) }
  }

  /// What comes live and is not delivered again can only be what the archive has shown already, and that only where the
  /// archive's ids do not come with it.
  private func mayBeCopy(_ message: MessageRecord, _ way: IncomingMessage.Way) -> Bool {
    way != .live || message.delayed || bringsCopies && !features.keepsArchiveIDs
  }

  /// The first that is wanted of those that carry a token: one that is on its way to the disk, or a fact.
  private func first(
    _ kind: TokenKind, _ hash: UInt64, _ turn: Turn, where isWanted: (KnownMessage) -> Bool
  ) -> KnownMessage? {
    if let found = underWay.candidate(hash), isWanted(found) { return found }
    for id in account.tokens.ids(kind, hash) {
      if let found = turn.message(id).map({ KnownMessage(id: id, record: $0) }), isWanted(found) { return found }
    }
    return nil
  }

  /// What I sent from here comes back: to my own JID, as a copy, or out of the archive. Its id is ours, and random.
  func sentFromHere(_ message: MessageRecord, _ turn: Turn) -> KnownMessage? {
    guard let stanzaID = message.originID ?? message.stanzaID else { return nil }
    return sent(stanzaID, to: message.jid, turn)
  }

  /// The message of mine, sent from here, that has this stanza id.
  func sent(_ stanzaID: String, to jid: String, _ turn: Turn) -> KnownMessage? {
    for id in account.tokens.ids(.stanzaID, TokenHash.of(stanzaID)) {
      if let sent = turn.message(id), sent.stanzaID == stanzaID, sent.jid == jid {
        return KnownMessage(id: id, record: sent)
      }
    }
    return nil
  }

  /// Whether the same sender, id and text mean the same message. Of two that came live they do only where the server
  /// says that it delivers again; of two that the archive has apart, never.
  private func isCopy(_ message: MessageRecord, _ way: IncomingMessage.Way, of known: KnownMessage, _ turn: Turn)
    -> Bool
  {
    let isOtherWay = way != .live || message.delayed || known.record.archived
    return isOtherWay && known.record.hasSameContent(as: message) && isFree(known, for: message)
      && isNear(known, message, turn)
  }

  /// Clients count their ids anew, and people say the same again: what is far apart is not one message.
  private func isNear(_ known: KnownMessage, _ message: MessageRecord, _ turn: Turn) -> Bool {
    let margin = Self.copyMargin.milliseconds
    let (distance, overflow) = message.time.subtractingReportingOverflow(known.record.time)
    return known.id + Self.lately > turn.ledger.durable || !overflow && distance <= margin && distance >= -margin
  }

  /// The archive has one message for each: one of ours that it has told of under another id is another one's copy.
  private func isFree(_ known: KnownMessage, for message: MessageRecord) -> Bool {
    guard let id = message.archiveID else { return true }
    if let other = known.record.archiveID ?? claimed[known.id] { return other == id }
    return true
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
