import Glibc

/// Makes one system call as every wrapper here does: repeated after EINTR, `errno` read at once, noted in the trace.
///
/// - Parameters:
///   - name: the call's name, for errors and the trace.
///   - fd: the descriptor it works on, -1 (or AT_FDCWD) where there is none.
///   - detail: a size or an option, for the trace.
///   - object: the path or address, for errors and the trace.
///   - call: gives -1 and `errno` on failure.
@inline(__always)
@discardableResult
func systemCall<Result: FixedWidthInteger & SignedInteger>(
  _ name: StaticString, _ fd: CInt = -1, _ detail: Int? = nil, object: String? = nil, _ call: () -> Result
) throws(Errno) -> Result {
  while true {
    let result = call()
    let code = errno
    SyscallTrace.note(name, fd, detail, object: object, result: Int(result), code: code)
    if result >= 0 { return result }
    if code != EINTR { throw Errno(code, name.description, object: object ?? "") }
  }
}

/// Performs a call on a non-blocking descriptor; nil if the call would have had to wait.
@inline(__always)
func nonBlockingCall<Result: FixedWidthInteger & SignedInteger>(
  _ name: StaticString, _ fd: CInt, _ detail: Int? = nil, _ call: () -> Result
) throws(Errno) -> Result? {
  while true {
    let result = call()
    let code = errno
    SyscallTrace.note(name, fd, detail, result: Int(result), code: code)
    if result >= 0 { return result }
    if code == EAGAIN || code == EWOULDBLOCK { return nil }
    if code != EINTR { throw Errno(code, name.description) }
  }
}
