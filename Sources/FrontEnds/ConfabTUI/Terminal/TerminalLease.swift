import Screen
import Syscalls

/// The terminal, borrowed: raw mode, the alternate screen, and modes, each with its undoing.
///
/// The sequences that undo them all are kept outside of Swift's memory (`TerminalRescue`). They are the only way back:
/// on leaving, on being stopped, and on each signal that ends the process. The owner is one thread; there is one lease
/// at a time.
struct TerminalLease: ~Copyable {
  /// A sequence that sets something, and the one that undoes it.
  private struct Mode {
    let set: String
    let undo: String
  }

  private let fd: CInt
  private let terminfo: Terminfo
  private var before: TerminalAttributes
  private var modes: [Mode] = []
  /// Answers to questions are still to come: they are not for the next one who reads from the terminal.
  private var awaitsAnswers = false
  /// The terminal is ours now, and not lent to a shell or an editor.
  private(set) var isHeld = false

  /// Takes the terminal; `entering` is then to be written.
  ///
  /// - Parameter fd: lent, for longer than this lease.
  static func borrow(_ fd: CInt, _ terminfo: Terminfo) throws(Errno) -> TerminalLease {
    var lease = TerminalLease(fd, terminfo, before: try TerminalAttributes(of: fd))
    try TerminalRescue.catchSignals()
    try lease.take()
    return lease
  }

  private init(_ fd: CInt, _ terminfo: Terminfo, before: TerminalAttributes) {
    self.fd = fd
    self.terminfo = terminfo
    self.before = before
    modes = [
      Mode(set: terminfo.enterScreen, undo: TerminalSequences.emptyScreen + terminfo.leaveScreen),
      Mode(set: terminfo.enterKeys, undo: terminfo.leaveKeys),
      Mode(set: TerminalSequences.titlePush, undo: TerminalSequences.titlePop),
      Mode(set: TerminalMode.paste.set, undo: TerminalMode.paste.reset),
      Mode(set: TerminalMode.focus.set, undo: TerminalMode.focus.reset),
      Mode(set: TerminalSequences.explicitOrder, undo: TerminalSequences.implicitOrder),
      // The painter switches wrapping off for moments only.
      Mode(set: TerminalMode.wrapping.set, undo: TerminalMode.wrapping.set),
    ]
  }

  deinit { TerminalRescue.run() }

  /// Sets everything that has been set, anew.
  var entering: String { modes.map(\.set).joined() }

  /// Takes the terminal again after `giveBack`, in the foreground: from the background, the process is stopped here.
  /// `entering` is then to be written. After a stop that nobody announced the terminal is still held, but no longer raw.
  mutating func take() throws(Errno) {
    if !isHeld { before = try TerminalAttributes(of: fd) }
    try publish()
    try TerminalControl.setRaw(fd, before: before)
    isHeld = true
  }

  /// Gives the terminal back as it was, until `take`.
  mutating func giveBack() {
    isHeld = false
    TerminalRescue.run()
  }

  /// Notes a mode and its undoing; `set` is then to be written.
  mutating func add(_ set: String, undo: String) throws(Errno) {
    modes.append(Mode(set: set, undo: undo))
    if isHeld { try publish() }
  }

  /// Forgets a mode that was added, if there is one; its undoing is then to be written.
  mutating func remove(undo: String) throws(Errno) {
    modes.removeAll { $0.undo == undo }
    if isHeld { try publish() }
  }

  /// Answers to questions are to come, or have come.
  mutating func setAwaitsAnswers(_ awaits: Bool) {
    guard awaits != awaitsAnswers else { return }
    awaitsAnswers = awaits
    // The same bytes fitted before, so this cannot fail for lack of room.
    if isHeld { try? publish() }
  }

  /// The last mode is undone first. The bytes before it end a sequence that was cut off.
  private func publish() throws(Errno) {
    let undoing =
      TerminalSequences.stringEnd + TerminalMode.synchronisedOutput.reset + TerminalSequences.hyperlinkEnd
      + TerminalSequences.plainPen + terminfo.showCursor + modes.reversed().map(\.undo).joined()
    try TerminalRescue.set(fd, before, Array(undoing.utf8), discardsInput: awaitsAnswers)
  }
}
