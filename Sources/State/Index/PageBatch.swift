package import MessageLog

/// Pages to be written: made where the state are, performed on the writer's thread. Not synced: the checkpoint that names
/// them is not written before they are.
package struct PageBatch: Sendable {
  /// Where each part goes in the file, and what it is.
  let parts: [(offset: UInt64, bytes: [UInt8])]

  /// How many pages it writes.
  package var count: Int { parts.count { $0.offset > 0 } }

  package func perform(on storage: any LogStorage) throws(StorageError) {
    for part in parts { try storage.writePages(IndexFormat.fileName, part.bytes, at: part.offset) }
  }
}

/// A checkpoint and what must be durable before it: the pages that it names.
package struct Snapshot: Sendable {
  package let checkpoint: Checkpoint
  /// What the header of the index is to be; nil where there are no pages.
  let header: [UInt8]?

  /// How writing it ended.
  package enum Outcome: Sendable {
    case done
    /// `pagesAreSuspect`: their sync failed, and nobody knows what of them is on the disk.
    case failed(StorageError, pagesAreSuspect: Bool)
  }

  package func perform(on storage: any LogStorage) -> Outcome {
    var isSyncing = false
    do throws(StorageError) {
      if let header {
        try storage.writePages(IndexFormat.fileName, header, at: 0)
        isSyncing = true
        try storage.syncPages(IndexFormat.fileName)
        isSyncing = false
      }
      try checkpoint.write(to: storage)
      return .done
    } catch {
      return .failed(error, pagesAreSuspect: isSyncing)
    }
  }
}
