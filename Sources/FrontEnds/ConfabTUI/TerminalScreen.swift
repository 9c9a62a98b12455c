import Clocks
import Screen
import Syscalls
import TerminalUI

/// The screen of the borrowed terminal: sequences and frames go out together, and modes are set so that they can be undone. The
/// owner is the loop's thread.
final class TerminalScreen {
  /// Under load, frames are as far apart as this; a key is answered at once.
  private static let frameInterval = Interval(milliseconds: 16)
  /// The limit of output that waits for a terminal that hangs, in bytes; bells and notices beyond it are dropped.
  private static let longestOutbox = 64 << 10
  /// Larger ones are painted in part.
  private static let largestSize = (columns: 1000, lines: 400)
  /// Answers of the terminal come within this time after their question, over a slow line as well.
  private static let answerTime = Interval.seconds(1)
  /// At the end they are waited for at least so long.
  private static let shortestWait = Interval(milliseconds: 100)

  let terminal: TerminalConnection
  private var lease: TerminalLease
  private var painter = Painter()
  /// Sequences that go out with the next frame.
  private var outbox: String
  private var lastFrame: Instant?
  /// When the terminal was asked something last.
  private var asked: Instant?
  /// True if the screen's content is unknown.
  private var isForgotten = false
  private var hasMouse = false

  /// Takes the terminal.
  init(_ terminal: TerminalConnection, _ terminfo: Terminfo) throws(Errno) {
    self.terminal = terminal
    lease = try TerminalLease.borrow(terminal.fd, terminfo)
    outbox = lease.entering
  }

  /// True while the UI has the terminal; false while a shell or an editor has it.
  var isHeld: Bool { lease.isHeld }

  /// Columns and lines that are painted.
  static func size(_ terminal: TerminalConnection) -> (columns: Int, lines: Int) {
    let (columns, lines) = terminal.size
    return (min(columns, largestSize.columns), min(lines, largestSize.lines))
  }

  // MARK: Writing

  /// Writes questions with the next frame.
  func ask(_ questions: String, at now: Instant) {
    asked = now
    write(questions)
  }

  /// Writes a sequence with the next frame.
  func write(_ sequence: String) {
    if outbox.utf8.count < Self.longestOutbox { outbox += sequence }
  }

  /// Sets a mode with the next frame.
  func set(_ sequence: String, undo: String) {
    // A set of modes beyond what can be undone is not set at all.
    guard (try? lease.add(sequence, undo: undo)) != nil else { return }
    if lease.isHeld { write(sequence) }
  }

  /// The mouse is ours, or the terminal's, to select with.
  func setMouse(_ isOurs: Bool) {
    guard isOurs != hasMouse else { return }
    hasMouse = isOurs
    for mode in [TerminalMode.mouse, .mouseNumbers] {
      if isOurs {
        set(mode.set, undo: mode.reset)
      } else {
        try? lease.remove(undo: mode.reset)
        write(mode.reset)
      }
    }
  }

  /// Answers to questions are to come, or have come.
  func setAwaitsAnswers(_ awaits: Bool) { lease.setAwaitsAnswers(awaits) }

  /// The next frame is painted whole, whatever is on the screen.
  func forget() {
    painter.forget()
    isForgotten = true
  }

  /// Adds the sequences that wait, and a frame if it is time for one.
  ///
  /// - Parameter isUrgent: a person waits for it.
  /// - Returns: when a frame that is not painted yet may be.
  func paint(_ application: Application, _ capabilities: Capabilities, at now: Instant, isUrgent: Bool) -> Instant? {
    var bytes = Array(outbox.utf8)
    outbox = ""
    let due = lastFrame?.advanced(by: Self.frameInterval) ?? now
    if isForgotten || application.needsFrame && (isUrgent || due <= now) {
      isForgotten = false
      bytes += painter.paint(application.frame(), application.settings.pictures.applied(to: capabilities))
      lastFrame = now
    }
    if !bytes.isEmpty { terminal.append(bytes) }
    return application.needsFrame ? due : nil
  }

  // MARK: Lending

  /// Gives the terminal back; answers that are still to come are waited for, but not long.
  ///
  /// - Parameter isLastAnswer: whether bytes hold the last one; nil: none is to come.
  func giveBack(isLastAnswer: (([UInt8]) -> Bool)?, at now: Instant) {
    outbox = ""
    terminal.dropPending()
    if let isLastAnswer, let asked {
      let left = max(Self.shortestWait, asked.advanced(by: Self.answerTime) - now)
      terminal.drain(milliseconds: Int32(clamping: left.milliseconds), until: isLastAnswer)
    }
    lease.giveBack()
  }

  /// Takes the terminal again; what is on the screen is not known.
  func take() throws(Errno) {
    try lease.take()
    outbox = lease.entering
    forget()
  }
}
