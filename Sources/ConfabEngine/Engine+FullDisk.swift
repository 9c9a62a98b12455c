import Clocks
import MessageLog
import Settings

/// A full disk. What waits goes to the room that is kept for one more segment, so that nobody is refused in the middle, and
/// what must be recorded can be. Nothing new is taken then, from servers or front ends, until there is room again.
extension Engine {
  /// A batch is durable, and there is no room but what was kept.
  func storedInReserve() {
    guard !turn.isOnReserve else { return }
    failingSince = failingSince ?? turn.now.instant
    turn.isOnReserve = true
    noteTrouble(turn.storageTrouble ?? StorageError(.noSpace, "the disk is full"))
    storageRetry = turn.now.instant.advanced(by: Self.storagePause)
    turn.journal(
      .critical,
      "the disk is full: what waited went to the room kept for that, and nothing new is taken until there is more")
    tellServiceManager()
  }

  /// Room for one more segment is kept, or there is none.
  func reserveKept(_ error: StorageError?) {
    guard turn.isOnReserve, let since = failingSince else {
      if let error { turn.journal(.warning, "no room could be kept for a full disk: \(error)") }
      return
    }
    guard let error else { return storageWorks() }
    storageRetry = turn.now.instant.advanced(by: Self.storagePause)
    if turn.now.instant - since >= Self.storagePatience { dropLinks(error) }
  }
}
