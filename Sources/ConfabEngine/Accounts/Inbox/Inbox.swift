import Clocks
import State
import Records
import Settings
import XML
import XMPPCore
import XMPPExtensions
import XMPPStream

/// Takes messages in, in this order: decide (`IncomingMessage`), find whether it is a copy of a known one
/// (`CopyFinder`), place it (`MessageOrder`), drop it if it was forgotten (`ForgottenMessages`), keep it.
final class Inbox: StreamPart {
  private let jid: JID
  let state: AccountState
  let effects: Effects
  private let stream: ReliableStream
  var storage: Storage { stream.storage }
  private let roster: RosterSync
  private let features: ServerFeatures
  private let archive: ArchiveProgress
  private let receipts: Receipts
  private let deliveries: Deliveries
  let records: RecordReader
  let copies: CopyFinder
  let finder: MessageFinder
  let forgotten: ForgottenMessages
  private let settings: SettingsChanges
  let order: MessageOrder
  private var stamps = BelievedStamps()
  /// Bytes of a message whose changes are not limited.
  private static let shortContent = 1_024
  /// The senders of the last messages.
  private var senders = KnownSenders()
  /// Made when the next message comes.
  private var cachedRecipient: IncomingMessage.Recipient?
  /// How many more bytes of unknown payloads of people who are not on the roster are kept.
  private var strangersPayloads = RateLimiter(of: 1 << 20, each: .hours(1))
  /// How many more bytes the changes of others may take in the log beyond those of their stanzas.
  private var changesOfOthers = RateLimiter(of: 16 << 20, each: .hours(1))

  init(
    of jid: JID, _ stream: ReliableStream, _ roster: RosterSync, _ features: ServerFeatures,
    _ archive: ArchiveProgress, _ receipts: Receipts, _ records: RecordReader, _ effects: Effects
  ) {
    (self.jid, state, self.effects) = (jid, stream.state, effects)
    (self.stream, self.roster, self.features) = (stream, roster, features)
    (self.archive, self.receipts, self.records) = (archive, receipts, records)
    let storage = stream.storage
    deliveries = Deliveries(state, storage)
    copies = CopyFinder(state, storage, records, archive, features)
    finder = MessageFinder(state: state, storage: storage, records: records)
    forgotten = ForgottenMessages(state: state, records: records)
    settings = SettingsChanges(state: state, storage: storage, effects: effects)
    order = MessageOrder(state, storage, archive)
  }

  func streamBegins(_: NegotiatedStream) {
    cachedRecipient = nil
    order.streamBegan = stream.storage.queue.last
    stamps.expect(at: effects.now, since: stream.lastLive ?? state.lastLive)
    applyAllWaiting()
  }

  /// The server sent something: what it stores for us from now on is not older.
  func heard() { if stamps.isOver(at: effects.now.instant) { stream.lastLive = effects.now.wall } }

  /// Decides about a message stanza.
  func decide(_ element: Element) -> IncomingMessage {
    .decide(element, to: recipient, now: effects.now.wall, senders: &senders)
  }

  /// Decides about a result of our archive.
  func decide(_ copy: ForwardedMessage, archiveID: String) -> IncomingMessage {
    .decide(copy, archiveID: archiveID, to: recipient, now: effects.now.wall, senders: &senders)
  }

  /// Decides about a message that was stored as it came.
  func decide(stored message: Element, at time: Timestamp) -> IncomingMessage {
    .decide(ForwardedMessage(message, at: time), to: recipient, now: effects.now.wall, senders: &senders)
  }

  /// The account, as the recipient of messages on the present stream.
  private var recipient: IncomingMessage.Recipient {
    let (archiveIDs, isCounted) = (features.archiveIDs, stream.mode == .on)
    if let cachedRecipient, cachedRecipient.archiveIDs == archiveIDs, cachedRecipient.isCounted == isCounted {
      return cachedRecipient
    }
    let recipient = IncomingMessage.Recipient(
      account: state.number, own: stream.record.jid ?? jid, bare: jid, archiveIDs: archiveIDs,
      isCounted: isCounted)
    cachedRecipient = recipient
    return recipient
  }

  /// Takes a message; true if it was new and is kept.
  func take(_ message: consuming MessageRecord, _ way: IncomingMessage.Way) -> Bool {
    guard !takeEcho(message, way) else { return false }
    let mayHaveWaited = mayHaveWaited(message, way)
    if let known = copies.known(message, way) {
      copies.note(message, way, copyOf: known)
      return false
    }
    if forgotten.has(message, way) || leaveInArchive(message) { return false }
    keep(placed(message, way, isStampBelieved: mayHaveWaited), way)
    return true
  }

  /// Whether a message's stamp can be our server's own.
  func mayHaveWaited(_ message: MessageRecord, _ way: IncomingMessage.Way) -> Bool {
    stamps.mayHaveWaited(message, way, at: effects.now.instant)
  }

  /// A message with its place. A new one never stands among what was read, where nobody would see it.
  private func placed(
    _ message: consuming MessageRecord, _ way: IncomingMessage.Way, isStampBelieved: Bool
  ) -> MessageRecord {
    guard isStampBelieved else { return message.withoutStamp(effects.now.wall) }
    let placed = order.placed(message)
    guard way == .live, placed.delayed, !placed.mine, let read = state.conversations[placed.jid]?.read,
      placed.time < read.time.milliseconds
    else { return placed }
    return placed.withoutStamp(effects.now.wall)
  }

