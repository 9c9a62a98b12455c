import ConfabAccounts
import State
import MessageLog
import Search
import TestSupport

/// The disk, and what is read from it on the side.
extension Harness {
  /// A batch waits for `sync`.
  var hasBatch: Bool { !batches.isEmpty }

  /// The disk does what it was given.
  ///
  /// - Parameters:
  ///   - error: how it fails; what is tried again at once fails too, unless it fails only `once`.
  ///   - written: what fails has reached the disk all the same.
  ///   - withdrawn: and could be taken back.
  ///   - inReserve: it is done in the room that was kept.
  func sync(
    failing error: StorageError? = nil, written: Bool = false, withdrawn: Bool = true, once: Bool = false,
    inReserve: Bool = false
  ) {
    guard !batches.isEmpty else { return }
    let batch = batches.removeFirst()
    if let error {
      if written { try? batch.perform(on: storage) }
      let isWithdrawn = withdrawn && batch.withdraw(from: storage)
      let (syncsAtOnce, first) = (syncsAtOnce, batch.sequences.lowerBound)
      self.syncsAtOnce = syncsAtOnce && once
      handle(.committed(.failed(error, isWithdrawn: isWithdrawn)))
      self.syncsAtOnce = syncsAtOnce
      guard !once, batches.first?.sequences.lowerBound == first else { return }
      return sync(failing: error, written: written, withdrawn: withdrawn, once: true)
    }
    let outcome = batch.store(on: disk)
    if outcome == .stored { trace.append(.synced) }
    handle(.committed(outcome == .stored && inReserve ? .storedInDiskReserve : outcome))
  }

  /// What a crash leaves while the next batch is written: so many of 8 parts of it.
  func image(parts: Int) throws -> MemoryStorage {
    let before = storage.snapshot
    let whole = MemoryStorage(before)
    try batches.first?.perform(on: whole)
    var content = whole.snapshot
    for (segment, bytes) in content.segments {
      let old = before.segments[segment]?.count ?? 0
      content.segments[segment] = Array(bytes.prefix(old + (bytes.count - old) * parts / 8))
    }
    return MemoryStorage(content)
  }

  /// The disk writes the pages that it was given.
  func storePages() {
    while !pages.isEmpty {
      let batch = pages.removeFirst()
      do throws(StorageError) {
        try batch.perform(on: disk)
        handleLater(.pagesStored(nil))
      } catch {
        handleLater(.pagesStored(error))
      }
    }
  }

  /// The searches that are under way are done, one stretch of each in turn.
  func search() {
    while let found = stepSearches() { handleLater(.found(found.id, found.outcome)) }
  }

  private func stepSearches() -> (id: SearchID, outcome: SearchOutcome)? {
    while !searches.isEmpty { if let found = searches.step() { return found } }
    return nil
  }
}
