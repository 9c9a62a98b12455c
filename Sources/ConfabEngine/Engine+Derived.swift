import Clocks
import Facts
import MessageLog
import Settings

/// What is derived from the log and kept on the disk: pages of entries that left memory, and checkpoints. Nothing waits for
/// either; what cannot be written stays in memory, and is tried again later.
extension Engine {
  /// Lets entries leave memory where there are too many.
  func storePages() {
    guard pagesRetry.map({ $0 <= effects.now.instant }) ?? true, let batch = facts.takePages() else { return }
    effects.act(.storePages(batch))
  }

  /// The pages have been written, or not.
  func pagesStored(_ error: StorageError?) {
    facts.pagesStored(error == nil)
    if replay != nil { replay?.due = effects.now.instant }
    pagesRetry = error.map { _ in effects.now.instant.advanced(by: Self.storagePause) }
    if let error {
      effects.journal(
        .warning, .pages, "the index could not be written, and stays in memory: \(error)",
        about: JournalFields(errno: error.errno))
    } else {
      storePages()
    }
  }

  func takeCheckpointIfDue() {
    guard checkpointUnderWay == nil else { return }
    if facts.sinceSnapshot >= Self.checkpointEvery || facts.wantsSnapshot { takeCheckpoint() }
  }

  /// Has the facts written as they are now.
  func takeCheckpoint() {
    guard replay == nil,
      let snapshot = facts.takeSnapshot(
        of: log, upTo: storage.queue.durable, storage.queue.durableEnd, accounts: declared)
    else { return }
    checkpointUnderWay = snapshot.checkpoint.sequence
    effects.act(.checkpoint(snapshot))
  }

  /// The checkpoint has been written, or not.
  func checkpointStored(_ outcome: Snapshot.Outcome) {
    guard let sequence = checkpointUnderWay.take() else { return }
    facts.snapshotStored(sequence, outcome)
    if case .failed(let error, let pagesAreSuspect) = outcome {
      let consequence = pagesAreSuspect ? "; there will be none until the next start" : ""
      effects.journal(
        .warning, "the checkpoint could not be stored: \(error)\(consequence)",
        about: JournalFields(errno: error.errno))
    }
  }
}
