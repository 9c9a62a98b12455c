package import MessageLog
package import Records

/// A checkpoint and what must be durable before it: the pages that it names.
package struct Snapshot: Sendable {
  package let checkpoint: Checkpoint
  /// New header of the index; nil if there are no pages.
  let header: [UInt8]?

  /// How writing it ended.
  package enum Outcome: Sendable {
    case done
    /// `pagesAreSuspect`: their sync failed, and nobody knows what of them is on the disk.
    case failed(StorageError, pagesAreSuspect: Bool)
  }

  /// The state as of now, to be written; must be answered by `IndexPages.snapshotStored`. Nil where the pages cannot be
  /// relied on.
  ///
  /// - Parameters:
  ///   - location: the place behind that record.
  ///   - durable: the accounts' records that are durable; nil: all.
  package init?(
    _ state: State, of log: LogUUID, upTo sequence: UInt64, _ location: LogLocation,
    accounts durable: [UInt32: AccountRecord]? = nil
  ) {
    guard state.pages?.areReliable != false else { return nil }
    let pieces = CheckpointWriter.pieces(of: state, accounts: durable)
    // Making the pieces may have met a part of the last checkpoint that cannot be read.
    guard state.pages?.areReliable != false else { return nil }
    checkpoint = Checkpoint(log: log, sequence: sequence, location: location, pieces: pieces)
    header = state.pages?.snapshotBegins(sequence)
    state.snapshotBegins()
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
