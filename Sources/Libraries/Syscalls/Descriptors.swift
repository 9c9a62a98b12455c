import CLinux
import Glibc

/// Reading and writing through any descriptor.
///
/// The descriptor is lent: it must stay open for the duration of the call. On descriptors that do not block, nil means
/// that the call would have had to wait.
package enum Descriptors {
  /// Reads into `buffer`; 0 is the end of input. read(2)
  package static func read(_ fd: CInt, into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int? {
    try nonBlockingCall("read", fd, buffer.count) { unsafe Glibc.read(fd, buffer.baseAddress, buffer.count) }
  }

  /// Reads at most `limit` bytes into a new array; empty is the end of input. read(2)
  package static func read(_ fd: CInt, atMost limit: Int) throws(Errno) -> [UInt8]? {
    try unsafe bytes(atMost: limit) { buffer throws(Errno) in try unsafe read(fd, into: buffer) }
  }

  /// Bytes that `read` puts into a new array; nil if it returns nil: it would block.
  static func bytes(
    atMost limit: Int, _ read: (UnsafeMutableRawBufferPointer) throws(Errno) -> Int?
  ) throws(Errno) -> [UInt8]? {
    var failure: Errno?
    var wouldBlock = false
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      do throws(Errno) {
        let got = try unsafe read(UnsafeMutableRawBufferPointer(buffer))
        wouldBlock = got == nil
        count = got ?? 0
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return wouldBlock ? nil : bytes
  }

  /// Writes what fits and says how much that was. write(2)
  package static func write(_ fd: CInt, _ bytes: UnsafeRawBufferPointer) throws(Errno) -> Int? {
    try nonBlockingCall("write", fd, bytes.count) { unsafe Glibc.write(fd, bytes.baseAddress, bytes.count) }
  }

  /// Writes what fits of `bytes` from `offset` on. write(2)
  package static func write(_ fd: CInt, _ bytes: [UInt8], from offset: Int) throws(Errno) -> Int? {
    try nonBlockingCall("write", fd, bytes.count - offset) {
      unsafe bytes.withUnsafeBytes { all in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: all[offset...])
        return unsafe Glibc.write(fd, rest.baseAddress, rest.count)
      }
    }
  }

  /// Writes all of it to a descriptor that blocks; for standard output and small files.
  package static func writeAll(_ fd: CInt, _ bytes: [UInt8]) throws(Errno) {
    var offset = 0
    while offset < bytes.count {
      offset += try systemCall("write", fd, bytes.count - offset) {
        unsafe bytes.withUnsafeBytes { bytes in
          unsafe Glibc.write(fd, bytes.baseAddress?.advanced(by: offset), bytes.count - offset)
        }
      }
    }
  }

  /// A pipe whose ends do not block and are closed by exec. pipe2(2)
  package static func pipe() throws(Errno) -> Pair {
    var ends: (CInt, CInt) = (-1, -1)
    try systemCall("pipe2") {
      unsafe withUnsafeMutableBytes(of: &ends) { unsafe clinux_pipe($0.assumingMemoryBound(to: CInt.self).baseAddress) }
    }
    return Pair(first: OwnedFD(taking: ends.0), second: OwnedFD(taking: ends.1))
  }

  /// Two descriptors that belong together: the reading and the writing end of a pipe, or the ends of a socket pair.
  package struct Pair: ~Copyable {
    package let first: OwnedFD
    package let second: OwnedFD

    /// Hands both on to owners of their own.
    package consuming func split<Result: ~Copyable, E: Error>(
      _ take: (consuming OwnedFD, consuming OwnedFD) throws(E) -> Result
    ) throws(E) -> Result {
      try take(first, second)
    }
  }

  /// Makes a descriptor not block, and close at exec. fcntl(2)
  package static func setNonBlockingAndCloseOnExec(_ fd: CInt) throws(Errno) {
    let flags = try systemCall("fcntl", fd) { fcntl(fd, F_GETFL) }
    try systemCall("fcntl", fd) { fcntl(fd, F_SETFL, flags | O_NONBLOCK) }
    try systemCall("fcntl", fd) { fcntl(fd, F_SETFD, FD_CLOEXEC) }
  }

  /// A second descriptor for the same open file, closed by exec. fcntl(2)
  package static func duplicate(_ fd: CInt) throws(Errno) -> OwnedFD {
    OwnedFD(taking: try systemCall("fcntl", fd) { fcntl(fd, F_DUPFD_CLOEXEC, 0) })
  }

  /// True if the descriptor is a terminal. isatty(3)
  package static func isTerminal(_ fd: CInt) -> Bool { isatty(fd) == 1 }
}
