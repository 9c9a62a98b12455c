import Clocks
import Facts
import MessageLog
import Records
import Settings

/// A disk that fails. What could not be written is tried once more at once, in a new segment: a fault that is over by then
/// costs nobody anything. Then nothing is read from the servers, nothing is taken from front ends, and the disk is tried
/// again every few seconds. What front ends wait for is given up at once, so that they are told; what servers sent, after
/// half a minute, and with it the connections: a server keeps what is not acknowledged in bounded queues only, its archive
/// and its offline storage keep the rest.
extension Engine {
  /// How long to wait before the disk is tried again.
  static let storagePause = Interval.seconds(5)
  /// How long connections are kept while nothing can be stored.
  static let storagePatience = Interval.seconds(30)

  /// A batch was not stored.
  ///
  /// - Parameter isWithdrawn: no crash brings it back.
  func storageFailed(_ error: StorageError, isWithdrawn: Bool) {
    storage.queue.failed(error, isWithdrawn: isWithdrawn)
    guard let since = failingSince else {
      failingSince = effects.now.instant
      effects.journal(
        .error, "the log could not be written: \(error); it goes on in a new segment, if it can",
        about: JournalFields(errno: error.errno))
      return storage.queue.retry()
    }
    noteTrouble(error)
    storage.isOnReserve = false
    storageRetry = effects.now.instant.advanced(by: Self.storagePause)
    effects.journal(
      .critical, "the log could not be written: \(error); nothing is acknowledged until it can",
      about: JournalFields(errno: error.errno))
    let hasUnstored = clients.waitsForStorage
    if hasUnstored || effects.now.instant - since >= Self.storagePatience { giveUpUnstored(error) }
    clients.storageFailed(error, isWithdrawn: isWithdrawn, hasUnstored: hasUnstored)
    tellServiceManager()
    if error.cause == .replaced { leaveForOtherLog() }
  }

  /// Records why nothing can be stored, for `status`, and reports a change to watchers.
  func noteTrouble(_ error: StorageError) {
    let isNew = storage.trouble?.cause != error.cause
    storage.trouble = error
    storage.troubleSince = storage.troubleSince ?? effects.now.wall
    if isNew { effects.publish(StorageChanged()) }
  }

  /// The log is gone, and another is in its place: only a start can take that up. The status is that of a log that cannot
  /// be written (sysexits(3), EX_IOERR): who looks after the daemon starts it again.
  private func leaveForOtherLog() {
    effects.journal(.critical, "the daemon ends, so that the next one begins with what is there now")
    storage.isStopping = true
    stopping = .done
    effects.act(.exit(74))
  }

  /// Nothing of what was not durable exists any more: the streams are dropped without an acknowledgement.
  private func giveUpUnstored(_ error: StorageError) {
    storage.giveUp()
    for account in accounts.alive { account.forgetUnstored() }
    dropLinks(error)
  }

  /// Nothing is taken from servers for so long that they may keep no more.
  func dropLinks(_ error: StorageError) {
    guard let since = failingSince else { return }
    let time = effects.now.wall.advanced(by: since - effects.now.instant)
    for account in accounts.alive where !account.isIdle {
      account.lose("nothing can be stored: \(error)", since: time)
    }
  }

  /// Writes what waits, or something that is true anyway. When it is stored, so can all else be.
  func tryStorage() {
    storageRetry = nil
    if storage.isOnReserve { return effects.act(.keepReserve) }
    if storage.queue.isClean {
      guard !accounts.all.isEmpty else { return storageWorks() }
      for account in accounts.all { storage.appendUrgently(.account(account.facts.record)) }
    }
    storage.queue.retry()
  }

  /// A batch is durable.
  func storageWorks() {
    failingSince = nil
    guard storage.trouble != nil else { return }
    (storage.trouble, storage.troubleSince, storage.isOnReserve) = (nil, nil, false)
    effects.publish(StorageChanged())
    storageRetry = nil
    effects.journal(.notice, "the log can be written again")
    for account in accounts.all { account.reconnect() }
    tellServiceManager()
  }
}
