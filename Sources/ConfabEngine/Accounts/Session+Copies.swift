import Clocks
import Facts
import Records

/// Finds the known message of which another one is a copy, however it came: live, as a carbon, from the archive, or
/// again.
///
/// If our archive's id can be trusted, it identifies a message; otherwise sender, id and text together do. An id alone
/// never does, because senders choose their ids. The rules are in `MessageCopy`; this extension finds the candidates.
extension Session {
  /// The newest records, by count, that are compared without regard to the clock.
  private static let recentRecordCount: UInt64 = 10_000

  /// The message that this one is a copy of; nil: it is new.
  func known(_ message: MessageRecord, _ way: IncomingMessage.Way) -> KnownMessage? {
    let copy = copy(message, way)
    if let hash = copy.archiveHash, let found = withSameArchiveID(hash, copy) { return found }
    if message.mine, let sent = sentFromHere(message) { return sent }
    let hashes = copy.contentHashes
    return hashes.isEmpty ? nil : withSameContent(hashes, copy)
  }

  private func copy(_ message: MessageRecord, _ way: IncomingMessage.Way) -> MessageCopy {
    let durable = storage.queue.durable
    return MessageCopy(
      message: message, way: way, comparesLive: bringsCopies && !features.keepsArchiveIDs, idsSince: idsSince,
      newest: durable - min(durable, Self.recentRecordCount))
  }

  /// The message with the same id of our archive, pending or applied.
  private func withSameArchiveID(_ hash: UInt64, _ copy: MessageCopy) -> KnownMessage? {
    if let found = underWay.first(hash, where: copy.hasArchiveID) { return found }
    for id in account.tokens.ids(.archiveID, hash) {
      if let found = known(id), copy.hasArchiveID(of: found) { return found }
    }
    return nil
  }

  /// The message with the same sender, id and text that is not already matched with another copy.
  private func withSameContent(_ hashes: [UInt64], _ copy: MessageCopy) -> KnownMessage? {
    let isWanted = { copy.hasContent(of: $0) && self.isFree($0, for: copy) }
    var ids = hashes.flatMap { account.tokens.ids(.copy, $0) }
    guard copy.beginsWithOldest else {
      return hashes.firstNonNil { underWay.first($0, where: isWanted) } ?? first(ids, where: isWanted)
    }
    ids.sort()
    return first(ids, where: isWanted) ?? hashes.firstNonNil { underWay.first($0, where: isWanted) }
  }

  private func first(_ ids: [UInt64], where isWanted: (KnownMessage) -> Bool) -> KnownMessage? {
    ids.firstNonNil { id in known(id).flatMap { isWanted($0) ? $0 : nil } }
  }

  /// The message to which a record found by its token belongs.
  private func known(_ number: UInt64) -> KnownMessage? {
    switch records.record(number) {
    case .message(let message): KnownMessage(id: number, record: message)
    case .archiveID(let named):
      records.message(named.message).map { KnownMessage(id: named.message, record: $0, named: [(named, number)]) }
    default: nil
    }
  }

  /// Whether a message may have another archive id. The archive has one entry for each message, so a message that
  /// already has an id is a different one.
  private func isFree(_ known: KnownMessage, for copy: MessageCopy) -> Bool {
    guard copy.message.archiveID != nil else { return true }
    let own = known.record.archiveID != nil && known.id >= idsSince ? 1 : 0
    let hash = ArchiveIDRecord.hash(ofMessage: known.id)
    let named = account.tokens.ids(.archiveID, hash).count { $0 >= idsSince }
    return own + named + underWay.countNamed(known.id, since: idsSince) < copy.mostArchiveIDs
  }

  /// Stores the archive id of a known message if the log does not have it.
  func note(_ message: MessageRecord, _ way: IncomingMessage.Way, copyOf known: KnownMessage) {
    guard let naming = copy(message, way).naming(known) else { return }
    let number = storage.append(.archiveID(naming))
    underWay.note(KnownMessage(id: known.id, record: known.record, named: [(naming, number)]))
  }

  /// Distrusts archive ids from before now: the archive does not know one of its own ids, so it may have been replaced
  /// and have the same messages under new ids.
  ///
  /// - Parameter isAnother: the archive is known to have been replaced: the former archive may have had messages that
  /// this one lacks.
  func distrustEarlierIDs(isAnother: Bool) {
    guard var record = archived else { return }
    record.idsSince = storage.queue.last + 1
    if isAnother { record.provesSince = record.idsSince }
    write(record)
  }
}

extension [UInt64] {
  /// The first result that is not nil.
  fileprivate func firstNonNil<T>(_ body: (UInt64) -> T?) -> T? {
    for number in self { if let made = body(number) { return made } }
    return nil
  }
}

/// Messages of mine.
extension Session {

  /// Finds my own message, sent from here, that comes back: to my own JID, as a carbon, or from the archive. Its id is
  /// random and ours.
  func sentFromHere(_ message: MessageRecord) -> KnownMessage? {
    guard let stanzaID = message.copyID else { return nil }
    return sent(stanzaID, to: message.jid)
  }

  /// My own message, sent from here, with this stanza id.
  func sent(_ stanzaID: String, to jid: String) -> KnownMessage? {
    for id in account.tokens.ids(.stanzaID, TokenHash.of(stanzaID)) {
      if let sent = records.message(id), sent.stanzaID == stanzaID, sent.jid == jid {
        return KnownMessage(id: id, record: sent)
      }
    }
    return nil
  }
}
