import CLinux
import Glibc

/// Programs that this process has started and waits for only by SIGCHLD. The owner is one thread.
package struct ChildPrograms {
  /// Names one of them, until it has ended.
  package struct ID: Hashable, Sendable {
    fileprivate let process: pid_t
  }

  /// The signal that says that one may have ended.
  package static let signal = SIGCHLD

  private var running: Set<ID> = []

  package init() {}

  /// Starts a program, by its name or path.
  ///
  /// - Parameters:
  ///   - input: its standard input; nil: /dev/null, or, in the foreground, ours.
  ///   - hasTerminal: it has our terminal and outputs; else none. posix_spawnp(3)
  package mutating func start(
    _ arguments: [String], input: [UInt8]? = nil, hasTerminal: Bool = false
  ) throws(Errno) -> ID {
    let file = try input.map { (bytes) throws(Errno) in try Files.inMemory(bytes).release() }
    defer { if let file { close(file) } }
    var words = unsafe arguments.map { unsafe strdup($0) } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    var process: pid_t = 0
    try systemCall("posix_spawn", object: arguments.first) {
      unsafe clinux_spawn(&words, file ?? -1, hasTerminal ? 1 : 0, &process)
    }
    running.insert(ID(process: process))
    return ID(process: process)
  }

  /// Returns the programs that have ended, with true for an exit status of 0. waitpid(2)
  package mutating func takeEnded() -> [(ID, succeeded: Bool)] {
    var ended: [(ID, succeeded: Bool)] = []
    for id in running {
      var status: CInt = 0
      if unsafe waitpid(id.process, &status, WNOHANG) == id.process { ended.append((id, status == 0)) }
    }
    for (id, _) in ended { running.remove(id) }
    return ended
  }
}
