import MessageLog
import Syscalls

/// Stays readable while it is open, also when another file has its name, or none.
final class OpenVersion: FileVersion {
  private let fd: OwnedFD
  private let name: String

  init(_ fd: consuming OwnedFD, _ name: String) {
    self.fd = fd
    self.name = name
  }

  func read(at offset: UInt64, count: Int) throws(StorageError) -> [UInt8] {
    do throws(Errno) {
      return try Files.read(fd.raw, at: offset, count: count)
    } catch {
      throw StorageError(error, name)
    }
  }
}
