import Timelines
import State
import Records
import XMPPCore

/// Finds the known message, stored or pending, of which another one is a copy, however it came: live, as a carbon, from
/// the archive, or again.
///
/// If our archive's id can be trusted, it identifies a message; otherwise sender, id and text together do. An id alone
/// never does, because senders choose their ids. The rules are in `MessageCopy`; this type finds the candidates.
final class Deduplicator {
  /// The newest records, by count, that are compared without regard to the clock.
  private static let recentRecordCount: UInt64 = 10_000
  /// Messages about the time of an archive's that are compared with it.
  private static let mostRows = 1_000
  /// The imported ones among them, which are read from the log.
  private static let mostImported = 256

  private let state: AccountState
  private let storage: Storage
  private let records: RecordReader
  private let archive: Archive

  init(
    _ state: AccountState, _ storage: Storage, _ records: RecordReader, _ archive: Archive
  ) {
    (self.state, self.storage, self.records, self.archive) = (state, storage, records, archive)
  }

  private var pending: PendingMessages { storage.pending.messages(of: state.number) }

  /// The message that this one is a copy of; nil: it is new.
  func known(_ message: MessageRecord, _ way: IncomingMessage.Way) -> KnownMessage? {
    if let hash = message.details?.seal?.ciphertext, let found = withSameCiphertext(hash) { return found }
    let copy = copy(message, way)
    if let hash = copy.archiveHash, let found = withSameArchiveID(hash, copy) { return found }
    if message.isMine, let sent = sentFromHere(message) { return sent }
    let hashes = copy.contentHashes
    guard !hashes.isEmpty else { return nil }
    return withSameContent(hashes, copy) ?? withEarlierContent(copy) ?? fromAnotherClient(copy)
  }

  /// The imported message of another client's history that the archive's message is: by author, text and time
  /// (docs/decisions/0203-copies-by-time.md). The oldest one is tried first.
  private func fromAnotherClient(_ copy: MessageCopy) -> KnownMessage? {
    guard copy.mayBeImported, let timeline = state.conversations[copy.message.jid]?.timeline else { return nil }
    let (first, last) = copy.importedTimes
    let start = timeline.firstRow(notBefore: first)
    var lookedAt = 0
    for row in start..<min(timeline.count, start + Self.mostRows) where lookedAt < Self.mostImported {
      let entry = timeline[row]
      if entry.time > last { break }
      guard entry.flags.contains(.history), !entry.flags.contains(.archived) else { continue }
      lookedAt += 1
      if let known = known(entry.id), copy.isImported(as: known), isFree(known, for: copy) { return known }
    }
    return nil
  }

  /// My own message, sent from here, that comes back: to my own JID, as a carbon, or from the archive. Its id is random
  /// and ours.
  func sentFromHere(_ message: MessageRecord) -> KnownMessage? {
    guard let stanzaID = message.copyID else { return nil }
    return sent(stanzaID, to: message.jid)
  }

  /// True of a stanza before the last one of a message of mine that was sent from here: nothing of its own. A room's id of
  /// it is noted, since others may refer to that.
  func isPart(_ message: MessageRecord, _ way: IncomingMessage.Way) -> Bool {
    guard message.isMine, let id = message.copyID.flatMap(PartID.message), let whole = sent(id, to: message.jid),
      whole.record.details?.files.isEmpty == false
    else { return false }
    let copy = copy(message, way)
    if message.isOfRoom, copy.archiveHash.flatMap({ withSameArchiveID($0, copy) }) == nil {
      note(message, way, copyOf: whole)
    }
    return true
  }

  /// A message of mine, or a change of one, that was sent from here with this stanza's id.
  ///
  /// - Parameter jid: the conversation; nil: any.
  func sent(_ stanzaID: String, to jid: String?) -> KnownMessage? {
    state.messageIDs.ids(.stanzaID, MessageIDHash.of(stanzaID)).firstNonNil { id in
      guard let sent = records.sent(id, stanzaID), jid == nil || sent.jid == jid else { return nil }
      return KnownMessage(id: id, record: sent)
    }
  }

  /// False: no encrypted message or change with this stanza's id is in a conversation. Costs little in a burst.
  func hasSealed(_ stanzaID: String, in jid: String) -> Bool {
    let hash = MessageIDHash.ofNamed(stanzaID, in: jid)
    return pending.first(hash) { $0.record.details?.seal != nil } != nil
      || storage.pending.change(stanzaID, in: jid, of: state.number) != nil
      || !state.messageIDs.ids(.copy, hash).isEmpty
  }

  /// A change of a message, sent from here.
  func sentChange(_ stanzaID: String, to jid: String) -> KnownMessage? {
    sent(stanzaID, to: jid).flatMap { $0.record.target == nil ? nil : $0 }
  }

  private func copy(_ message: MessageRecord, _ way: IncomingMessage.Way) -> MessageCopy {
    let durable = storage.queue.durable
    return MessageCopy(
      message: message, way: way, comparesLive: archive.bringsCopies && archive.ids != .trusted,
      idsSince: archive.idsSince, newest: durable - min(durable, Self.recentRecordCount))
  }

