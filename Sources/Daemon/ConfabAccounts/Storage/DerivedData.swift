package import Clocks
package import State
package import MessageLog
import Records
import ConfabConfiguration
/// Data derived from the log and kept on the disk: pages of state that left memory, and checkpoints; and when memory is
/// given back. Nothing waits for it; what cannot be written stays in memory, and is tried again later.
package final class DerivedData {
  /// Records between two checkpoints, so that a start reads no more than that.
  private static let checkpointEvery = 200_000

  private var state: State
  private let log: LogUUID
  private let storage: Storage
  private let effects: Effects
  /// The last record of the checkpoint that is being written.
  private var pendingCheckpoint: UInt64?
  /// When pages, and a checkpoint, that could not be written are tried again, at the earliest.
  private var (pagesRetry, checkpointRetry): (Instant?, Instant?)
  private var (pagesPause, checkpointPause) = (RetryPause(), RetryPause())
  private var release = MemoryRelease()

  package init(of state: State, _ log: LogUUID, _ storage: Storage, _ effects: Effects) {
    (self.state, self.log, self.storage, self.effects) = (state, log, storage, effects)
  }

  /// Another state takes the place of this one; false while pages or a checkpoint of this one are being written.
  func replaceState(with new: State) -> Bool {
    guard state === new || state.eviction?.isStoring != true && pendingCheckpoint == nil else { return false }
    state = new
    return true
  }

  // MARK: - Pages

  /// Lets entries leave memory if there are too many.
  package func storePages() {
    guard isOver(pagesRetry), let batch = state.eviction?.takePages()
    else { return }
    effects.act(.storePages(batch))
  }

  /// The pages have been written, or not.
  package func pagesStored(_ error: StorageError?) {
    state.eviction?.stored(error == nil)
    pagesRetry = error.map { _ in effects.now.instant.advanced(by: pagesPause.next(at: effects.now.instant)) }
    if let error {
      effects.journal(
        .warning, .pages, "writing the index failed, so it stays in memory: \(error)",
        about: JournalFields(errno: error.errno))
    } else {
      storePages()
    }
  }

  private func isOver(_ pause: Instant?) -> Bool { pause.map { $0 <= effects.now.instant } ?? true }

  // MARK: - Checkpoints

  package func takeCheckpointIfDue() {
    if pendingCheckpoint == nil, isOver(checkpointRetry),
      state.sinceSnapshot >= Self.checkpointEvery || state.pages?.wantsCheckpoint == true
    {
      takeCheckpoint()
    }
  }

  /// Has state written as it is now.
  package func takeCheckpoint() {
    // An account that only a checkpoint knew would never be declared in the log.
    let accounts = state.accounts.byNumber.filter { !storage.undeclared.contains($0.key) }.mapValues(\.record)
    guard storage.isWhole,
      let snapshot = Snapshot(
        state, of: log, upTo: storage.queue.durable, storage.queue.durableEnd, accounts: accounts)
    else { return }
    pendingCheckpoint = snapshot.checkpoint.sequence
    effects.act(.checkpoint(snapshot))
  }

  /// The checkpoint has been written, or not.
  package func checkpointStored(_ outcome: Snapshot.Outcome) {
    guard let sequence = pendingCheckpoint.take() else { return }
    state.pages?.snapshotStored(sequence, outcome)
    checkpointRetry = nil
    if case .failed(let error, let pagesAreSuspect) = outcome {
      checkpointRetry = effects.now.instant.advanced(by: checkpointPause.next(at: effects.now.instant))
      let consequence = pagesAreSuspect ? "; no more are written until the next start" : ""
      effects.journal(
        .warning, "writing the checkpoint failed: \(error)\(consequence)",
        about: JournalFields(errno: error.errno))
    }
  }

  // MARK: - Memory

  /// When memory is given back.
  package var deadline: Instant? { release.deadline }

  package func tick() { while let pause = release.takeDue(at: effects.now.instant) { giveMemoryBack(in: pause) } }

  /// A stream came or went: more of that is to be expected.
  package func connectionsChanged() { release.connectionsChanged(at: effects.now.instant) }

  /// Notes that `count` records became durable.
  ///
  /// - Parameter isPaused: a link waited for the disk, and there may be more.
  package func stored(_ count: Int, isPaused: Bool) {
    storePages()
    takeCheckpointIfDue()
    let (now, keepsBuffers) = (effects.now.instant, storage.queue.keepsBuffers)
    if release.stored(count, isResting: state.eviction?.isResting == true, keepsBuffers: keepsBuffers, at: now) {
      state.eviction?.interruptRest()
    }
    guard release.isWorthwhile, storage.queue.isClean else { return }
    if isPaused { release.expectEnd(at: now) } else { giveMemoryBack(in: .betweenBursts) }
  }

  /// Gives back what is not used any more, in a pause that has come; a burst has none while something waits for the
  /// disk.
  private func giveMemoryBack(in pause: Eviction.Pause) {
    guard pause != .betweenBursts || storage.queue.isClean else { return }
    release.given(in: pause, at: effects.now.instant)
    storage.queue.dropBuffers()
    state.eviction?.rest(pause)
    storePages()
    effects.act(.releaseMemory)
  }
}
