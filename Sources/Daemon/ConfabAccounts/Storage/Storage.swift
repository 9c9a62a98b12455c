package import Clocks
package import MessageLog
package import Records
import ConfabConfiguration
package import State

/// The engine's side of the log: where records are appended, what is pending, and what becomes of it while the disk
/// fails or is full.
///
/// A batch that could not be written is tried once more at once, in a new segment: a fault that is over by then has no
/// further effect. Then links are not read, requests are refused, and the disk is tried again in growing pauses
/// (docs/decisions/0024-disk-failure.md). Each attempt costs a segment and a line of the journal, so faults that come
/// back again and again are not tried again at once (docs/decisions/0117-bounded-retries-of-a-failing-disk.md). On a
/// full disk, pending records go to the room that is kept for one more segment, and nothing new is taken until there is
/// room again.
package final class Storage {
  /// The consequence of a batch that could not be written.
  package enum Failure {
    /// It is tried again at once, in a new segment.
    case retried
    /// Nothing can be stored for now.
    case refused
    /// The log is gone, and another is in its place: only a start can take that up.
    case replaced
  }

  /// How long to wait for room on a full disk.
  package static let pause = RetryPause.shortest
  /// How long connections are kept while nothing can be stored: a server keeps what is not acknowledged in bounded
  /// queues only, its archive and its offline storage keep the rest.
  private static let patience = Interval.seconds(30)

  private let effects: Effects
  package var queue: LogQueue
  /// The UUID of the log.
  let log: LogUUID
  package let keyring: Keyring
  let strangersFloor: StrangersFloor
  /// Records that were appended and are not durable.
  package let pending = Pending()
  /// Set while nothing new can be stored.
  package private(set) var trouble: StorageError?
  /// Since when the log cannot be written; nil while it can.
  package private(set) var troubleSince: Timestamp?
  /// True if records can still be appended on a full disk, in the room reserved for that.
  package private(set) var isOnDiskReserve = false
  private var failingSince: Instant?
  /// When the disk is tried again.
  package private(set) var retryDue: Instant?
  private var retryPause = RetryPause()
  /// Batches that are tried again at once: five, and one more each minute.
  private var immediateRetries = RateLimiter(of: 5, each: .minutes(5))
  /// New accounts whose records are not durable: no checkpoint may know them before.
  package var undeclared: Set<UInt32> = []
  /// How much of the log has been read, of a hundred, while state is not whole; nil: it is.
  package var replayed: Int?
  package let interruption = Interruption()
  /// True if the state and the log can be relied on. If not, nothing is decided by them: nothing is appended, and
  /// clients wait.
  package var isWhole: Bool { replayed == nil && !interruption.isOn }
  /// True if the daemon has begun to stop: nothing new is connected.
  package var isStopping = false

  package init(_ queue: LogQueue, of log: LogUUID, _ keyring: Keyring, _ effects: Effects) {
    (self.queue, self.effects, strangersFloor) = (queue, effects, StrangersFloor(effects))
    (self.log, self.keyring) = (log, keyring)
  }

  // MARK: - Appending

  /// True if records may be appended.
  var mayAppend: Bool { trouble == nil || isOnDiskReserve }

  /// Appends a record that no client waits for; while state is not whole, none: its number is another record's.
  @discardableResult
  package func append(_ record: Record) -> UInt64 { append(record, urgent: false) }

  /// Appends a record that a client waits for.
  @discardableResult
  package func appendUrgently(_ record: Record) -> UInt64 { append(record, urgent: true) }

  private func append(_ record: Record, urgent: Bool) -> UInt64 {
    guard isWhole else { return queue.last + 1 }
    let sequence = queue.append(record, urgent: urgent)
    pending.note(record, sequence)
    return sequence
  }

  /// Gives up all that is not durable.
  package func giveUp() {
    queue.giveUp()
    pending.discard()
  }

  // MARK: - A disk that fails

  /// A batch was not stored.
  ///
  /// - Parameter isWithdrawn: no crash brings it back.
  package func failed(_ error: StorageError, isWithdrawn: Bool) -> Failure {
    queue.failed(error, isWithdrawn: isWithdrawn)
    let isFirst = failingSince == nil
    failingSince = failingSince ?? effects.now.instant
    if isFirst, immediateRetries.take(1, at: effects.now.instant) {
      effects.journal(
        .error, .writeErrors, "writing the log failed: \(error); trying a new segment",
        about: JournalFields(errno: error.errno))
      queue.retry()
      return .retried
    }
    note(error)
    isOnDiskReserve = false
    retryDue = effects.now.instant.advanced(by: pause(after: error))
    effects.journal(
      .critical, .outages, "writing the log failed: \(error); nothing is acknowledged until writing works again",
      about: JournalFields(errno: error.errno))
    return error.cause == .replaced ? .replaced : .refused
  }

  /// Room, rights and a directory are put back by a person, who waits for that, and until then no segment is made: only
  /// errors of the disk are given more and more time.
  private func pause(after error: StorageError) -> Interval {
    error.cause == .failed ? retryPause.next(at: effects.now.instant) : Self.pause
  }

  /// Records why nothing can be stored, for `status`, and reports a change to watchers.
  private func note(_ error: StorageError) {
    let isNew = trouble?.cause != error.cause
    trouble = error
    troubleSince = troubleSince ?? effects.now.wall
    if isNew { effects.publish(.storage) }
  }

  /// Since when nothing was taken from servers, once that is so long that they may keep no more; nil: it is not.
  package var lossSince: Timestamp? {
    guard let failingSince, effects.now.instant - failingSince >= Self.patience else { return nil }
    return since
  }

  /// Since when the disk fails, by the wall clock.
  package var since: Timestamp? {
    failingSince.map { effects.now.wall.advanced(by: $0 - effects.now.instant) }
  }

  /// Tries the disk again, if it is time.
  ///
  /// - Parameter accounts: records that are true anyway, to be written if nothing is pending.
  /// - Returns: whether there is nothing to write: the disk works.
  package func retry(accounts: () -> [AccountRecord]) -> Bool {
    guard let due = retryDue, due <= effects.now.instant else { return false }
    retryDue = nil
    if isOnDiskReserve {
      effects.act(.keepDiskReserve)
      return false
    }
    if queue.isClean || !undeclared.isEmpty {
      // Which records are true is not known before the log has been read.
      guard isWhole else {
        retryDue = effects.now.instant.advanced(by: Self.pause)
        return false
      }
      let records = accounts()
      if records.isEmpty {
        queue.retry()
        return true
      }
      for record in records { appendUrgently(.account(record)) }
    }
    queue.retry()
    return false
  }

  /// A batch is durable. True if nothing could be stored before.
  package func works() -> Bool {
    failingSince = nil
    guard trouble != nil else { return false }
    (trouble, troubleSince, isOnDiskReserve, retryDue) = (nil, nil, false, nil)
    effects.publish(.storage)
    effects.journal(.notice, "the log can be written again")
    return true
  }

  // MARK: - A full disk

  /// A batch is durable, and there is no room but what was kept. True if that is new.
  package func storedInDiskReserve() -> Bool {
    guard !isOnDiskReserve else { return false }
    failingSince = failingSince ?? effects.now.instant
    isOnDiskReserve = true
    note(trouble ?? StorageError(.noSpace, "the disk is full"))
    retryDue = effects.now.instant.advanced(by: Self.pause)
    effects.journal(
      .critical,
      "the disk is full: waiting records went to the reserve, and nothing new is accepted until there is space")
    return true
  }

  /// Room for one more segment is kept, or there is none. True if there is room again.
  package func diskReserveKept(_ error: StorageError?) -> Bool {
    guard isOnDiskReserve else {
      if let error { effects.journal(.warning, "no reserve for a full disk could be allocated: \(error)") }
      return false
    }
    guard error != nil else { return true }
    retryDue = effects.now.instant.advanced(by: Self.pause)
    return false
  }
}
