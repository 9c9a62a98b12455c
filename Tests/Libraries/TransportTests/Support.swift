import Clocks
import Reactor
import Syscalls
import Testing
import TestSupport

extension EventLoop {
  /// Turns until `condition` holds; a test that waits for more than ten seconds has failed.
  func run(_ what: String, until condition: () -> Bool, line: Int = #line) throws {
    var isLate = false
    let guardTimer = startTimer(after: .seconds(10)) { isLate = true }
    defer { cancelTimer(guardTimer) }
    while !condition() {
      try turn()
      try #require(!isLate, "\(what) (line \(line))")
    }
  }
}

/// Reads everything that waits in a socket that does not block.
func readAll(_ fd: CInt) throws -> [UInt8] {
  var all: [UInt8] = []
  while let more = try Descriptors.read(fd, atMost: 65_536), !more.isEmpty { all += more }
  return all
}
