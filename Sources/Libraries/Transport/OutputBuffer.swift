import Syscalls

/// Bytes on their way into a socket that does not take them all at once.
struct OutputBuffer {
  private var bytes: [UInt8] = []
  /// How many bytes at the front are gone already.
  private var sent = 0
  /// Descriptors that go with bytes, by where these are, in order.
  private var passed: [(range: Range<Int>, descriptor: PassedDescriptor)] = []

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

  /// Adds bytes with which a descriptor goes.
  mutating func append(_ more: [UInt8], passing descriptor: PassedDescriptor) {
    append(more)
    passed.append((bytes.count - more.count..<bytes.count, descriptor))
  }

  /// Sends what the socket takes.
  ///
  /// - Returns: whether it took everything.
  mutating func flush(to fd: CInt) throws(Errno) -> Bool {
    while !isEmpty {
      guard let took = try sendSome(to: fd) else {
        compact()
        return false
      }
      sent += took
    }
    removeAll()
    return true
  }

  /// Sends in one call what has one descriptor, or none.
  private mutating func sendSome(to fd: CInt) throws(Errno) -> Int? {
    guard let next = passed.first else { return try Sockets.send(fd, bytes, from: sent) }
    guard next.range.lowerBound == sent else {
      return try Sockets.send(fd, bytes[sent..<next.range.lowerBound], passing: [])
    }
    let took = try Sockets.send(fd, bytes[next.range], passing: [next.descriptor])
    if took != nil { passed.removeFirst() }
    return took
  }

  /// Drops everything.
  mutating func removeAll() {
    // Many connections may share these bytes: room kept would be made for each anew.
    (bytes, passed) = ([], [])
    sent = 0
  }

  /// Cuts the front off where it has grown to more than half.
  private mutating func compact() {
    guard sent > OutputBuffer.roomy, sent > bytes.count / 2 else { return }
    bytes.removeFirst(sent)
    passed = passed.map { ($0.range.lowerBound - sent..<$0.range.upperBound - sent, $0.descriptor) }
    sent = 0
  }
}
