import Glibc
import Syscalls
import TestSupport
import Testing

@Suite("The lock on a file")
struct FileLockTests {
  @Test("is one owner's, and goes with it though a program that is being started has the descriptor, too")
  func owned() throws {
    let folder = try TemporaryFolder()
    guard let lock = try FileLock.take(Files.openDirectory(folder.path)) else { throw TestFailure("it is taken") }
    let copy = OwnedFD(taking: dup(lock.raw))
    #expect(try isTaken(folder.path))
    _ = consume lock
    #expect(try !isTaken(folder.path))
    withExtendedLifetime(copy) {}
  }

  private func isTaken(_ path: String) throws(Errno) -> Bool {
    if let lock = try FileLock.take(Files.openDirectory(path)) {
      _ = consume lock
      return false
    }
    return true
  }
}
