package import MessageLog
import Synchronization
import Syscalls

/// Room for one more segment, kept in a file beside the others: where the disk is full, what must still be stored can be.
extension FileStorage {
  /// What is known of it.
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
      // Where the file system cannot keep room there is none, and what is full is full.
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
