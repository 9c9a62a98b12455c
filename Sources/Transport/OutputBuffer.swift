import Syscalls

/// Bytes on their way into a socket that does not take them all at once.
struct OutputBuffer {
  private var bytes: [UInt8] = []
  /// How many bytes at the front are gone already.
  private var sent = 0

  /// Above this the front is cut off.
  private static let roomy = 16 << 10

  /// Bytes that still wait.
  var count: Int { bytes.count - sent }
  var isEmpty: Bool { count == 0 }

  /// Adds bytes, of which the first are gone already where there were none before.
  mutating func append(_ more: [UInt8], sent: Int = 0) {
    if bytes.isEmpty {
      (bytes, self.sent) = (more, sent)
    } else {
      bytes += more
    }
  }

  /// Sends what the socket takes.
  ///
  /// - Returns: whether it took everything.
  mutating func flush(to fd: CInt) throws(Errno) -> Bool {
    while !isEmpty {
      let took = try Sockets.send(fd, bytes, from: sent)
      guard let took else {
        compact()
        return false
      }
      sent += took
    }
    removeAll()
    return true
  }

  /// Drops everything.
  mutating func removeAll() {
    // Many connections may share these bytes: room kept would be made for each anew.
    bytes = []
    sent = 0
  }

  /// Cuts the front off where it has grown to more than half.
  private mutating func compact() {
    guard sent > OutputBuffer.roomy, sent > bytes.count / 2 else { return }
    bytes.removeFirst(sent)
    sent = 0
  }
}
