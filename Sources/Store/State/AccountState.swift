import Clocks
import MessageLog
package import Records

/// The state of one account, made from the log. Confined to the engine's thread.
package final class AccountState {
  /// In each of its records; no other account gets it.
  package let number: UInt32
  /// The account's name and JID; empty as long as they are unknown.
  package private(set) var record: AccountRecord
  package private(set) var wish: AccountWish
  package let contacts = ContactBook()
  package let server = ServerState()
  /// The stream that can be resumed, or lives; nil: there is none, or it is over.
  package private(set) var stream: StreamState?
  package let conversations: ConversationTable
  package internal(set) var outbox = Outbox()
  /// Finds messages by ids that senders or our archive gave them, and by idempotency keys.
  package let messageIDs: MessageIDIndex
  /// Changes and receipts of messages that are not stored yet.
  package internal(set) var waiting = WaitingReferences()
  package internal(set) var forgotten = Forgotten()
  /// The user's settings of conversations.
  package let settings = ConversationSettings()
  package internal(set) var rooms = RoomBook()
  package internal(set) var ignored = IgnoredOccupants()
  package internal(set) var roomReaders = RoomReaders()
  package internal(set) var secrets = SecretBook()
  package internal(set) var devices = DeviceBook()
  /// The decisions about encryption, by conversation; nothing where the account's setting holds.
  package internal(set) var encryption: [String: EncryptionRecord] = [:]
  /// The words that are mentions beside my nicks.
  package let mentionWords: MentionWords
  /// Receipts and markers that senders of messages are owed.
  package internal(set) var pendingReceipts = PendingReceipts()
  /// Read positions that our other devices are to hear of (XEP-0490).
  package internal(set) var unpublishedReads = PendingReceipts()
  package internal(set) var failures: [UInt64: Failure] = [:]

  /// An account of which nothing is known.
  init(_ number: UInt32, pages: IndexPages?, of log: LogUUID?, gap: Interval, _ mentionWords: MentionWords) {
    (self.number, self.mentionWords) = (number, mentionWords)
    record = AccountRecord(number: number, name: "", jid: "")
    conversations = ConversationTable(of: number, gap: gap, pages)
    messageIDs = MessageIDIndex(in: pages, of: log)
    wish = AccountWish(account: number)
  }

  /// Name that tells it from others: that of the configuration, else its JID, else its number.
  package var label: String {
    record.name.isEmpty ? record.jid.isEmpty ? "#\(record.number)" : record.jid : record.name
  }

  /// The messages that may have this idempotency key, the newest first; only its hash is stored.
  package func key(_ key: String, of socket: String?) -> [UInt64] {
    messageIDs.ids(.key, MessageIDHash.of(key: key, of: socket))
  }

  // MARK: - People

  /// True if `jid` is no stranger: on the roster, with any subscription, written to, my own, or a room that I am in.
  package func knows(_ jid: String) -> Bool {
    contacts.know(jid) || jid == record.jid || rooms[jid]?.isWanted == true
  }

  /// The bare JIDs of whom it knows, in no order that means anything.
  package var knownJIDs: Set<String> { contacts.knownJIDs.union([record.jid]).union(rooms.wanted) }

  /// The name of a contact to show: that of the roster, else the nickname; nil: there is neither.
  package func shownName(of jid: String) -> ShownName? { contacts.shownName(of: jid, own: record.jid) }

  /// True if `forget-history` of a bare JID or domain would hide something, or let scrubbing erase something.
  package func mayForgetMore(of jid: String) -> Bool {
    guard let history = forgotten[jid] else { return true }
    return history.mayHaveNewer || history.spared.keys.contains { !knows($0) }
  }

  /// Time at which somebody whom a stanza names was forgotten last: milliseconds since 1970; nil if nobody was, or
  /// unknown.
  package func timeOfForgetting(naming payload: PayloadRecord) -> Int64? {
    if forgotten.isEmpty { return nil }
    return payload.jids(besides: record.jid).compactMap { forgotten.time(of: $0) }.max()
  }

  // MARK: - Records

  /// Its own record says whose it is, and what that is called from then on. Its JID never changes.
  func apply(_ record: AccountRecord) {
    guard self.record.jid.isEmpty || self.record.jid == record.jid else { return }
    self.record = record
  }

  func apply(_ wish: AccountWish) {
    if (wish.show, wish.status) != (self.wish.show, self.wish.status) { stream?.forgetPresence() }
    self.wish = wish
  }

  func apply(_ contact: ContactRecord) { contacts.apply(contact, own: record.jid) }

  func apply(_ avatar: AvatarRecord) { contacts.apply(avatar, own: record.jid) }

  func apply(_ nickname: NicknameRecord) {
    forgotten.noteTraces(of: nickname.jid)
    contacts.apply(nickname, own: record.jid)
  }

  func apply(_ read: ReadRecord, sequence: UInt64) {
    if read.isToPublish {
      unpublishedReads.append(.init(sequence: sequence, id: read.id, jid: read.jid, isMarker: true))
    }
    guard let marker = read.marker else { return }
    pendingReceipts.append(.init(sequence: sequence, id: marker, jid: read.jid, isMarker: true))
  }

  func apply(_ draft: DraftRecord) {
    forgotten.noteNewer(draft.jid)
    let conversation = conversations.conversation(with: draft.jid)
    conversations.change(conversation) { conversation.draft = draft.text }
  }

  /// A stanza that was not understood may name people whose conversations are forgotten.
  func apply(_ payload: PayloadRecord, id: UInt64) {
    if !forgotten.isEmpty { for jid in payload.jids(besides: record.jid) { forgotten.noteTraces(of: jid) } }
    messageIDs.note(payload, id: id)
    if let hash = payload.waitsFor { waiting.insert(id, hash, in: payload.conversation) }
  }

  /// References that waited do so no more.
  func found(_ found: ReferencesFoundRecord) { for record in found.records { waiting.remove(record) } }

  /// Hides all that there is of a conversation; nil if there is none, as where all of it is erased.
  func apply(_ forgetting: ForgettingRecord, sequence: UInt64) -> Conversation? {
    contacts.writtenTo.remove(forgetting.jid)
    roomReaders.forget(forgetting.jid)
    forgotten.apply(forgetting, sequence: sequence, known: knownJIDs)
    guard let conversation = conversations[forgetting.jid] else { return nil }
    conversations.change(conversation) { conversation.forget() }
    return conversation
  }

  /// A step of the encryption, and the ciphertexts by which copies of it are known.
  func apply(_ step: StepRecord, id: UInt64) {
    secrets.apply(step.step, id: id, devices)
    for hash in step.step.ciphertexts { messageIDs.noteCiphertext(hash, id: id) }
  }

  /// A message was erased: it still counts for what it counted for, and a copy of it is still known.
  func apply(_ erased: ErasedRecord, id: UInt64) {
    messageIDs.note(erased, id: id)
    if let step = erased.step { secrets.apply(step, id: id, devices) }
    if erased.isCounted { stream?.countOne() }
    if let place = erased.place { stream?.raise(to: place) }
  }

  // MARK: - The stream

  /// Something is new of the stream.
  func apply(_ record: StreamRecord) {
    if let time = record.lastLive { server.lastLive = Timestamp(milliseconds: time) }
    if let beginning = record.beginning {
      // A stream is bound to the account's own address, and to nobody else's.
      if self.record.jid.isEmpty { self.record.jid = String(beginning.jid.prefix { $0 != "/" }) }
      stream = StreamState(beginning)
      outbox.forgetPlaces()
    }
    stream?.apply(record)
    for presence in record.presences {
      forgotten.noteTraces(of: presence.jid)
      let isStranger = presence.jid != self.record.jid && contacts[presence.jid]?.subscription == nil
      _ = stream?.presences.receive(presence, isStranger: isStranger)
    }
    guard record.isOver else { return }
    if let count = record.settled { outbox.untransmit(beyond: count) }
    stream = nil
    outbox.forgetPlaces()
  }

  /// A live message came in a stanza of the server's.
  func countOne() { stream?.countOne() }

  /// A message of mine has a place among our stanzas.
  func place(_ id: UInt64, at place: UInt32) {
    guard stream != nil else { return }
    outbox.update(id) { $0.place = place }
    stream?.raise(to: place)
  }
}
