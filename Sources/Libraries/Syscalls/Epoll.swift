import CLinux
import Glibc

/// One epoll instance: which descriptors are ready. epoll(7), level-triggered unless asked otherwise.
///
/// Safe because the event buffer is private, is never lent out, and lives as long as the instance.
@safe package struct Epoll: ~Copyable {
  /// The events that a descriptor is watched for, or ready for.
  package struct Readiness: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Something to read, or the end of input.
    package static let read = Readiness(rawValue: clinux_epoll_in)
    /// Not that it is ready, but that it has become so, or has once more: it need not be made unready.
    package static let onceEach = Readiness(rawValue: clinux_epoll_et)
    /// Room to write.
    package static let write = Readiness(rawValue: clinux_epoll_out)
    /// Both directions are closed, or an error is pending; reported without being asked for.
    package static let hangUp = Readiness(rawValue: clinux_epoll_hup | clinux_epoll_err)

    /// True if a read returns at once: with bytes, the end of input, or an error.
    package var isWorthReading: Bool { rawValue & (clinux_epoll_in | clinux_epoll_hup | clinux_epoll_err) != 0 }
  }

  /// One ready descriptor.
  package struct Event {
    /// The value passed to `add`.
    package let tag: UInt64
    package let readiness: Readiness
  }

  /// Readable as long as a descriptor is ready: an instance can be watched by another one.
  package var raw: CInt { fd.raw }
  private let fd: OwnedFD
  private let events: UnsafeMutableBufferPointer<epoll_event>

  /// - Parameter capacity: how many events one `wait` may give.
  package init(capacity: Int = 64) throws(Errno) {
    fd = OwnedFD(taking: try systemCall("epoll_create1") { clinux_epoll_create() })
    unsafe events = .allocate(capacity: capacity)
    unsafe events.initialize(repeating: epoll_event())
  }

  deinit { unsafe events.deallocate() }

  /// Watches a descriptor; `tag` comes back with its events. The descriptor is lent until `remove` or its close.
  package func add(_ watched: CInt, for interest: Readiness, tag: UInt64) throws(Errno) {
    try systemCall("epoll_ctl", watched) { clinux_epoll_add(fd.raw, watched, interest.rawValue, tag) }
  }

  /// Changes what a watched descriptor is watched for.
  package func modify(_ watched: CInt, for interest: Readiness, tag: UInt64) throws(Errno) {
    try systemCall("epoll_ctl", watched) { clinux_epoll_modify(fd.raw, watched, interest.rawValue, tag) }
  }

  /// Stops watching; must happen before the descriptor is closed.
  package func remove(_ watched: CInt) throws(Errno) {
    try systemCall("epoll_ctl", watched) { clinux_epoll_delete(fd.raw, watched) }
  }

  /// Waits until something is ready; an interruption by a signal gives 0.
  ///
  /// - Parameter block: whether to wait at all.
  /// - Returns: how many events `event(_:)` has.
  package func wait(block: Bool) throws(Errno) -> Int {
    let count = unsafe clinux_epoll_wait(fd.raw, events.baseAddress, CInt(events.count), block ? -1 : 0)
    let code = errno
    SyscallTrace.note("epoll_wait", fd.raw, result: Int(count), code: code)
    if count < 0 && code != EINTR { throw Errno(code, "epoll_wait") }
    return max(0, Int(count))
  }

  /// One event of the last `wait`.
  package func event(_ index: Int) -> Event {
    let event = unsafe events[index]
    return unsafe Event(tag: event.data.u64, readiness: Readiness(rawValue: event.events))
  }
}
