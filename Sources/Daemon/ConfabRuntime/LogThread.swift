import ConfabEngine
import State
import MessageLog
import Reactor
import Synchronization
import Syscalls

/// The thread that writes and syncs the log, and nothing else.
final class LogThread {
  private let storage: any LogStorage
  private let worker: WorkerThread
  private let outcomes: Mailbox<LogBatch.Outcome>
  private let reserves: Mailbox<StorageError?>
  private let stored: Mailbox<StorageError?>
  private let keys: Mailbox<StorageError?>
  private let checkpoints: Mailbox<Snapshot.Outcome>

  /// `onCommit` gets each batch's outcome on the loop's thread, `onReserve` that of `keepDiskReserve`, `onKeys` that
  /// of changed keys, `onPages` that of pages, `onCheckpoint` a checkpoint's.
  init(
    storage: any LogStorage, loop: EventLoop, onCommit: @escaping (LogBatch.Outcome) -> Void,
    onReserve: @escaping (StorageError?) -> Void, onKeys: @escaping (StorageError?) -> Void,
    onPages: @escaping (StorageError?) -> Void,
    onCheckpoint: @escaping (Snapshot.Outcome) -> Void
  ) throws(Errno) {
    self.storage = storage
    worker = try WorkerThread(name: "log")
    outcomes = loop.makeMailbox(onCommit)
    reserves = loop.makeMailbox(onReserve)
    stored = loop.makeMailbox(onPages)
    keys = loop.makeMailbox(onKeys)
    checkpoints = loop.makeMailbox(onCheckpoint)
  }

  /// Writes and syncs a batch, or takes it back.
  func commit(_ batch: LogBatch) {
    let (storage, outcomes, mayBeThere) = (storage, outcomes, batch.isBehindDoubt)
    let last = batch.sequences.upperBound - 1
    let once = SingleUseBatch(batch)
    run(orElse: { outcomes.send(.failed($0, isWithdrawn: !mayBeThere)) }) {
      guard let outcome = once.store(on: storage) else { return }
      outcomes.send(outcome)
      // Behind the answer, which need not wait for the renaming of a file.
      if outcome.isDurable { storage.noteDurable(last) }
    }
  }

  /// Keeps room for one more segment.
  func keepDiskReserve() { run(answering: reserves) { storage throws(StorageError) in try storage.keepDiskReserve() } }

  /// Changes the file of keys.
  func change(_ order: EpochKeyOrder) {
    run(answering: keys) { storage throws(StorageError) in try order.perform(on: storage) }
  }

  /// Writes pages of the index.
  func store(_ pages: PageBatch) {
    run(answering: stored) { storage throws(StorageError) in try pages.perform(on: storage) }
  }

  private func run(
    answering mailbox: Mailbox<StorageError?>,
    _ body: @escaping @Sendable (any LogStorage) throws(StorageError) -> Void
  ) {
    let storage = storage
    run(orElse: { mailbox.send($0) }) {
      do throws(StorageError) {
        try body(storage)
        mailbox.send(nil)
      } catch {
        mailbox.send(error)
      }
    }
  }

  /// Stores a checkpoint, and before it what it relies on.
  func store(_ snapshot: Snapshot) {
    let (storage, checkpoints) = (storage, checkpoints)
    run(orElse: { checkpoints.send(.failed($0, pagesAreSuspect: false)) }) {
      checkpoints.send(snapshot.perform(on: storage))
    }
  }

  /// Calls `body` on the loop's thread once everything given so far is done.
  func afterAll(_ mailbox: Mailbox<Void>) {
    run(orElse: { _ in mailbox.send(()) }) { mailbox.send(()) }
  }

  private func run(orElse fail: @escaping @Sendable (StorageError) -> Void, _ job: @escaping WorkerThread.Job) {
    do throws(Errno) {
      try worker.run(job)
    } catch {
      fail(StorageError(.failed, "the log's thread could not be started: \(error)"))
    }
  }
}

/// A batch that is let go of as soon as it is stored: whoever hears of that may use its memory again.
private final class SingleUseBatch: Sendable {
  private let batch: Mutex<LogBatch?>

  init(_ batch: LogBatch) { self.batch = Mutex(batch) }

  /// Nil the second time.
  func store(on storage: any LogStorage) -> LogBatch.Outcome? {
    let batch = batch.withLock { $0.take() }
    return batch?.store(on: storage)
  }
}