  /// The message that the same ciphertext brought: no sender makes one twice.
  private func withSameCiphertext(_ hash: UInt64) -> KnownMessage? {
    pending.first(hash) { $0.record.details?.seal?.ciphertext == hash }
      ?? state.messageIDs.ids(.copy, hash).firstNonNil { id in
        (known(id) ?? opened(id)).flatMap { $0.record.details?.seal?.ciphertext == hash ? $0 : nil }
      }
  }

  /// The message that could be read with this record, as it stands since.
  private func opened(_ number: UInt64) -> KnownMessage? {
    guard case .change(let record) = records.record(number), record.details?.change?.kind == .opened else { return nil }
    return record.target.map { KnownMessage(id: $0, record: record) }
  }

  /// The message with the same id of our archive, pending or applied.
  private func withSameArchiveID(_ hash: UInt64, _ copy: MessageCopy) -> KnownMessage? {
    if let found = pending.first(hash, where: copy.hasArchiveID) { return found }
    for id in state.messageIDs.ids(.archiveID, hash) {
      if let found = known(id), copy.hasArchiveID(of: found) { return found }
    }
    return nil
  }

  /// The message with the same sender, id and text that is not already matched with another copy.
  private func withSameContent(_ hashes: [UInt64], _ copy: MessageCopy) -> KnownMessage? {
    let isWanted = {
      copy.hasContent(of: $0)
        && (copy.isForOtherDevice($0) || copy.isSaidAgain($0) || self.isFree($0, for: copy))
    }
    var ids = hashes.flatMap { state.messageIDs.ids(.copy, $0) }
    guard copy.beginsWithOldest else {
      return hashes.firstNonNil { pending.first($0, where: isWanted) } ?? first(ids, where: isWanted)
    }
    ids.sort()
    return first(ids, where: isWanted) ?? hashes.firstNonNil { pending.first($0, where: isWanted) }
  }

  /// The message of history with the same sender and id that had been changed when it came: the copy's text is one of
  /// the earlier ones, or gone. So is one of mine in a room that was imported.
  private func withEarlierContent(_ copy: MessageCopy) -> KnownMessage? {
    guard let stanzaID = copy.message.copyID else { return nil }
    return first(state.messageIDs.ids(.copy, MessageIDHash.ofNamed(stanzaID, in: copy.message.jid))) {
      copy.hasContentBeforeChanges(of: $0) && isFree($0, for: copy)
    }
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

  /// True if a stored message may get this copy's archive id. The archive has one entry for each message, so a message
  /// that already has an id is a different one.
  private func isFree(_ known: KnownMessage, for copy: MessageCopy) -> Bool {
    guard copy.message.archiveID != nil else { return true }
    let since = archive.idsSince
    let own = known.record.archiveID != nil && known.id >= since ? 1 : 0
    let hash = ArchiveIDRecord.hash(ofMessage: known.id)
    let named = state.messageIDs.ids(.archiveID, hash).count { $0 >= since }
    return own + named + pending.countNamed(known.id, since: since) < copy.mostArchiveIDs
  }

  /// Stores the archive id of a known message if the log does not have it.
  func note(_ message: MessageRecord, _ way: IncomingMessage.Way, copyOf known: KnownMessage) {
    guard let naming = copy(message, way).naming(known) else { return }
    let number = storage.append(.archiveID(naming))
    notePending(KnownMessage(id: known.id, record: known.record, named: [(naming, number)]))
  }

  /// Remembers an appended message until it is durable.
  func notePending(_ message: KnownMessage) {
    storage.pending.note(message, of: state.number)
  }

  /// Remembers what an earlier stream received and the disk has not stored yet: the server delivers it again.
  func notePendingOfEarlierStream() {
    storage.pending.forgetMessages(of: state.number)
    for (id, message) in storage.queue.pendingMessages(of: state.number) {
      notePending(KnownMessage(id: id, record: message))
    }
  }

  /// True if a stanza that was not understood, or a message, with the same id of our archive is stored or pending.
  func has(_ payload: PayloadRecord) -> Bool {
    guard let hash = payload.statedArchiveID.map({ MessageIDHash.of($0) }) else { return false }
    let pending = storage.pending.payloads(of: state.number, archiveID: hash)
    return (pending + state.messageIDs.ids(.archiveID, hash)).contains { number in
      switch records.recordOrPending(number) {
      case .payload(let known): payload.isCopy(of: known, isOfThisArchive: number >= archive.idsSince)
      // A waiting signal may have come beside a message.
      case .message(let known):
        payload.waitsFor == nil && known.archiveID != nil && known.archiveID == payload.archiveID
      case .erased: payload.archiveID != nil
      default: false
      }
    }
  }
}

extension [UInt64] {
  /// The first result that is not nil.
  fileprivate func firstNonNil<T>(_ body: (UInt64) -> T?) -> T? {
    for number in self { if let made = body(number) { return made } }
    return nil
  }
}
