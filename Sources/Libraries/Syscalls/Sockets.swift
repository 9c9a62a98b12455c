import CLinux
import Glibc

/// Stream sockets of both families; all of them do not block and are closed by exec. Descriptors are lent.
package enum Sockets {
  /// Two sockets connected to each other. socketpair(2)
  package static func pair() throws(Errno) -> Descriptors.Pair {
    var ends: (CInt, CInt) = (-1, -1)
    try systemCall("socketpair") {
      unsafe withUnsafeMutableBytes(of: &ends) {
        unsafe clinux_socketpair($0.assumingMemoryBound(to: CInt.self).baseAddress)
      }
    }
    return Descriptors.Pair(first: OwnedFD(taking: ends.0), second: OwnedFD(taking: ends.1))
  }

  /// Sends what fits of `bytes` from `offset` on, without raising SIGPIPE; nil if nothing does. send(2)
  package static func send(_ fd: CInt, _ bytes: [UInt8], from offset: Int = 0) throws(Errno) -> Int? {
    try nonBlockingCall("send", fd, bytes.count - offset) {
      unsafe bytes.withUnsafeBytes { all in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: all[offset...])
        return unsafe clinux_send(fd, rest.baseAddress, rest.count)
      }
    }
  }

  /// Starts to take connections. listen(2)
  package static func listen(_ fd: CInt, backlog: CInt = 128) throws(Errno) {
    try systemCall("listen", fd) { Glibc.listen(fd, backlog) }
  }

  /// The next connection; nil when none waits, or the one that waited has gone again. accept4(2)
  package static func accept(_ fd: CInt) throws(Errno) -> OwnedFD? {
    do throws(Errno) {
      let raw = try nonBlockingCall("accept4", fd) { clinux_accept(fd) }
      guard let raw else { return nil }
      return OwnedFD(taking: raw)
    } catch {
      if error.code == ECONNABORTED { return nil }
      throw error
    }
  }

  /// The peer sees the end of input; reading goes on. shutdown(2)
  package static func shutdownWriting(_ fd: CInt) throws(Errno) {
    try systemCall("shutdown", fd) { Glibc.shutdown(fd, CInt(SHUT_WR)) }
  }

  /// The error that ended a connection attempt or a connection, read and cleared; nil when there is none. SO_ERROR
  package static func pendingError(_ fd: CInt, _ operation: String, object: String) -> Errno? {
    var code: CInt = 0
    let result = unsafe clinux_get_option(fd, clinux_option_socket, clinux_option_error, &code)
    if result != 0 { return Errno(errno, operation, object: object) }
    return code == 0 ? nil : Errno(code, operation, object: object)
  }

  /// Makes close(2) reset the connection and drop what is not sent. SO_LINGER
  package static func setResetOnClose(_ fd: CInt) throws(Errno) {
    try systemCall("setsockopt", fd) { clinux_set_linger_reset(fd) }
  }

  /// True if the descriptor is a listening socket of the Unix family.
  package static func isUnixListener(_ fd: CInt) -> Bool {
    var accepting: CInt = 0
    let result = unsafe clinux_get_option(fd, clinux_option_socket, clinux_option_accepting, &accepting)
    return result == 0 && accepting == 1 && clinux_socket_family(fd) == AF_UNIX
  }
}
