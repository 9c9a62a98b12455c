import ConfabAccounts
import SocketClients
import Clocks
import Timelines
import MessageLog
import Records
import ConfabConfiguration
import State

/// The engine and its log.
extension Engine {
  /// A batch is durable, or could not be stored.
  func committed(_ outcome: LogBatch.Outcome) {
    switch outcome {
    case .stored: committed(inReserve: false)
    case .storedInDiskReserve: committed(inReserve: true)
    case .failed(let error, let isWithdrawn): storageFailed(error, isWithdrawn: isWithdrawn)
    }
  }

  /// A batch is durable: its records become state, then what waited for them goes on.
  private func committed(inReserve: Bool) {
    var committed = storage.queue.completed(at: effects.now.instant)
    let (count, beginsSegment) = (committed.entries.count, committed.beginsSegment)
    for place in committed.entries.indices { apply(&committed, place) }
    storage.pending.durable(upTo: storage.queue.durable)
    // Before anything is appended: the memory of this batch may be the next one's.
    storage.queue.recycle(&committed)
    if beginsSegment { for record in state.accounts.records { storage.append(record) } }
    if inReserve {
      if storage.storedInDiskReserve() { reportServiceStatus() }
    } else {
      storageWorks()
    }
    for account in accounts.alive { account.synced() }
    epoch.synced()
    clients.answerRefused()
    clients.durable()
    derived.stored(count, isPaused: accounts.alive.contains(where: \.flow.isPaused))
  }

  /// A durable record becomes state, and goes to those who watch.
  private func apply(_ committed: inout LogQueue.Committed, _ place: Int) {
    let sequence = committed.entries[place].sequence
    let location = committed.location(of: sequence)
    switch committed.takeContent(at: place) {
    case .record(let record):
      let change = state.apply(record, sequence: sequence, location: location)
      clients.publish(record, change, sequence: sequence)
      follow(change)
      follow(record, sequence)
    case .message(let message):
      let change = state.apply(message, sequence: sequence, location: location)
      if isWatched, case .message(let conversation, let place) = change {
        committed.withMessage(sequence) { clients.publish($0, at: place.row, in: conversation, sequence: sequence) }
      }
      follow(change)
    case .taken: break
    }
  }

  private var isWatched: Bool { !clients.watchers.isEmpty && storage.isWhole }

  /// Publishes the consequences of a change of state.
  private func follow(_ change: State.Change) {
    switch change {
    case .forgotten(let conversation):
      epoch.begin()
      effects.publish(.sections(account: conversation.account, conversation: conversation.jid))
      KeptFiles(context: clients.context).sweepFetched()
    case .message(let conversation, _) where !storage.isWhole:
      effects.publish(.sections(account: conversation.account, conversation: conversation.jid))
    case .message(let conversation, let place): publish(place.resection, of: conversation)
    case .changed(let conversation, let resection): publish(resection, of: conversation)
    case .delivery(let conversation, let delivery, let resection):
      clients.delivered(delivery)
      publish(resection, of: conversation)
    case .other: break
    }
  }

  private func publish(_ resection: Timeline.Resection?, of conversation: Conversation) {
    guard let resection else { return }
    effects.publish(
      .sections(
        account: conversation.account, conversation: conversation.jid, from: resection.from, to: resection.to))
  }

  /// Acts on further consequences of a durable record.
  private func follow(_ record: Record, _ sequence: UInt64) {
    switch record {
    case .stream(let stream):
      // Messages of an ended stream that did not leave after all may expire, or be cancelled.
      if stream.isOver { accounts.numbered(stream.account)?.outbox.scheduleAll() }
      for jid in Set(stream.presences.map(\.jid)).sorted() {
        effects.publish(.presence(account: stream.account, contact: jid))
      }
    case .suspicion(let suspicion): accounts.numbered(suspicion.account)?.outbox.failPoisoned()
    case .wish(let wish): accounts.numbered(wish.account)?.wishChanged(isCommand: wish.isCommand)
    case .login(let login) where login.mechanism == nil: accounts.numbered(login.account)?.unpinned()
    case .message(let message) where message.isFromHere:
      accounts.numbered(message.account)?.outbox.schedule(sequence)
    case .change(let message) where message.details?.change?.isSent == true:
      accounts.numbered(message.account)?.outbox.schedule(sequence)
      if message.details?.change?.kind == .retraction, let id = message.target { effects.order(.forgetFetched([id])) }
    case .change(let message) where message.details?.change?.kind == .retraction:
      if let id = message.target { effects.order(.forgetFetched([id])) }
    case .change(let message) where [.files, .rescheduled].contains(message.details?.change?.kind):
      if let id = message.target { accounts.numbered(message.account)?.outbox.schedule(id) }
    case .delivery(let delivery): accounts.numbered(delivery.account)?.outbox.deliveryChanged(delivery)
    case .account(let account): storage.undeclared.remove(account.number)
    case .release(let release): accounts.numbered(release.account)?.outbox.schedule(release.id)
    default: break
    }
  }

  // MARK: - A disk that fails

  /// A batch was not stored. Requests that wait for it are refused at once; what servers sent is given up after half a
  /// minute, and with it the connections.
  func storageFailed(_ error: StorageError, isWithdrawn: Bool) {
    let failure = storage.failed(error, isWithdrawn: isWithdrawn)
    if case .retried = failure { return }
    let hasUnstored = clients.waitsForStorage
    if hasUnstored || storage.lossSince != nil { giveUpUnstored(error) }
    clients.storageFailed(error, isWithdrawn: isWithdrawn, hasUnstored: hasUnstored)
    reportServiceStatus()
    if case .replaced = failure { leaveForOtherLog() }
  }

  /// The log is gone, and another is in its place. The status is that of a log that cannot be written (sysexits(3),
  /// EX_IOERR): the service manager starts the daemon again.
  private func leaveForOtherLog() {
    effects.journal(.critical, "exiting: the data directory was replaced; restart to use the new one")
    storage.isStopping = true
    stopping = OrderlyStop(leavesStreams: true, at: effects.now.instant)
    stopping?.enter(.done, at: effects.now.instant)
    effects.act(.exit(74))
  }

  /// Gives up all that is not durable: the streams are dropped without an acknowledgement.
  private func giveUpUnstored(_ error: StorageError) {
    storage.giveUp()
    for account in accounts.alive { account.forgetUnstored() }
    if let since = storage.since { dropLinks(error, since: since) }
  }

  /// Nothing was taken from servers since then.
  private func dropLinks(_ error: StorageError, since: Timestamp) {
    for account in accounts.alive where !account.isIdle {
      account.lose("nothing can be stored: \(error)", since: since)
    }
  }

  /// A batch is durable, or there is nothing to write.
  func storageWorks() {
    guard storage.works() else { return }
    for account in accounts.all { account.reconnect() }
    reportServiceStatus()
  }

  /// Room for one more segment is kept on a full disk, or there is none.
  func diskReserveKept(_ error: StorageError?) {
    if storage.diskReserveKept(error) { return storageWorks() }
    if let error, storage.isOnDiskReserve, let since = storage.lossSince { dropLinks(error, since: since) }
  }
}
