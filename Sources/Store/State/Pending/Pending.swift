import Timelines
package import Records

/// Records that are appended and not durable, by what later decisions have to know of them. State does not have them
/// yet, and a crash or a failing disk could still lose them.
///
/// `Storage` notes each record as it is appended, drops it when it is durable and applied, and discards all of them
/// when they are given up.
package final class Pending {
  /// The subject of a record: of each the newest record counts.
  private enum Subject: Hashable {
    case wish(account: UInt32)
    case archive(account: UInt32, address: String?)
    case gap(account: UInt32)
    case presences(account: UInt32)
    case contact(account: UInt32, jid: String)
    case read(account: UInt32, jid: String)
    case draft(account: UInt32, jid: String)
    case nickname(account: UInt32, jid: String)
    case settings(account: UInt32, jid: String)
    case room(account: UInt32, jid: String)
    case device(account: UInt32, jid: String, id: UInt32)
    case encryption(account: UInt32, jid: String)
    case mentionWords
    case ignore(account: UInt32, room: String, sequence: UInt64)
    /// An idempotency key belongs to an account and to the `[socket NAME]` section by which it came.
    case key(account: UInt32, socket: String?, key: String)
    case cursor(CursorName)
    /// The delivery state of a message of mine.
    case delivery(id: UInt64)
    /// A message of mine that is about to leave.
    case transmission(id: UInt64)
    /// A message of mine that is about to go out.
    case release(id: UInt64)
    /// A change of a message, by the message and by its own stanza's id (`MessageIDHash.ofNamed`).
    case change(id: UInt64)
    case changeNamed(account: UInt32, hash: UInt64)

    /// True if a client waits for the record.
    var isRequested: Bool {
      switch self {
      case .wish, .read, .draft, .settings, .room, .mentionWords, .ignore, .key: true
      case .cursor(let name): !name.isOfHook
      case .archive, .gap, .presences, .contact, .nickname, .device, .encryption, .delivery, .transmission, .release,
        .change,
        .changeNamed:
        false
      }
    }
  }

  /// A message of mine, by its place in the order of the outbox.
  private struct Outgoing {
    let order: UInt64
    /// True if the message has a number on the stream.
    let isTransmitted: Bool
    /// True if the message is kept back.
    var isHeld = false
    /// Its share of the queue, unless it is there already.
    var share: QueueShare?
  }

  private var newest: [Subject: (sequence: UInt64, record: Record)] = [:]
  /// The subjects in the order of their records.
  private var order: ArraySlice<(sequence: UInt64, subject: Subject)> = []
  /// Records that refer to messages which are not here, by the hash of the message.
  private var waiting = HashedRecords()
  /// Stanzas without a text, by the hash of their ids of the archive.
  private var payloads = HashedRecords()
  private var outgoing: [UInt32: ArraySlice<Outgoing>] = [:]
  /// Messages, by account; noted by the inbox, and only while copies of them may come.
  private var messages: [UInt32: PendingMessages] = [:]

  package init() {}

  // MARK: - Look-ups

  /// True if a client waits for any of the records.
  package var isRequested: Bool { newest.keys.contains(where: \.isRequested) }

  /// The wish that an account will have.
  package func wish(of account: UInt32) -> AccountWish? {
    if case .wish(let wish)? = newest[.wish(account: account)]?.record { wish } else { nil }
  }

  /// The position that an archive will have.
  ///
  /// - Parameter address: whose it is; nil: the account's own.
  package func archive(of account: UInt32, at address: String?) -> ArchiveRecord? {
    guard !newest.isEmpty, case .archive(let archive)? = newest[.archive(account: account, address: address)]?.record
    else { return nil }
    return archive
  }

  package func hasGap(of account: UInt32) -> Bool { newest[.gap(account: account)] != nil }

  package func hasPresences(of account: UInt32) -> Bool { newest[.presences(account: account)] != nil }

  /// A contact as it will be.
  package func contact(_ jid: String, of account: UInt32) -> ContactRecord? {
    guard case .contact(let contact)? = newest[.contact(account: account, jid: jid)]?.record else { return nil }
    return contact
  }

  /// The nickname that somebody will have; nil: no record is pending.
  package func nickname(of jid: String, _ account: UInt32) -> NicknameRecord? {
    guard case .nickname(let nickname)? = newest[.nickname(account: account, jid: jid)]?.record else { return nil }
    return nickname
  }

  /// The bare JIDs whose nicknames have pending records.
  package func nicknames(of account: UInt32) -> [String] {
    newest.keys.compactMap { if case .nickname(account, let jid) = $0 { jid } else { nil } }
  }

  /// The bare JIDs of the contacts with pending records.
  package func contacts(of account: UInt32) -> [String] {
    newest.keys.compactMap { if case .contact(account, let jid) = $0 { jid } else { nil } }
  }

  /// The read position that a conversation will have, whether the user moves it back, and the record that moves it.
  package func read(of account: UInt32, _ jid: String) -> (sequence: UInt64, position: UInt64, isBack: Bool)? {
    guard let (sequence, record) = newest[.read(account: account, jid: jid)], case .read(let read) = record
    else { return nil }
    return (sequence, read.id, read.movedBackAt != nil)
  }

  /// True if a new draft of a conversation is pending.
  package func hasDraft(of account: UInt32, _ jid: String) -> Bool { newest[.draft(account: account, jid: jid)] != nil }

  /// The pending settings of a conversation. Called for each message.
  package func settings(of account: UInt32, _ jid: String) -> SettingsRecord? {
    guard !newest.isEmpty, case .settings(let settings)? = newest[.settings(account: account, jid: jid)]?.record else {
      return nil
    }
    return settings
  }

  /// True if a message that is kept back is not about to go out, or to be given up.
  package func mayBeReleased(_ id: UInt64) -> Bool {
    newest[.release(id: id)] == nil && delivery(of: id).map { [.queued, .sent].contains($0.state) } ?? true
  }

  /// True if a message that is kept back is about to go out.
  package func isReleased(_ id: UInt64) -> Bool {
    if case .release? = newest[.release(id: id)]?.record { true } else { false }
  }

  /// A device as it will be; nil: no record is pending.
  package func device(_ id: UInt32, of jid: String, _ account: UInt32) -> DeviceRecord? {
    if newest.isEmpty { return nil }
    guard case .device(let device)? = newest[.device(account: account, jid: jid, id: id)]?.record else { return nil }
    return device
  }

  /// The devices of somebody that have pending records, as they will be.
  package func devices(of jid: String, _ account: UInt32) -> [DeviceRecord] {
    if newest.isEmpty { return [] }
    return newest.compactMap { subject, newest in
      guard case .device(account, jid, _) = subject, case .device(let device) = newest.record else { return nil }
      return device
    }
  }

  /// People whose devices have records here.
  package func deviceOwners(_ account: UInt32) -> [String] {
    newest.keys.compactMap { subject in
      guard case .device(account, let jid, _) = subject else { return nil }
      return jid
    }
  }

  /// The decision about the encryption of a conversation; nil: no record is pending.
  package func encryption(of jid: String, _ account: UInt32) -> EncryptionRecord? {
    guard !newest.isEmpty, case .encryption(let record)? = newest[.encryption(account: account, jid: jid)]?.record
    else { return nil }
    return record
  }

  /// A room as it will be.
  package func room(_ jid: String, of account: UInt32) -> RoomRecord? {
    guard !newest.isEmpty, case .room(let room)? = newest[.room(account: account, jid: jid)]?.record else { return nil }
    return room
  }

  /// A message as it will be after its last change, and the record that says so.
  package func change(of id: UInt64) -> (sequence: UInt64, message: MessageRecord)? {
    guard !newest.isEmpty, let (sequence, record) = newest[.change(id: id)], case .change(let message) = record else {
      return nil
    }
    return (sequence, message)
  }

  /// The last change whose stanza has this id.
  package func change(_ stanzaID: String, in jid: String, of account: UInt32) -> (sequence: UInt64, record: Record)? {
    newest.isEmpty
      ? nil : newest[.changeNamed(account: account, hash: MessageIDHash.ofNamed(stanzaID, in: jid))]
  }

  /// True if any record waits for a message that is not stored.
  package func hasWaitingReferences(of account: UInt32) -> Bool { waiting.byAccount[account] != nil }

  /// The records that wait for a message with this hash.
  package func waitingReferences(of account: UInt32, _ hash: UInt64) -> [UInt64] {
    waiting.byAccount[account]?[hash] ?? []
  }

  /// The stanzas without a text whose id of the archive, given or claimed, has this hash.
  package func payloads(of account: UInt32, archiveID hash: UInt64) -> [UInt64] {
    payloads.byAccount[account]?[hash] ?? []
  }

  package func hasKey(_ key: String, of account: UInt32, _ socket: String?) -> Bool {
    newest[.key(account: account, socket: socket, key: key)] != nil
  }

  /// The position of a named cursor, nil once it is forgotten, and the record that puts it there.
  package func cursor(_ name: CursorName) -> (sequence: UInt64, position: UInt64?)? {
    guard let (sequence, record) = newest[.cursor(name)], case .cursor(let cursor) = record else { return nil }
    return (sequence, cursor.position)
  }

  /// How many cursors with names of an account, or of none, have such records.
  package func cursorCount(of account: UInt32?) -> Int {
    newest.keys.count { if case .cursor(let name) = $0 { name.account == account && !name.isOfHook } else { false } }
  }

  /// The delivery state that a message of mine will have, the record that says so, and where the message will stand, if
  /// that is elsewhere.
  package func delivery(of id: UInt64) -> (sequence: UInt64, state: DeliveryState, standsAt: Int64?)? {
    guard let (sequence, record) = newest[.delivery(id: id)], case .delivery(let delivery) = record else { return nil }
    return (sequence, delivery.state, delivery.standsAt)
  }

  /// The messages of mine, of all accounts, that wait no longer once such records are durable.
  package var settled: [UInt64] {
    newest.compactMap { subject, newest in
      guard case .delivery(let id) = subject, case .delivery(let delivery) = newest.record else { return nil }
      return delivery.state == .queued ? nil : id
    }
  }

  /// True if a message of mine leaves once its transmission record is durable.
  package func isLeaving(_ id: UInt64) -> Bool { newest[.transmission(id: id)] != nil }

  /// How many messages of mine leave as soon as their own records are durable.
  package func transmittedCount(of account: UInt32) -> Int { outgoing[account]?.count(where: \.isTransmitted) ?? 0 }

  /// Shares of the queue by user, of messages of mine that are on their way to the outbox.
  package func shares(of account: UInt32) -> [QueueShare] { outgoing[account]?.compactMap(\.share) ?? [] }

  /// True if a message of mine has yet to get its number on the stream.
  package func hasWaiting(of account: UInt32) -> Bool {
    outgoing[account]?.contains { !$0.isTransmitted && !$0.isHeld } ?? false
  }

  /// An account's messages of which copies may come.
  package func messages(of account: UInt32) -> PendingMessages {
    if let known = messages[account] { return known }
    let made = PendingMessages()
    messages[account] = made
    return made
  }

  // MARK: - Changes

  /// An account's message was appended, or another archive id of it.
  package func note(_ message: KnownMessage, of account: UInt32) {
    messages(of: account).note(message)
  }

  /// Copies of an account's messages are looked for no more.
  package func forgetMessages(of account: UInt32) { messages[account] = nil }

  /// A record was appended.
  package func note(_ record: Record, _ sequence: UInt64) {
    switch record {
    case .message(let message): note(message, sequence, record)
    case .change(let message): noteChange(message, sequence, record)
    case .payload(let payload):
      if let hash = payload.waitsFor { waiting.note(payload.account, hash, sequence) }
      if let id = payload.statedArchiveID { payloads.note(payload.account, MessageIDHash.of(id), sequence) }
    case .delivery(let delivery): note(record, sequence, about: .delivery(id: delivery.id))
    case .transmission(let transmission):
      for id in transmission.ids { note(record, sequence, about: .transmission(id: id)) }
    case .release(let release):
      outgoing[release.account, default: []].append(Outgoing(order: sequence, isTransmitted: false))
      note(record, sequence, about: .release(id: release.id))
    case .wish(let wish): note(record, sequence, about: .wish(account: wish.account))
    case .archive(let archive):
      note(record, sequence, about: .archive(account: archive.account, address: archive.address))
    case .gap(let gap): note(record, sequence, about: .gap(account: gap.account))
    case .contact(let contact):
      note(record, sequence, about: .contact(account: contact.account, jid: contact.jid))
    case .read(let read): note(record, sequence, about: .read(account: read.account, jid: read.jid))
    case .draft(let draft): note(record, sequence, about: .draft(account: draft.account, jid: draft.jid))
    case .nickname(let nickname):
      note(record, sequence, about: .nickname(account: nickname.account, jid: nickname.jid))
    case .settings(let settings):
      note(record, sequence, about: .settings(account: settings.account, jid: settings.jid))
    case .room(let room): note(record, sequence, about: .room(account: room.account, jid: room.jid))
    case .encryption(let record):
      note(.encryption(record), sequence, about: .encryption(account: record.account, jid: record.jid))
    case .device(let device):
      note(record, sequence, about: .device(account: device.account, jid: device.jid, id: device.id))
    case .mentionWords: note(record, sequence, about: .mentionWords)
    case .ignore(let ignore):
      note(record, sequence, about: .ignore(account: ignore.account, room: ignore.room, sequence: sequence))
    case .cursor(let cursor): note(record, sequence, about: .cursor(cursor.name))
    case .stream(let stream) where !stream.presences.isEmpty:
      note(record, sequence, about: .presences(account: stream.account))
    default: break
    }
  }

  private func noteChange(_ message: MessageRecord, _ sequence: UInt64, _ record: Record) {
    if message.isSealed {
      if let id = message.target { note(record, sequence, about: .transmission(id: id)) }
      return
    }
    guard let target = message.target, let change = message.details?.change else { return }
    note(record, sequence, about: .change(id: target))
    if change.kind == .rescheduled { note(record, sequence, about: .release(id: target)) }
    if let id = change.stanzaID {
      let hash = MessageIDHash.ofNamed(id, in: message.jid)
      note(record, sequence, about: .changeNamed(account: message.account, hash: hash))
    }
    guard change.isSent else { return }
    if let key = change.key {
      note(record, sequence, about: .key(account: message.account, socket: message.sender?.socket, key: key))
    }
    let entry = Outgoing(order: sequence, isTransmitted: message.transmitted, share: QueueShare(message))
    outgoing[message.account, default: []].append(entry)
  }

  private func note(_ message: MessageRecord, _ sequence: UInt64, _ record: Record) {
    if let replaced = message.details?.replaces {
      waiting.note(message.account, MessageIDHash.ofNamed(replaced, in: message.jid), sequence)
    }
    guard message.isFromHere else { return }
    if let key = message.key {
      note(record, sequence, about: .key(account: message.account, socket: message.sender?.socket, key: key))
    }
    let entry = Outgoing(
      order: sequence, isTransmitted: message.transmitted,
      isHeld: message.heldUntil != nil || message.details?.seal?.isWaiting == true,
      share: QueueShare(message))
    outgoing[message.account, default: []].append(entry)
  }

  private func note(_ record: Record, _ sequence: UInt64, about subject: Subject) {
    newest[subject] = (sequence, record)
    order.append((sequence, subject))
  }

  /// All records up to this one are durable and applied.
  package func durable(upTo sequence: UInt64) {
    while let first = order.first, first.sequence <= sequence {
      order.removeFirst()
      if newest[first.subject]?.sequence == first.sequence { newest[first.subject] = nil }
    }
    if order.isEmpty { order = [] }
    waiting.durable(upTo: sequence)
    payloads.durable(upTo: sequence)
    for account in outgoing.keys {
      while let first = outgoing[account]?.first, first.order <= sequence { outgoing[account]?.removeFirst() }
      if outgoing[account]?.isEmpty == true { outgoing[account] = nil }
    }
    for pending in messages.values { pending.durable(sequence) }
  }

  /// The records are given up.
  package func discard() {
    (newest, order, outgoing, messages) = ([:], [], [:], [:])
    (waiting, payloads) = (HashedRecords(), HashedRecords())
  }
}

/// The numbers of records by account and a hash, until the newest of them is durable.
private struct HashedRecords {
  private(set) var byAccount: [UInt32: [UInt64: [UInt64]]] = [:]
  private var newest: UInt64 = 0

  mutating func note(_ account: UInt32, _ hash: UInt64, _ sequence: UInt64) {
    byAccount[account, default: [:]][hash, default: []].append(sequence)
    newest = sequence
  }

  mutating func durable(upTo sequence: UInt64) {
    if newest <= sequence, !byAccount.isEmpty { byAccount = [:] }
  }
}
