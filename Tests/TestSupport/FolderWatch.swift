import Glibc
import Syscalls

/// Waiting for something to happen in a folder. inotify(7)
package final class FolderWatch {
  private let descriptor: OwnedFD

  /// Watches from now on.
  package init(_ folder: String) throws {
    descriptor = OwnedFD(taking: inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)))
    let changes = UInt32(IN_CREATE | IN_MOVED_TO | IN_MODIFY | IN_ATTRIB | IN_CLOSE_WRITE | IN_DELETE)
    guard unsafe inotify_add_watch(descriptor.raw, folder, changes) >= 0 else {
      throw TestFailure("inotify_add_watch \(folder): errno \(errno)")
    }
  }

  /// Waits until the condition holds, looking at it first and after each change in the folder; false when the deadline
  /// passed or a process ended without it.
  ///
  /// A file is there a moment before somebody listens on it, which changes no folder: hence the short turns, of so many
  /// milliseconds.
  package func wait(
    until deadline: Deadline, turn: Int64 = 50, orEndOf process: ChildProcess, _ holds: () -> Bool
  ) throws -> Bool {
    while !holds() {
      if process.status != nil || deadline.hasPassed { return false }
      let turn = Deadline.milliseconds(min(turn, Int64(deadline.remainingMilliseconds)))
      if Readiness.wait(forReading: [descriptor.raw, process.endDescriptor], until: turn)[0] {
        _ = try Descriptors.read(descriptor.raw, atMost: 65536)
      }
    }
    return true
  }
}
