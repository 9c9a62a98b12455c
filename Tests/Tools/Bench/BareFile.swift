import Glibc
import TestSupport

/// What the disk itself allows: plain writes and fdatasync on a file of their own, whose space is there beforehand, so
/// that no growing of the file flatters us.
struct BareFile {
  private let descriptor: CInt
  private let record = [UInt8](repeating: 0x61, count: 200)

  init(_ path: String) throws {
    descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw TestFailure("open \(path): errno \(errno)") }
    guard posix_fallocate(descriptor, 0, 64 << 20) == 0 else { throw TestFailure("no space for \(path)") }
  }

  /// Writes so many records of 200 bytes, each with a write of its own, then syncs once.
  func write(_ records: Int) throws {
    for _ in 0..<records {
      guard unsafe Glibc.write(descriptor, record, record.count) == record.count else {
        throw TestFailure("write: errno \(errno)")
      }
    }
    guard fdatasync(descriptor) == 0 else { throw TestFailure("fdatasync: errno \(errno)") }
  }
}
