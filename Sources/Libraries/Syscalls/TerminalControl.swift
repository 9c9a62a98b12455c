import CLinux
import Glibc

/// The attributes of a terminal, as they were at one time. termios(3)
package struct TerminalAttributes: Sendable {
  fileprivate var saved = termios()

  /// Reads them. tcgetattr(3)
  package init(of fd: CInt) throws(Errno) {
    try systemCall("tcgetattr", fd) { unsafe tcgetattr(fd, &saved) }
  }

  /// True if both are equal in all fields that programs use.
  package func isEqual(_ other: TerminalAttributes) -> Bool {
    saved.c_iflag == other.saved.c_iflag && saved.c_oflag == other.saved.c_oflag
      && saved.c_cflag == other.saved.c_cflag && saved.c_lflag == other.saved.c_lflag
  }
}

/// A terminal under the control of a program that draws on it. Descriptors are lent.
package enum TerminalControl {
  /// Opens the terminal that this process belongs to, else the one that `fallback` is: for this process alone, so that
  /// not waiting on it is nobody else's matter. open(2)
  package static func open(fallback: CInt) throws(Errno) -> OwnedFD {
    let flags = O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC
    if let own = try? systemCall("open", object: "/dev/tty", { unsafe Glibc.open("/dev/tty", flags) }) {
      return OwnedFD(taking: own)
    }
    let path = "/proc/self/fd/\(fallback)"
    return OwnedFD(taking: try systemCall("open", object: path) { unsafe Glibc.open(path, flags) })
  }

  /// Bytes come and go as they are, with `before` as what they were. A process in the background is stopped here until
  /// it is brought to the foreground (SIGTTOU). cfmakeraw(3), tcsetattr(3)
  package static func setRaw(_ fd: CInt, before: TerminalAttributes) throws(Errno) {
    var saved = before.saved
    try systemCall("tcsetattr", fd) { unsafe clinux_terminal_raw(fd, &saved) }
  }

  /// Columns and lines; nil if the terminal does not know. TIOCGWINSZ
  package static func size(_ fd: CInt) -> (columns: Int, lines: Int)? {
    var (columns, lines): (CInt, CInt) = (0, 0)
    guard unsafe clinux_terminal_size(fd, &columns, &lines) == 0, columns > 0, lines > 0 else { return nil }
    return (Int(columns), Int(lines))
  }

  /// A cell in pixels; nil if the terminal does not know. TIOCGWINSZ
  package static func cellSize(_ fd: CInt) -> (width: Int, height: Int)? {
    var (width, height): (CInt, CInt) = (0, 0)
    guard unsafe clinux_terminal_pixels(fd, &width, &height) == 0, let (columns, lines) = size(fd) else { return nil }
    return (Int(width) / columns, Int(height) / lines)
  }
}

/// The way back to the terminal as it was, which each end of the process but SIGKILL goes: it is made beforehand, in memory
/// of C's, and needs nothing but write(2) and tcsetattr(3). There is one in a process.
package enum TerminalRescue {
  /// Sets the way back of a terminal; it replaces the one before at one go.
  ///
  /// - Parameter discardsInput: what was typed and not read is thrown away.
  package static func set(
    _ fd: CInt, _ attributes: TerminalAttributes, _ bytes: [UInt8], discardsInput: Bool
  ) throws(Errno) {
    var saved = attributes.saved
    let characters = bytes.map { CChar(bitPattern: $0) }
    try systemCall("rescue") {
      unsafe clinux_rescue_set(fd, &saved, characters, characters.count, discardsInput ? 1 : 0)
    }
  }

  /// Goes the way back, unless it was gone already.
  package static func run() { clinux_rescue_run() }

  /// From here on signals that end the process go it first. sigaction(2), sigaltstack(2)
  package static func catchSignals() throws(Errno) {
    try systemCall("sigaction") { clinux_rescue_catch() }
  }
}

/// Signals by which terminals and shells stop and resume programs.
package enum JobControl {
  /// Another size of the terminal.
  package static let resized = SIGWINCH
  /// A wish that the process stops.
  package static let stop = SIGTSTP
  /// The process runs again.
  package static let resumed = SIGCONT

  /// Stops this process and those that were started with it, as Ctrl-Z does, until a shell resumes it. Returns at once
  /// where there is no shell to do so. kill(2)
  package static func stopGroup() {
    SignalFD.unblock([SIGTSTP])
    _ = kill(0, SIGTSTP)
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, SIGTSTP)
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Signals that ask the process to end, but for those that are ignored (nohup).
  package static var endings: [CInt] {
    [SIGHUP, SIGTERM].filter { clinux_signal_is_ignored($0) == 0 }
  }

  /// Ends this process as a signal would have, had it not been taken over. raise(3)
  package static func end(by signal: CInt) {
    SignalFD.unblock([signal])
    raise(signal)
  }

  /// While another program has the terminal, Ctrl-C and Ctrl-\ are meant for that one. sigaction(2)
  package static func setIgnoresInterrupts(_ ignores: Bool) { clinux_ignore_interrupts(ignores ? 1 : 0) }
}
