import Bytes
package import Clocks
package import Timelines
package import MessageLog
package import Records

/// The daemon's state: the result of applying the log's records, in their order. Everything in it is durable, so
/// nothing is ever undone and all that is shown is true after a crash too.
package final class State {
  package let accounts: AccountTable
  /// The last event that each consumer has acknowledged.
  package private(set) var cursors: [CursorName: UInt64] = [:]
  /// The emoticons that were used last, over all accounts.
  package private(set) var recentEmoticons = RecentEmoticons()
  /// The last record applied.
  package private(set) var sequence: UInt64 = 0
  /// The records applied since the last snapshot.
  package private(set) var sinceSnapshot = 0
  /// The times of messages by ranges of the log.
  package internal(set) var timeRanges = TimeRangeIndex()
  /// The damage of the log.
  package internal(set) var damage = KnownDamage()
  /// Lets go of what need not be in memory; nil: all stays there.
  package let eviction: Eviction?

  /// The log that it is made of; nil: it is stored nowhere.
  private let log: LogUUID?

  /// - Parameter log: only if there are no pages, which say it.
  package init(gap: Interval, pages: IndexPages? = nil, of log: LogUUID? = nil) {
    self.log = log ?? pages?.log
    let accounts = AccountTable(gap: gap, pages, of: self.log)
    self.accounts = accounts
    eviction = pages.map { Eviction(of: accounts, to: $0) }
  }

  /// Pages for entries that leave memory; nil if there are none.
  package var pages: IndexPages? { eviction?.pages }

  /// The first damage of pages that was met; nil: the state is whole.
  package var indexDamage: IndexDamage? { pages?.damage }

  /// Fails if pages were damaged: for programs that fill a state from the log, read it once, and end.
  package func checkPages() throws(RecoveryError) {
    if let indexDamage { throw .storage(StorageError(.unreadable, "\(indexDamage)")) }
  }

  /// An empty state that takes the place of this one, and is filled from the log.
  ///
  /// - Parameter withPages: entries may leave memory again.
  package func replacement(withPages: Bool) -> State {
    State(gap: accounts.gap, pages: withPages ? pages.map { IndexPages(like: $0) } : nil, of: log)
  }

  /// The effect of a record, for clients that watch.
  package enum Change {
    /// A message found its place; others may stand in other sections now.
    case message(Conversation, Timeline.Change)
    case delivery(Conversation, DeliveryRecord, Timeline.Resection?)
    /// A message stands otherwise now, and others may be in other sections.
    case changed(Conversation, Timeline.Resection?)
    /// The conversation's history up to now is hidden.
    case forgotten(Conversation)
    case other
  }

  /// Applies one record. Records of unknown messages, which only a damaged log has, change nothing; for those of
  /// unknown accounts see `AccountTable`.
  @discardableResult
  package func apply(_ record: Record, sequence: UInt64, location: UInt64) -> Change {
    defer { applied(sequence) }
    switch record {
    case .message(let message):
      timeRanges.note(Timestamp(milliseconds: message.time), at: LogLocation(packed: location))
      return account(message.account).apply(message, id: sequence, location: location)
    case .change(let message):
      return account(message.account).applyChange(message, id: sequence, location: location) {
        timeRanges.note(Timestamp(milliseconds: message.time), at: LogLocation(packed: location))
      }
    case .delivery(let delivery): return account(delivery.account).apply(delivery)
    case .transmission(let transmission): account(transmission.account).apply(transmission)
    case .suspicion(let suspicion):
      account(suspicion.account).outbox.update(suspicion.id) {
        $0.suspicions = min($0.suspicions + 1, Outbox.maximumSuspicions)
      }
    case .release(let release):
      account(release.account).outbox.release(release.id, order: sequence, isRepeat: release.isRepeat)
    case .upload(let upload): account(upload.account).outbox.apply(upload)
    case .receiptSent(let sent):
      for sequence in sent.sequences { account(sent.account).pendingReceipts.remove(sequence) }
    case .read(let read):
      accounts[read.account]?.conversations.change(read.jid) { $0.apply(read) }
      if read.isToPublish || read.marker != nil { account(read.account).apply(read, sequence: sequence) }
    case .readPublished(let published):
      for sequence in published.sequences { account(published.account).unpublishedReads.remove(sequence) }
    case .draft(let draft): account(draft.account).apply(draft)
    case .settings(let settings): account(settings.account).settings.apply(settings)
    case .room(let room): account(room.account).rooms.apply(room)
    case .device(let device): account(device.account).devices.apply(device)
    case .encryption(let record): account(record.account).encryption[record.jid] = record
    case .step(let step): account(step.account).apply(step, id: sequence)
    case .ignore(let ignore): account(ignore.account).ignored.apply(ignore)
    case .roomReader(let reader): account(reader.account).roomReaders.apply(reader)
    case .mentionWords(let mentions): accounts.mentionWords.words = mentions.words
    case .forgetting(let forgetting):
      return account(forgetting.account).apply(forgetting, sequence: sequence).map { .forgotten($0) } ?? .other
    case .referencesFound(let found): account(found.account).found(found)
    case .payload(let payload): account(payload.account).apply(payload, id: sequence)
    case .archiveID(let named): account(named.account).messageIDs.note(named, id: sequence)
    case .erased(let erased): account(erased.account).apply(erased, id: sequence)
    case .contact(let contact): account(contact.account).apply(contact)
    case .rosterVersion(let version): account(version.account).contacts.rosterVersion = version.version
    case .avatar(let avatar): account(avatar.account).apply(avatar)
    case .nickname(let nickname): account(nickname.account).apply(nickname)
    case .account(let record): account(record.number).apply(record)
    case .wish(let wish): account(wish.account).apply(wish)
    case .stream(let stream): account(stream.account).apply(stream)
    case .login(let login): account(login.account).server.login = login.mechanism == nil ? nil : login
    case .offer(let offer): account(offer.account).server.lastOffer = offer
    case .archive(let archive): account(archive.account).server.archives[archive.address] = archive
    case .gap(let gap): account(gap.account).server.gap = gap.since == nil ? nil : gap
    case .uploadHost(let host): account(host.account).server.apply(host)
    case .cursor(let cursor): cursors[cursor.name] = cursor.position
    case .emoticonUsed(let used): recentEmoticons.use(used.code)
    case .refused, .unknown: break
    }
    return .other
  }

  /// Applies a message of which no more than that is at hand.
  package func apply(_ message: MessageSummary, sequence: UInt64, location: UInt64) -> Change {
    defer { applied(sequence) }
    timeRanges.note(message.time, at: LogLocation(packed: location))
    return account(message.account).apply(message, id: sequence, location: location)
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

  /// A snapshot of the present state is being written.
  func snapshotBegins() { sinceSnapshot = 0 }

  /// Sets the position as of which a checkpoint was restored.
  func restored(to sequence: UInt64) { (self.sequence, sinceSnapshot) = (sequence, 0) }

  private func account(_ number: UInt32) -> AccountState { accounts.account(number) }

  package func existingConversation(_ account: UInt32, _ jid: String) -> Conversation? {
    accounts[account]?.conversations[jid]
  }

  /// True if a message is hidden from every answer.
  package func isForgotten(_ message: MessageRecord, id: UInt64) -> Bool {
    accounts[message.account]?.forgotten.hides(id, of: message.jid) ?? false
  }

  /// True if an unknown stanza names somebody who was forgotten later.
  package func names(_ payload: PayloadRecord, id: UInt64) -> Bool {
    guard let account = accounts[payload.account], !account.forgotten.isEmpty else { return false }
    return payload.jids(besides: account.record.jid).contains { account.forgotten.hidesTraces(of: $0, id) }
  }

  /// True if a stanza waits for the message that it refers to.
  package func waits(_ payload: PayloadRecord, id: UInt64) -> Bool {
    payload.waitsFor.map { accounts[payload.account]?.waiting.records($0).contains(id) == true } ?? false
  }
}

/// How long an idempotency key is remembered (docs/PROTOCOL.md, `send`).
package let keyLifetime = Interval.days(30)
