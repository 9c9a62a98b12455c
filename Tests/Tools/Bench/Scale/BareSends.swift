import Glibc
import TestSupport

/// The least that it can take to tell many: one send(2) for each of as many Unix sockets, and nothing else.
enum BareSends {
  private static let rounds = 50

  /// CPU of one, in microseconds.
  static func cost(sockets: Int, bytes: Int) throws -> Double {
    let pairs = try (0..<sockets).map { _ in try pair() }
    defer { for (one, other) in pairs { _ = (close(one), close(other)) } }
    var line = [UInt8](repeating: UInt8(ascii: "x"), count: bytes)
    var total = 0.0
    for _ in 0..<rounds {
      let start = cpu
      for (one, _) in pairs { _ = unsafe send(one, line, bytes, Int32(MSG_NOSIGNAL)) }
      total += cpu - start
      for (_, other) in pairs { _ = unsafe read(other, &line, bytes) }
    }
    return total / Double(rounds * sockets)
  }

  /// Two sockets connected to each other, which block. The caller owns both.
  static func pair() throws -> (CInt, CInt) {
    var ends: [CInt] = [-1, -1]
    guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw TestFailure("socketpair: errno \(errno)")
    }
    return (ends[0], ends[1])
  }

  /// CPU time of this thread in microseconds.
  private static var cpu: Double {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
  }
}
