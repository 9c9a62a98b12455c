import CLinux
import Glibc

/// A descriptor that came over a Unix socket, or is to go over one (SCM_RIGHTS). Shared, so that it can stand in arrays;
/// closed when nobody has it any more.
package final class PassedDescriptor: Sendable {
  private let fd: OwnedFD

  /// Takes ownership of an open descriptor.
  package init(taking fd: consuming OwnedFD) { self.fd = fd }

  /// The descriptor's number; valid as long as this object lives.
  package var raw: CInt { fd.raw }
}

extension Sockets {
  /// Sends what fits of some bytes, and descriptors with the first of them, without raising SIGPIPE; nil if nothing
  /// does. sendmsg(2)
  package static func send(
    _ fd: CInt, _ bytes: ArraySlice<UInt8>, passing descriptors: [PassedDescriptor]
  ) throws(Errno) -> Int? {
    let numbers = descriptors.map(\.raw)
    return try nonBlockingCall("sendmsg", fd, bytes.count) {
      unsafe bytes.withUnsafeBytes {
        unsafe clinux_send_with(fd, $0.baseAddress, $0.count, numbers, numbers.count)
      }
    }
  }

  /// True if the peer of a Unix socket has read all that was sent to it. ioctl(2)
  ///
  /// The kernel reports room while it still counts one byte of the last piece; a piece that is not read counts
  /// hundreds.
  package static func isAllRead(_ fd: CInt) -> Bool {
    var count: CInt = 0
    return unsafe clinux_unread(fd, &count) == 0 && count <= 1
  }

  /// Reads into `buffer`, and appends the descriptors that came with these bytes, closed by exec; 0 is the end of input,
  /// nil that there is nothing. Bytes that were sent without descriptors may stand before those that had them, but none
  /// behind them. recvmsg(2)
  package static func receive(
    _ fd: CInt, into buffer: UnsafeMutableRawBufferPointer, _ descriptors: inout [PassedDescriptor]
  ) throws(Errno) -> Int? {
    var numbers = InlineArray<16, CInt>(repeating: -1)
    var span = numbers.mutableSpan
    var received = 0
    let count = try nonBlockingCall("recvmsg", fd, buffer.count) {
      unsafe span.withUnsafeMutableBufferPointer {
        unsafe clinux_receive(fd, buffer.baseAddress, buffer.count, $0.baseAddress, &received)
      }
    }
    for index in 0..<received { descriptors.append(PassedDescriptor(taking: OwnedFD(taking: numbers[index]))) }
    return count
  }

  /// Receives at most `limit` bytes into a new array.
  package static func receive(
    _ fd: CInt, atMost limit: Int, _ descriptors: inout [PassedDescriptor]
  ) throws(Errno) -> [UInt8]? {
    try unsafe Descriptors.bytes(atMost: limit) { buffer throws(Errno) in
      try unsafe receive(fd, into: buffer, &descriptors)
    }
  }
}
