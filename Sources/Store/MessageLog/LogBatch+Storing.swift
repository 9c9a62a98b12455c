import Bytes

/// Writing a batch, and taking back one that could not be written.
extension LogBatch {
  /// How storing a batch went.
  package enum Outcome: Equatable, Sendable {
    /// Its records are durable.
    case stored
    /// Its records are durable, in the disk reserve.
    case storedInDiskReserve
    /// Its records are not durable. `isWithdrawn`: no later process will find them, nor those of batches that failed
    /// before; otherwise any of them may be on the disk, until a newer segment is durable.
    case failed(StorageError, isWithdrawn: Bool)

    package var isDurable: Bool { if case .failed = self { false } else { true } }
  }

  /// Writes and syncs it, or takes back what it may have left. The caller notes what is durable.
  package func store(on storage: any LogStorage) -> Outcome {
    var mayBeThere = isBehindDoubt
    do throws(StorageError) {
      try begin(on: storage)
      do throws(StorageError) {
        try storage.write(content.bytes, to: segment, at: UInt64(offset))
      } catch {
        mayBeThere = mayBeThere || !error.leftNothing
        throw error
      }
      mayBeThere = true
      try storage.sync(segment)
      return storage.isDiskReserveTaken ? .storedInDiskReserve : .stored
    } catch {
      return .failed(error, isWithdrawn: !mayBeThere || withdraw(from: storage))
    }
  }

  /// Writes and syncs it. A failure leaves the segment in an unknown state; nothing more may be written to it.
  package func perform(on storage: any LogStorage) throws(StorageError) {
    try begin(on: storage)
    try storage.write(content.bytes, to: segment, at: UInt64(offset))
    try storage.sync(segment)
    storage.noteDurable(sequences.upperBound - 1)
  }

  private func begin(on storage: any LogStorage) throws(StorageError) {
    guard createsSegment else { return }
    try storage.create(segment, preallocating: segmentSize)
    try storage.syncDirectory()
  }

  /// Cuts the log back to its durable end, and makes that durable: a sync that failed may have brought to the disk what
  /// it should have, all the same. A segment that somebody removed holds nothing that could come back. False where the
  /// disk does not do that either.
  package func withdraw(from storage: any LogStorage) -> Bool {
    do throws(StorageError) {
      if createsSegment { try remove(segment, from: storage) }
      guard let tainted else { return true }
      try storage.truncate(tainted.id, to: UInt64(tainted.end))
      try storage.sync(tainted.id)
      return true
    } catch {
      return error.cause == .missing || error.cause == .replaced
    }
  }

  private func remove(_ segment: SegmentID, from storage: any LogStorage) throws(StorageError) {
    do throws(StorageError) {
      try storage.remove(segment)
    } catch {
      guard error.cause == .missing else { throw error }
    }
    try storage.syncDirectory()
  }
}
