import Glibc
import Synchronization

/// Loopback ports on which nobody listens, each handed out once by this process, from below the range that the kernel
/// uses for outgoing connections.
package enum FreePort {
  private static let range = 12000..<20000
  /// Processes that run at the same time begin far from each other: by the golden section of the range.
  private static let turns = Atomic<Int>(range.lowerBound + Int(getpid()) * 4_944 % range.count)

  /// A port that could be bound on 127.0.0.1 a moment ago.
  package static func next() throws -> UInt16 {
    for _ in range {
      let turn = turns.add(1, ordering: .relaxed).oldValue
      let port = UInt16(range.lowerBound + (turn - range.lowerBound) % range.count)
      if canBind(port) { return port }
    }
    throw TestFailure("no free port in \(range)")
  }

  private static func canBind(_ port: UInt16) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    return unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe Glibc.bind(descriptor, $0, size) } == 0
    }
  }
}

/// A port on which nobody listens; see `FreePort`.
package func freePort() throws -> UInt16 {
  try FreePort.next()
}
