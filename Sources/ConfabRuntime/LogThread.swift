import ConfabEngine
import MessageLog
import Reactor
import Syscalls

/// The thread that writes and syncs the log, and nothing else (DESIGN, section 1).
final class LogThread {
  private let storage: any LogStorage
  private let worker: WorkerThread
  private let outcomes: Mailbox<CommitOutcome>
  private let checkpoints: Mailbox<StorageError?>

  /// `onCommit` gets each batch's outcome on the loop's thread; `onCheckpoint` a failed checkpoint's error.
  init(
    storage: any LogStorage, loop: EventLoop, onCommit: @escaping (CommitOutcome) -> Void,
    onCheckpoint: @escaping (StorageError) -> Void
  ) throws(Errno) {
    self.storage = storage
    worker = try WorkerThread(name: "log")
    outcomes = loop.makeMailbox(onCommit)
    checkpoints = loop.makeMailbox { error in error.map(onCheckpoint) }
  }

  /// Writes and syncs a batch.
  func commit(_ batch: LogBatch) {
    let (storage, outcomes) = (storage, outcomes)
    run(orElse: { outcomes.send(.failed($0)) }) {
      do throws(StorageError) {
        try batch.perform(on: storage)
        outcomes.send(.done)
      } catch {
        outcomes.send(.failed(error))
      }
    }
  }

  /// Stores a checkpoint; a derived file.
  func store(_ checkpoint: Checkpoint) {
    let (storage, checkpoints) = (storage, checkpoints)
    run(orElse: { checkpoints.send($0) }) {
      do throws(StorageError) {
        try checkpoint.write(to: storage)
        checkpoints.send(nil)
      } catch {
        checkpoints.send(error)
      }
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
