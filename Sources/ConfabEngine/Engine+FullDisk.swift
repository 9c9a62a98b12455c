import Clocks
import MessageLog
import Settings

/// A full disk. What waits goes to the room that is kept for one more segment, so that nobody is refused in the middle, and
/// what must be recorded can be. Nothing new is taken then, from servers or front ends, until there is room again.
extension Engine {
  /// A batch is durable, and there is no room but what was kept.
  func storedInReserve() {
    guard !storage.isOnReserve else { return }
    failingSince = failingSince ?? effects.now.instant
    storage.isOnReserve = true
    noteTrouble(storage.trouble ?? StorageError(.noSpace, "the disk is full"))
    storageRetry = effects.now.instant.advanced(by: Self.storagePause)
    effects.journal(
      .critical,
      "the disk is full: what waited went to the room kept for that, and nothing new is taken until there is more")
    tellServiceManager()
  }

  /// Room for one more segment is kept, or there is none.
  func reserveKept(_ error: StorageError?) {
    guard storage.isOnReserve, let since = failingSince else {
      if let error { effects.journal(.warning, "no room could be kept for a full disk: \(error)") }
      return
    }
    guard let error else { return storageWorks() }
    storageRetry = effects.now.instant.advanced(by: Self.storagePause)
    if effects.now.instant - since >= Self.storagePatience { dropLinks(error) }
  }
}
