import Clocks
import Timelines
import State
import Records
import ConfabConfiguration
import XML
import XMPPCore
import XMPPExtensions
import XMPPStream

/// Takes messages in, in this order: decide (`MessageDecider`), find whether it is a copy of a known one
/// (`Deduplicator`), place it (`MessageOrder`), drop it if it was forgotten (`ForgottenMessages`), keep it.
package final class Inbox: StreamPart {
  /// The known message or change that one is a copy of, or the message as it was kept; neither if it was forgotten.
  typealias Taken = (known: KnownMessage?, kept: MessageRecord?)

  let stream: ReliableStream
  let effects: Effects
  let archive: Archive
  private let receipts: Receipts
  private let ownActivity: OwnActivity
  private let deliveries: Deliveries
  private let settings: SettingsChanges
  let decider: MessageDecider
  let deduplicator: Deduplicator
  package let finder: MessageFinder
  let order: MessageOrder
  let forgotten: ForgottenMessages
  let limits: InboxLimits
  let received: SignalsReceived
  let awaited: AwaitedMessages
  /// Returns what is awaited in the room at an address; nil: there is no room.
  var awaitedOfRoom: (String) -> AwaitedMessages? = { _ in nil }
  private let stamps: BelievedStamps
  let encryption: Encryption

  /// - Parameters:
  ///   - stamps: of the account's stream.
  ///   - room: whose messages it takes; nil: the account's.
  init(
    of jid: JID, _ stream: ReliableStream, _ roster: RosterSync, _ archive: Archive, _ receipts: Receipts,
    _ ownActivity: OwnActivity, _ records: RecordReader, _ stamps: BelievedStamps, _ encryption: Encryption,
    room: (any RoomSenders)? = nil
  ) {
    self.encryption = encryption
    (self.ownActivity, self.stamps) = (ownActivity, stamps)
    let (state, storage, effects) = (stream.state, stream.storage, stream.effects)
    (self.stream, self.effects, self.archive, self.receipts) = (stream, effects, archive, receipts)
    deliveries = Deliveries(state, storage)
    settings = SettingsChanges(state: state, storage: storage, effects: effects)
    decider = MessageDecider(of: jid, stream, roster, archive, encryption, room: room)
    deduplicator = Deduplicator(state, storage, records, archive)
    finder = MessageFinder(state: state, storage: storage, records: records)
    order = MessageOrder(state, storage, archive, effects)
    forgotten = ForgottenMessages(state: state, records: records, effects: effects)
    limits = InboxLimits(of: jid, stream, roster, archive)
    received = SignalsReceived(finder: finder, deliveries: deliveries, effects: effects)
    awaited = AwaitedMessages(finder, decider, received)
  }

  var state: AccountState { stream.state }
  var storage: Storage { stream.storage }
  var records: RecordReader { finder.records }

  func streamBegins(_: NegotiatedStream) {
    decider.recipientChanged()
    order.streamBegins(isResumed: stream.isResumed)
    stamps.expect(at: effects.now, since: stream.lastLive ?? state.server.lastLive)
    awaited.applyAll(ofRoom: awaitedOfRoom)
  }

  /// The server sent something: what it stores for us from now on is not older.
  func heard() { if stamps.isOver(at: effects.now.instant) { stream.lastLive = effects.now.wall } }

  /// Takes a message; true if it was new and is kept.
  func take(_ message: consuming MessageRecord, _ way: IncomingMessage.Way) -> Bool {
    guard !takeEcho(message, way), !deduplicator.isPart(message, way) else { return false }
    let mayHaveWaited = mayHaveWaited(message, way)
    if let known = deduplicator.known(message, way) {
      open(known, by: message)
      deduplicator.note(message, way, copyOf: known)
      return false
    }
    if forgotten.has(message, way) || leaveInArchive(message) || takeSecondHalf(message) { return false }
    let believed = mayHaveWaited ? message : message.withoutStamp(effects.now.wall)
    keep(believed.isOfRoom ? order.shown(believed) : order.placed(believed), way)
    return true
  }

  /// True if a message stays in the archive for now. What was decrypted of it will be then.
  func leaveInArchive(_ message: MessageRecord) -> Bool {
    guard limits.leaveInArchive(message) else { return false }
    encryption.leave()
    return true
  }

  /// True if a message's stamp can be our server's own, or is of the room, which says what was said before. What comes from
  /// a room on a new stream did not wait for us.
  func mayHaveWaited(_ message: MessageRecord, _ way: IncomingMessage.Way) -> Bool {
    if message.isOfRoom, message.delayed, way == .live, !stream.isResumed { return decider.room?.saysHistory == true }
    return message.isOfRoom && decider.room?.saysHistory == true
      || stamps.mayHaveWaited(message, way, at: effects.now.instant)
  }

  /// Takes a message out of the archive.
  func take(archived message: consuming MessageRecord) -> Taken {
    if deduplicator.isPart(message, .archive) { return (nil, nil) }
    if let known = deduplicator.known(message, .archive) {
      open(known, by: message)
      deduplicator.note(message, .archive, copyOf: known)
      return (known, nil)
    }
    if forgotten.has(message, .archive) || leaveInArchive(message) || takeSecondHalf(message) { return (nil, nil) }
    let placed = order.placed(message)
    keep(placed, .archive)
    return (nil, placed)
  }

  /// The time at which a known or forgotten message of the archive stands here; nil: it is new.
  func time(of message: IncomingMessage) -> Timestamp? {
    guard case .keep(let message, let way) = message else { return nil }
    if let known = deduplicator.known(message, way) { return Timestamp(milliseconds: order.standing(known).time) }
    return forgotten.has(message, way) ? Timestamp(milliseconds: message.time) : nil
  }

  /// True if the message is the echo of one sent from here. A live one to my own JID counts as delivered with that.
  private func takeEcho(_ message: MessageRecord, _ way: IncomingMessage.Way) -> Bool {
    guard message.isMine, let known = deduplicator.sentFromHere(message) else { return false }
    if message.isOfRoom, known.record.target != nil {
      received.reflected(known)
    } else if message.isOfRoom {
      let stamp = message.delayed ? Timestamp(milliseconds: message.time) : nil
      reflected(known, movingTo: order.newTime(of: known, at: stamp))
      deduplicator.note(message, way, copyOf: known)
    } else if way == .live {
      deliveries.advance(DeliveryRecord(known, .delivered))
    }
    return true
  }

  /// Its room has shown a message that was sent from here.
  ///
  /// - Parameter time: where it is to stand; nil: where it does.
  func reflected(_ known: KnownMessage, movingTo time: Timestamp?) {
    guard received.reflected(known, movingTo: time) else { return }
    order.noteShown(at: Timestamp(milliseconds: order.standing(known).time), in: known.record.jid)
  }

  /// A new message becomes a record.
  private func keep(_ message: consuming MessageRecord, _ way: IncomingMessage.Way) {
    if message.owesReceipt, !owesReceipt(message, way) { message.owesReceipt = false }
    if !message.payloads.isEmpty, !message.isMine, !limits.allow(message.payloads, of: message.jid) {
      message.payloads = []
    }
    if isNews(way), !message.isIgnored { settings.unarchive(message.jid) }
    if way == .archive, isNews(way), archive.record.map({ $0.floor != nil }) ?? true { message.isNews = true }
    if message.isReply { finder.findAnswered(&message) }
    encryption.bind(&message)
    let id = stream.append(message)
    encryption.kept(message, as: id)
    order.kept(message)
    if message.isMine, isNews(way) { ownActivity.wrote(message, id) }
    // A note to self comes as a carbon and as itself, one right after the other, even without an archive.
    if awaited.isAny { awaited.arrived(message, id) }
    if archive.bringsCopies || message.isNoteToSelf || message.details?.seal != nil {
      deduplicator.notePending(KnownMessage(id: id, record: message))
    }
  }

  /// Tries to read a message again that was unreadable; false: it still is.
  func reopen(_ id: UInt64) -> Bool {
    guard let first = finder.written(id), let present = finder.present(id, first),
      present.message.details?.unreadable != nil, let stanza = present.message.stanza,
      case .keep(let message, _) = decider.decide(stored: stanza, at: Timestamp(milliseconds: first.time)),
      message.details?.unreadable == nil
    else { return false }
    var record = present.opened(by: message)
    encryption.bind(&record)
    storage.append(.change(record))
    deduplicator.notePending(KnownMessage(id: id, record: record))
    return true
  }

  /// True if the sender gets a receipt: not for a carbon of another device's message, and not for history.
  func owesReceipt(_ message: MessageRecord, _ way: IncomingMessage.Way) -> Bool {
    !way.isCarbon && isNews(way) && receipts.mayBeOwed(for: message)
  }

  /// True if messages that came this way are new, and not history of a first fetch.
  func isNews(_ way: IncomingMessage.Way) -> Bool { way != .archive || archive.run?.course == .forward }

  /// Keeps a stanza without a text, for a later version that may understand it, unless it is kept already.
  func keep(_ payload: PayloadRecord, of message: Element) {
    guard !deduplicator.has(payload) else { return }
    if limits.allow(payload.xml, of: decider.sender(of: message)?.bare ?? "") {
      storage.append(.payload(payload))
    } else {
      limits.refusePayload(of: message, by: decider.sender(of: message)?.jid)
    }
  }
}

extension MessageRecord {
  /// The stanza that an unreadable message came in, as far as it is kept.
  fileprivate var stanza: Element? {
    guard let children = UnknownPayloads.parse(payloads), !children.isEmpty else { return nil }
    var writer = XMLWriter()
    writer.open("message", xmlns: Namespace.client)
    writer.attribute("from", peer)
    writer.attribute("to", isMine ? jid : nil)
    writer.attribute("id", stanzaID)
    writer.attribute("type", isOfRoom ? "groupchat" : type)
    for child in children { child.write(into: &writer) }
    writer.close()
    return Element.parse(writer.bytes)
  }
}