  /// Takes a message out of the archive; returns the known message that it is a copy of, or the message as it was kept,
  /// or neither if it was forgotten.
  func take(archived message: consuming MessageRecord) -> (known: KnownMessage?, kept: MessageRecord?) {
    if let known = copies.known(message, .archive) {
      copies.note(message, .archive, copyOf: known)
      return (known, nil)
    }
    if forgotten.has(message, .archive) || leaveInArchive(message) { return (nil, nil) }
    let placed = order.placed(message)
    keep(placed, .archive)
    return (nil, placed)
  }

  /// Leaves a stranger's text where it is, if our archive has it, our position there is known, and there is little room. Who
  /// is a stranger is known once the roster has come.
  func leaveInArchive(_ message: borrowing MessageRecord) -> Bool {
    guard message.archiveID != nil, archive.record != nil, !message.mine, !roster.isPending, isStranger(message.jid),
      storage.freeSpace.isShort
    else { return false }
    archive.leftCount += 1
    if archive.leftCount == 1 {
      effects.journal(
        .warning, .archive, of: state.record,
        "the disk has less room than strangers-floor: texts of strangers are left in the server's archive")
    }
    return true
  }

  private func isStranger(_ jid: String) -> Bool {
    !state.knows(jid) && !roster.has(jid) && !storage.pending.messages(of: state.number).isWrittenTo(jid)
  }

  /// The time at which a known or forgotten message of the archive stands here; nil: it is new.
  func time(of message: IncomingMessage) -> Timestamp? {
    guard case .keep(let message, let way) = message else { return nil }
    if let known = copies.known(message, way) { return Timestamp(milliseconds: known.record.time) }
    return forgotten.has(message, way) ? Timestamp(milliseconds: message.time) : nil
  }

  /// Whether it is a message of mine, sent from here, that comes back. A live one to my own JID is delivered with that.
  private func takeEcho(_ message: MessageRecord, _ way: IncomingMessage.Way) -> Bool {
    guard message.mine, let known = copies.sentFromHere(message) else { return false }
    if way == .live { deliveries.advance(DeliveryRecord(known, .delivered)) }
    return true
  }

  /// A new message becomes a record.
  private func keep(_ message: consuming MessageRecord, _ way: IncomingMessage.Way) {
    if message.owesReceipt, !owesReceipt(message, way) { message.owesReceipt = false }
    if !message.payloads.isEmpty, !message.mine, !isKept(message.payloads, of: message.jid) { message.payloads = [] }
    if isNews(way) { settings.unarchive(message.jid) }
    if message.isReply { finder.findAnswered(&message) }
    let id = stream.append(message)
    // A note to self comes as a carbon and as itself, one right after the other, even without an archive.
    if hasWaitingChanges { applyWaiting(to: message, id) }
    if archive.bringsCopies || message.mine && message.isNoteToSelf {
      copies.notePending(KnownMessage(id: id, record: message))
    }
  }

  /// Whether the sender gets a receipt: not for a carbon of what another device got, and not for history.
  func owesReceipt(_ message: MessageRecord, _ way: IncomingMessage.Way) -> Bool {
    way != .carbon && isNews(way) && receipts.mayBeOwed(for: message)
  }

  /// Whether what came this way is new, and no history of a first fetch.
  func isNews(_ way: IncomingMessage.Way) -> Bool { way != .archive || archive.run?.course == .forward }

  // MARK: - Payloads that a later version may understand

  /// Keeps a stanza without a text.
  func keep(_ payload: PayloadRecord, of message: Element) {
    let sender = senders.sender(.from, of: message, or: jid)
    if isKept(payload.xml, of: sender?.bare ?? "") {
      stream.storage.append(.payload(payload))
      return
    }
    let id = message.attribute(.id)
    note(
      RefusedStanza(
        name: message.local, from: sender?.jid.description, id: id.flatMap { $0.utf8.count > 1_023 ? nil : $0 },
        bytes: message.byteCount, reason: "the limit of stored payloads from outside the roster is reached"))
  }

  /// Whether a payload is kept. Of people who are not on the roster only a limited amount is kept, with or without a
  /// text, because no client shows payloads yet and a flood would go unnoticed.
  private func isKept(_ payload: [UInt8], of jid: String) -> Bool {
    jid == self.jid.description || roster.has(jid)
      || strangersPayloads.take(payload.count, at: effects.now.instant)
  }

  /// Whether a change is kept: its record has all of the message, and may be much longer than its stanza.
  func isKept(_ change: IncomingChange, as record: MessageRecord) -> Bool {
    let excess = record.contentBytes - change.element.byteCount - Self.shortContent
    if change.message.mine || excess <= 0 || changesOfOthers.take(excess, at: effects.now.instant) { return true }
    note(change.refused("the limit of changes of long messages is reached"))
    return false
  }

  /// Records that a stanza came and was not taken.
  func note(_ refused: RefusedStanza) {
    stream.storage.append(
      .refused(
        RefusedRecord(
          account: state.number, from: refused.from, stanzaID: refused.id, size: UInt64(refused.bytes),
          reason: refused.reason)))
    effects.journal(
      .warning, .skipped, of: state.record, "skipped a stanza of \(refused.bytes) bytes: \(refused.reason)",
      about: JournalFields(jid: refused.from, stanzaID: refused.id))
  }

  /// An error came back for a message of mine: it failed, unless it was delivered. A later ack changes nothing.
  func fail(_ stanzaID: String, from: JID, _ error: StanzaError) {
    guard let known = copies.refused(stanzaID, by: from, own: jid) else { return }
    let failure = Failure(condition: error.condition, text: error.text)
    // First: once it is recorded as failed, the error says nothing new, should a power cut leave this record alone.
    RefusedChange(known.record)?.takeBack(finder, effects)
    deliveries.advance(DeliveryRecord(known, .failed, failure: failure))
  }
}
