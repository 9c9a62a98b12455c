import Clocks
import Conversations
import Facts
import MessageLog
import Records
import Settings

/// The engine and its log.
extension Engine {
  /// A batch is durable: its records become facts, then what waited for them goes on.
  func committed(inReserve: Bool) {
    var committed = storage.queue.completed(at: effects.now.instant)
    let (count, beginsSegment) = (committed.entries.count, committed.beginsSegment)
    for place in committed.entries.indices {
      let sequence = committed.entries[place].sequence
      let location = committed.location(of: sequence)
      switch committed.takeContent(at: place) {
      case .record(let record):
        let change = facts.fold(record, sequence: sequence, location: location)
        clients.publish(record, change, sequence: sequence)
        follow(change)
        follow(record, sequence)
      case .message(let message):
        let change = facts.fold(message, sequence: sequence, location: location)
        if !clients.watchers.isEmpty, case .message(let conversation, let place) = change {
          committed.withMessage(sequence) { clients.publish($0, at: place.row, in: conversation, sequence: sequence) }
        }
        follow(change)
      case .taken: break
      }
    }
    storage.pending.durable(upTo: storage.queue.durable)
    // Before anything is appended: the memory of this batch may be the next one's.
    storage.queue.recycle(&committed)
    if beginsSegment { for record in facts.accountRecords { storage.append(record) } }
    if inReserve { storedInReserve() } else { storageWorks() }
    for account in accounts.alive { account.synced() }
    clients.answerRefused()
    clients.durable()
    storePages()
    takeCheckpointIfDue()
    giveMemoryBack(after: count)
  }

  /// What a burst needed is given back as soon as nothing waits for the disk.
  private func giveMemoryBack(after count: Int) {
    let (now, keepsRoom) = (effects.now.instant, storage.queue.keepsRoom)
    if release.stored(count, isResting: facts.isResting, keepsRoom: keepsRoom, at: now) { facts.interruptRest() }
    guard release.isWorthwhile, storage.queue.isClean else { return }
    // A link waited for the disk: there is more, or that was the last.
    if accounts.alive.contains(where: \.isPaused) {
      release.expectEnd(at: now)
    } else {
      giveMemoryBack(in: .betweenBursts)
    }
  }

  /// Gives back what is not used any more, in a pause that has come; a burst has none while something waits for the disk.
  func giveMemoryBack(in pause: Facts.Pause) {
    guard pause != .betweenBursts || storage.queue.isClean else { return }
    release.given(in: pause, at: effects.now.instant)
    storage.queue.forgetRoom()
    facts.rest(pause)
    storePages()
    effects.act(.releaseMemory)
    if pause == .long { effects.act(.releaseProgram) }
  }

  /// What a change leads to.
  private func follow(_ change: Facts.Change) {
    switch change {
    case .message(let conversation, let place):
      guard let resection = place.resection else { break }
      effects.publish(
        SectionsChanged(
          account: conversation.account, conversation: conversation.jid, from: resection.from, to: resection.to))
    case .forgotten(let conversation):
      effects.publish(SectionsChanged(account: conversation.account, conversation: conversation.jid))
    case .delivery(_, let delivery): clients.delivered(delivery)
    case .other: break
    }
  }

  /// What one durable record leads to beside that.
  private func follow(_ record: Record, _ sequence: UInt64) {
    switch record {
    case .stream(let stream):
      // What has not left after all can be too late, or be taken back.
      if stream.isOver { accounts.numbered(stream.account)?.outbox.scheduleAll() }
      for jid in Set(stream.presences.map(\.jid)).sorted() {
        effects.publish(PresenceChanged(account: stream.account, contact: jid))
      }
    case .suspicion(let suspicion): accounts.numbered(suspicion.account)?.outbox.failPoisoned()
    case .wish(let wish): accounts.numbered(wish.account)?.wishChanged(isCommand: wish.isCommand)
    case .login(let login) where login.mechanism == nil: accounts.numbered(login.account)?.unpinned()
    case .message(let message) where message.mine && !message.elsewhere:
      accounts.numbered(message.account)?.outbox.schedule(sequence)
    case .delivery(let delivery): accounts.numbered(delivery.account)?.outbox.schedule(delivery.id)
    case .release(let release): accounts.numbered(release.account)?.outbox.schedule(release.id)
    case .account(let account): declared[account.number] = account
    default: break
    }
  }
}
