import Glibc

/// A file descriptor with exactly one owner, closed when the owner goes away.
///
/// Move it to hand it on; lend `raw` for the duration of a call only. In arrays and dictionaries keep the class that
/// owns it.
package struct OwnedFD: ~Copyable, Sendable {
  /// The descriptor's number; valid as long as this owner lives.
  package let raw: CInt

  /// Takes ownership of an open descriptor.
  package init(taking raw: CInt) {
    self.raw = raw
  }

  /// Closes it and says how that went; use it where a failed close loses data.
  ///
  /// Linux has closed the descriptor even where the call says EINTR or EIO, so it is never repeated.
  package consuming func close() throws(Errno) {
    let fd = raw
    discard self
    let result = Glibc.close(fd)
    let code = errno
    SyscallTrace.note("close", fd, result: Int(result), code: code)
    if result != 0 && code != EINTR { throw Errno(code, "close") }
  }

  /// Gives the descriptor up without closing it; the caller owns the number from here on.
  package consuming func release() -> CInt {
    let fd = raw
    discard self
    return fd
  }

  deinit {
    let result = Glibc.close(raw)
    SyscallTrace.note("close", raw, result: Int(result), code: errno)
  }
}
