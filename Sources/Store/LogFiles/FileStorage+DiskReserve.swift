package import MessageLog
import Synchronization
import Syscalls

/// Room for one more segment, kept in a file beside the others: where the disk is full, what must still be stored can
/// be.
extension FileStorage {
  /// The state of the reserve: not checked yet, in its file, or used up by a segment.
  enum DiskReserve { case unknown, kept, taken }

  /// Batches are bounded by what the engine lets wait (1 MiB, and the requests of front ends).
  static let reserveSize: UInt64 = 2 << 20
  static let reserveName = "reserve"

  package var isDiskReserveTaken: Bool { reserve.withLock { $0 == .taken } }

  package func keepDiskReserve() throws(StorageError) {
    try checkWritable()
    guard reserve.withLock({ $0 != .kept }) else { return }
    do throws(Errno) {
      let file = try Files.open(Self.reserveName, in: segmentDirectory.raw, .createOrOpen)
      // A file system that cannot preallocate gives no reserve: a full disk then stops writing at once.
      _ = try Files.reserve(file.raw, Self.reserveSize)
      try Files.sync(file.raw)
    } catch {
      try? Files.remove(Self.reserveName, in: segmentDirectory.raw)
      throw StorageError(error, Self.reserveName)
    }
    reserve.withLock { $0 = .kept }
  }

  /// Makes a segment of it; false where there is none.
  func takeDiskReserve(as name: String) throws(Errno) -> Bool {
    guard reserve.withLock({ $0 == .kept }) else { return false }
    try Files.rename(Self.reserveName, to: name, in: segmentDirectory.raw)
    reserve.withLock { $0 = .taken }
    return true
  }
}
