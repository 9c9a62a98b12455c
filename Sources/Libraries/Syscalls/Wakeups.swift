import CLinux
import Glibc

/// A counter that other threads raise to wake a loop, which is told of each time (`Epoll.Readiness.onceEach`). eventfd(2)
package struct EventFD: ~Copyable, Sendable {
  /// The descriptor to watch for reading.
  package var raw: CInt { fd.raw }
  private let fd: OwnedFD

  package init() throws(Errno) {
    fd = OwnedFD(taking: try systemCall("eventfd") { clinux_eventfd() })
  }

  /// Makes the descriptor readable; any thread. It cannot fail but for a counter that is full, which is readable too.
  package func signal() {
    var one: UInt64 = 1
    unsafe withUnsafeBytes(of: &one) { _ = try? unsafe Descriptors.write(raw, $0) }
  }

  /// A counter for a thread that sleeps until it is raised (`wait`), as a plain descriptor.
  static func blocking() throws(Errno) -> OwnedFD {
    OwnedFD(taking: try systemCall("eventfd") { clinux_eventfd_blocking() })
  }

  /// Raises the counter `fd`; any thread.
  static func signal(_ fd: CInt) {
    var one: UInt64 = 1
    unsafe withUnsafeBytes(of: &one) { _ = try? unsafe Descriptors.write(fd, $0) }
  }

  /// Sleeps until the counter `fd` is raised, and clears it; false if that cannot be.
  static func wait(_ fd: CInt) -> Bool {
    var count: UInt64 = 0
    return unsafe withUnsafeMutableBytes(of: &count) { (try? unsafe Descriptors.read(fd, into: $0)) == 8 }
  }
}

/// One alarm at an absolute time. timerfd_create(2)
package struct TimerFD: ~Copyable {
  /// The descriptor to watch for reading.
  package var raw: CInt { fd.raw }
  private let fd: OwnedFD

  /// The result of `acknowledge`.
  package enum Outcome {
    case expired
    /// The wall clock was set, or the machine woke from suspend (only of `watchingWallClock`).
    case clockChanged
    /// Neither: the timer was armed again meanwhile.
    case nothing
  }

  private init(clock: clockid_t) throws(Errno) {
    fd = OwnedFD(taking: try systemCall("timerfd_create") { clinux_timerfd(clock) })
  }

  /// An alarm by `SystemClock.bootMilliseconds`; it also fires where its time passed in suspend.
  package static func sinceBoot() throws(Errno) -> TimerFD { try TimerFD(clock: CLOCK_BOOTTIME) }

  /// Never expires, but becomes readable when the wall clock jumps.
  package static func watchingWallClock() throws(Errno) -> TimerFD {
    let timer = try TimerFD(clock: CLOCK_REALTIME)
    try timer.watchWallClock()
    return timer
  }

  private func watchWallClock() throws(Errno) {
    let farAway: Int64 = 1 << 40  // seconds; 34,000 years
    try systemCall("timerfd_settime", raw) { clinux_timerfd_set(raw, farAway, 0, 1) }
  }

  /// Arms it at `milliseconds` since boot (at least 1), replacing what was set; nil disarms it.
  package func arm(atMilliseconds milliseconds: Int64?) throws(Errno) {
    let at = milliseconds.map { max(1, $0) } ?? 0
    try systemCall("timerfd_settime", raw) { clinux_timerfd_set(raw, at / 1000, at % 1000 * 1_000_000, 0) }
  }

  /// Makes it unreadable and says why it was readable.
  package func acknowledge() -> Outcome {
    var count: UInt64 = 0
    do throws(Errno) {
      let got = unsafe try withUnsafeMutableBytes(of: &count) { (buffer) throws(Errno) in
        try unsafe Descriptors.read(raw, into: buffer)
      }
      return got == nil ? .nothing : .expired
    } catch {
      guard error.code == ECANCELED else { return .nothing }
      try? watchWallClock()
      return .clockChanged
    }
  }
}

/// Signals as something to read. signalfd(2)
package struct SignalFD: ~Copyable {
  /// The descriptor to watch for reading.
  package var raw: CInt { fd.raw }
  private let fd: OwnedFD

  /// Takes the signals over: they are blocked in the calling thread (and in the threads it starts later) and come by
  /// `next()` instead. Call it before any other thread exists, or that one may be killed by them.
  package init(_ signals: [CInt]) throws(Errno) {
    SignalFD.block(signals)
    var set = SignalFD.set(signals)
    fd = OwnedFD(taking: try systemCall("signalfd") { unsafe clinux_signalfd(&set) })
  }

  /// The next signal that came, nil when there is none.
  package func next() -> CInt? {
    let number = try? nonBlockingCall("read", raw) { clinux_signalfd_read(raw) }
    guard let number, number > 0 else { return nil }
    return number
  }

  /// Blocks the signals in the calling thread and in the threads it starts later; they wait for a `SignalFD`.
  package static func block(_ signals: [CInt]) {
    var set = set(signals)
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Lets the signals through again in the calling thread.
  package static func unblock(_ signals: [CInt]) {
    var set = set(signals)
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  /// From here on a write to a closed pipe or socket, or beyond the file size limit (RLIMIT_FSIZE), is an error value and no
  /// signal; process-wide. Programs that this process starts (`ShellCommand`, `ChildProgram`) do not inherit ignored signals.
  package static func ignoreFailedWrites() {
    clinux_ignore_sigpipe()
    clinux_ignore_sigxfsz()
  }

  /// Ignores the signals that end a process by default, without a fault of its own, and mean nothing to a daemon: SIGUSR1,
  /// SIGUSR2, the timers', SIGIO, SIGPWR, SIGSTKFLT and all real-time signals. Process-wide; programs that this process
  /// starts do not inherit it. signal(7)
  package static func ignoreForeign() { clinux_ignore_foreign_signals() }

  private static func set(_ signals: [CInt]) -> sigset_t {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for signal in signals { unsafe sigaddset(&set, signal) }
    return set
  }
}
