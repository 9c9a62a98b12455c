import Bytes
package import Clocks
package import Conversations
package import MessageLog
package import Records

/// All that the daemon knows: the result of applying the log's records, in their order. Nothing is in here that is not durable, so
/// nothing has to be taken back and whatever is shown is true after a crash too.
package final class State {
  /// The gap that cuts sections where a request names none (`snap-interval`).
  package private(set) var gap: Interval
  package private(set) var accounts: [UInt32: AccountState] = [:]
  /// Up to where each consumer of events has acknowledged them.
  package private(set) var cursors: [CursorName: UInt64] = [:]
  /// The emoticons that were used last, over all accounts.
  package private(set) var recentEmoticons = RecentEmoticons()
  /// The last record applied.
  package private(set) var sequence: UInt64 = 0
  /// Where in the log messages of which times are.
  package internal(set) var timeRanges = TimeRangeIndex()
  /// What of it cannot be read.
  package internal(set) var damage = KnownDamage()
  private var lastAccount: AccountState?
  /// Where entries go when there are too many in memory; nil: nowhere.
  package let pages: IndexPages?
  /// How many entries are in memory that could leave it, and whose they are.
  package internal(set) var held = 0
  var holding: [Conversation] = []
  /// The chunks whose pages are being written.
  var underWay: [StoredPage] = []
  /// The conversations' pages that are being written.
  var settling: Settling?
  /// The message ids whose pages are being written.
  var writtenMessageIDs: MessageIDIndex?
  /// Fewer entries than the limit are to stay in memory.
  package internal(set) var isResting = false
  /// The last pause that was said to be.
  var pause = Pause.long
  /// Pages could not be written while the log was read.
  var hasNoRoom = false
  /// The records applied since the last snapshot.
  package internal(set) var sinceSnapshot = 0

  package init(gap: Interval, pages: IndexPages? = nil) {
    (self.gap, self.pages) = (gap, pages)
  }

  /// What a record changed, for those who watch.
  package enum Change {
    /// A message found its place; others may stand in other sections now.
    case message(Conversation, Timeline.Change)
    case delivery(Conversation, DeliveryRecord)
    /// A message stands otherwise now, and others may be in other sections.
    case changed(Conversation, Timeline.Resection?)
    /// All that there was of it is hidden now.
    case forgotten(Conversation)
    case other
  }

  /// Applies one record. Records of unknown messages, which only a damaged log has, change nothing; for those of unknown
  /// accounts see `State+Accounts`.
  @discardableResult
  package func apply(_ record: Record, sequence: UInt64, location: UInt64) -> Change {
    defer { applied(sequence) }
    switch record {
    case .account(let record): account(record.number).apply(record)
    case .wish(let wish): account(wish.account).apply(wish)
    case .message(let message): return apply(message, id: sequence, location: location)
    case .delivery(let delivery): return apply(delivery)
    case .transmission(let transmission): apply(transmission)
    case .suspicion(let suspicion):
      account(suspicion.account).outbox.update(suspicion.id) {
        $0.suspicions = min($0.suspicions + 1, Outbox.maximumSuspicions)
      }
    case .read(let read):
      change(read.account, existingConversation(read.account, read.jid)) { $0.apply(read) }
      if read.isToPublish {
        let entry = PendingReceipt(sequence: sequence, id: read.id, jid: read.jid, isMarker: true)
        account(read.account).unpublishedReads.append(entry)
      }
      guard let marker = read.marker else { break }
      account(read.account).pendingReceipts.append(.init(sequence: sequence, id: marker, jid: read.jid, isMarker: true))
    case .release(let release): account(release.account).outbox.release(release.id, order: sequence)
    case .receiptSent(let told):
      for sequence in told.sequences { account(told.account).pendingReceipts.settle(sequence) }
    case .readPublished(let published):
      for sequence in published.sequences { account(published.account).unpublishedReads.settle(sequence) }
    case .draft(let draft):
      account(draft.account).noteSinceForgetting(draft.jid)
      change(draft.account, conversation(draft.account, draft.jid)) { $0.draft = draft.text }
    case .contact(let contact): account(contact.account).setContact(contact)
    case .nickname(let nickname): account(nickname.account).apply(nickname)
    case .rosterVersion(let version): account(version.account).rosterVersion = version.version
    case .refused(let refused): account(refused.account).refused += 1
    case .login(let login): account(login.account).login = login.mechanism == nil ? nil : login
    case .offer(let offer): account(offer.account).lastOffer = offer
    case .stream(let stream): account(stream.account).apply(stream)
    case .archive(let archive): account(archive.account).archive = archive
    case .change(let message): return applyChange(message, id: sequence, location: location)
    case .payload(let payload):
      noteSinceForgetting(payload)
      account(payload.account).messageIDs.note(record, id: sequence)
      if let hash = payload.waitsFor { account(payload.account).waiting.insert(sequence, hash) }
    case .archiveID(let named): account(named.account).messageIDs.note(record, id: sequence)
    case .forgetting(let forgetting): return apply(forgetting, sequence: sequence)
    case .erased(let erased):
      account(erased.account).messageIDs.note(record, id: sequence)
      account(erased.account).apply(erased)
    case .cursor(let cursor): cursors[cursor.name] = cursor.position
    case .settings(let settings): account(settings.account).settings.apply(settings)
    case .emoticonUsed(let used): recentEmoticons.use(used.code)
    case .avatar(let avatar): account(avatar.account).setAvatar(avatar)
    case .upload(let upload): account(upload.account).uploads[upload.id, default: [:]][upload.index] = upload.url
    case .uploadHost(let host): account(host.account).apply(host)
    case .gap(let gap): account(gap.account).gap = gap.since == nil ? nil : gap
    case .unknown: break
    }
    return .other
  }

  /// Applies a message of which no more than that is at hand.
  package func apply(_ message: MessageSummary, sequence: UInt64, location: UInt64) -> Change {
    defer { applied(sequence) }
    return apply(message, id: sequence, location: location)
  }

  private func applied(_ sequence: UInt64) {
    self.sequence = max(self.sequence, sequence)
    sinceSnapshot += 1
  }

  /// Applies the record in a frame of the log.
  package func apply(_ frame: borrowing LogFrame) {
    do throws(FieldError) {
      apply(try Record(in: frame), sequence: frame.sequence, location: frame.location.packed)
    } catch {
      damage.noteUnreadable()
    }
  }

  /// Whether an account has a conversation with this bare JID, or has it on its roster.
  package func knows(_ jid: String) -> Bool {
    accounts.values.contains { $0.conversations[jid] != nil || $0.contacts[jid] != nil }
  }

  /// Cuts every conversation anew after a changed `snap-interval`.
  package func regap(_ gap: Interval) {
    self.gap = gap
    for account in accounts.values { account.conversations.regap(gap) }
  }

  /// Sets the position as of which a checkpoint was restored.
  func restored(to sequence: UInt64) {
    self.sequence = sequence
    sinceSnapshot = 0
  }

  package func existingConversation(_ account: UInt32, _ jid: String) -> Conversation? {
    accounts[account]?.conversations[jid]
  }

  /// The conversation, made where there is none yet.
  func conversation(_ number: UInt32, _ jid: String) -> Conversation {
    account(number).conversation(with: jid, gap: gap)
  }

  /// The account with this number, made where there is none yet. The same one mostly has the next message, too.
  func account(_ number: UInt32) -> AccountState {
    if let last = lastAccount, last.number == number { return last }
    let found = accounts[number] ?? make(AccountRecord(number: number, name: "", jid: ""))
    lastAccount = found
    return found
  }

  private func make(_ record: AccountRecord) -> AccountState {
    let made = AccountState(record, pages: pages, gap: gap)
    accounts[record.number] = made
    return made
  }

  private func apply(_ message: MessageRecord, id: UInt64, location: UInt64) -> Change {
    if message.mine, !message.elsewhere {
      let account = account(message.account)
      queue(message, id: id, location: location, of: account)
      account.messageIDs.noteSending(message, id: id)
    }
    return apply(.of(any: message), id: id, location: location)
  }

  private func apply(_ message: MessageSummary, id: UInt64, location: UInt64) -> Change {
    let account = account(message.account)
    let conversation = account.conversation(with: message.jid, gap: gap)
    timeRanges.note(message.time, at: LogLocation(packed: location))
    if message.isCounted { account.stream?.countOne() }
    if message.owesReceipt { account.pendingReceipts.append(.init(sequence: id, id: id, jid: message.jid)) }
    account.messageIDs.note(message, id: id)
    if let hash = message.waitsFor { account.waiting.insert(id, hash) }
    account.noteSinceForgetting(message.jid)
    let entry = Entry(
      time: message.time, id: id, location: location, archiveOrder: message.archiveOrder, flags: message.flags)
    if message.flags.contains(.mine) { account.writtenTo.insert(message.jid) }
    let change = changing(conversation, of: account) { conversation.insert(entry) }
    return .message(conversation, change)
  }

  private func queue(_ message: MessageRecord, id: UInt64, location: UInt64, of account: AccountState) {
    let time = Timestamp(milliseconds: message.time)
    var entry = Outbox.Entry(
      id: id, location: location, jid: message.jid, time: time, transmitted: message.transmitted)
    entry.expires = message.expires.map { Timestamp(milliseconds: $0) }
    entry.heldUntil = message.heldUntil.map { Timestamp(milliseconds: $0) }
    entry.share = QueueShare(message)
    entry.fileCount = message.details?.attachments.count { $0.url.isEmpty } ?? 0
    let isHeld = entry.heldUntil != nil || entry.fileCount > 0
    if isHeld { account.outbox.hold(entry) } else { account.outbox.append(entry) }
    if let place = message.place { account.place(id, at: place) }
  }

  private func apply(_ delivery: DeliveryRecord) -> Change {
    let account = account(delivery.account)
    guard let delivery = account.whole(delivery), let conversation = account.conversations[delivery.jid]
    else { return .other }
    guard delivery.target == nil else {
      account.settle(delivery)
      return .delivery(conversation, delivery)
    }
    let place = Conversation.Place(time: Timestamp(milliseconds: delivery.time), id: delivery.id)
    let wasMadeUp = account.failures[delivery.id] == .notSentWhenExported
    let isNews = changing(conversation, of: account) {
      conversation.advance(to: delivery.state, inDoubt: delivery.inDoubt, at: place, overFailure: wasMadeUp)
    }
    guard isNews || account.hides(delivery.id, of: delivery.jid) else { return .other }
    account.settle(delivery)
    return .delivery(conversation, delivery)
  }

  private func apply(_ transmission: TransmissionRecord) {
    let account = account(transmission.account)
    var place = transmission.place
    for id in transmission.ids {
      account.outbox.update(id) { $0.transmitted = true }
      if let at = place { account.place(id, at: at) }
      place = place.map { $0 &+ 1 }
    }
  }
}

extension AccountState {
  /// What a delivery record says, with what the outbox knows of its message; nil where that should be there and is not.
  fileprivate func whole(_ delivery: DeliveryRecord) -> DeliveryRecord? {
    guard delivery.jid.isEmpty else { return delivery }
    guard let entry = outbox.entry(delivery.id) else { return nil }
    var delivery = delivery
    (delivery.jid, delivery.time, delivery.target) = (entry.jid, entry.time.milliseconds, entry.target)
    return delivery
  }

  /// What a delivery record says becomes true of the outbox.
  fileprivate func settle(_ delivery: DeliveryRecord) {
    setFailure(delivery.failure, of: delivery.id)
    if delivery.state == .queued {
      outbox.update(delivery.id) { $0.inDoubt = $0.inDoubt || delivery.inDoubt }
      if delivery.isHeld { outbox.hold(delivery.id) }
    } else {
      uploads[delivery.id] = nil
      outbox.remove(delivery.id)
    }
  }
}

/// How long an idempotency key is remembered (docs/PROTOCOL.md, `send`).
package let keyLifetime = Interval.days(30)
