import Glibc

/// Waiting for descriptors.
package enum Readiness {
  /// Waits until one of the descriptors is readable (or at its end), and says which are.
  ///
  /// - Returns: for each descriptor in turn whether it is ready; all false when the deadline passed.
  package static func wait(forReading descriptors: [CInt], until deadline: Deadline) -> [Bool] {
    wait(descriptors.map { ($0, Int16(POLLIN)) }, until: deadline).map { $0 != 0 }
  }

  /// Waits for what poll(2) calls events, and returns what came for each descriptor.
  package static func wait(_ wanted: [(descriptor: CInt, events: Int16)], until deadline: Deadline) -> [Int16] {
    var polled = wanted.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
    while unsafe poll(&polled, nfds_t(polled.count), deadline.remainingMilliseconds) < 0 {
      guard errno == EINTR else { break }
    }
    return polled.map(\.revents)
  }
}
