import Clocks
import Reactor
import Screen
import Syscalls
import TerminalDevice
import TerminalUI

/// Drives the UI: what comes from terminal, daemon, signals and time goes to the application; what it wants done is done,
/// and after each batch of events one frame is painted, in one write. One thread owns it.
final class InterfaceLoop {
  /// Under load, frames are as far apart as this; a key is answered at once.
  private static let frameInterval = Interval(milliseconds: 16)
  /// What a terminal that hangs does not take is worth keeping up to this many bytes: no bells and notices beyond.
  private static let longestOutbox = 64 << 10
  /// Larger ones are painted in part.
  private static let largestSize = (columns: 1000, lines: 400)
  /// How long answers of the terminal are waited for at the end.
  private static let lastAnswersMilliseconds: Int32 = 100

  let loop: EventLoop
  let terminal: TerminalConnection
  let application: Application
  let files: InterfaceFiles
  var lease: TerminalLease
  var painter = Painter()
  var children = ChildPrograms()
  /// The program that has the terminal, and the file if it is the editor.
  var guest: (program: ChildPrograms.ID, file: EditorFile?)?
  var spelling: SpellChecker?
  private(set) var daemon: DaemonConnection?
  private var inquiry: TerminalInquiry
  private var decoder: InputDecoder
  private let signals: SignalFD
  private var terminalWatch: Watch?
  private var escapeTimer: TimerID?
  private var frameTimer: TimerID?
  /// Sequences that go out with the next frame.
  private var outbox = ""
  private var lastFrame: Instant?
  private var isTurnEnding = false
  private var hasInput = false
  /// What is on the screen is not known.
  private var isForgotten = false
  private var wantsSuspension = false
  private var hasMouse = false
  private var status: Int32 = 0

  /// Takes the terminal and paints the first frame.
  init(_ files: InterfaceFiles, _ terminfo: Terminfo) throws(Errno) {
    self.files = files
    loop = try EventLoop()
    terminal = try TerminalConnection()
    let lines = terminal
    let variable = { files.variable($0) }
    let capabilities = Capabilities(variable: variable, colours: terminfo.colours)
    inquiry = TerminalInquiry(capabilities, variable: variable) { Self.size(lines) }
    decoder = InputDecoder(keys: terminfo.keys)
    let size = Self.size(terminal)
    let (settings, errors) = files.settings()
    application = Application(
      files.environment(), settings: settings, columns: size.columns, lines: size.lines, capabilities: capabilities,
      now: loop.now())
    signals = try SignalFD(
      [JobControl.resized, JobControl.stop, JobControl.resumed, ChildPrograms.signal] + JobControl.endings)
    lease = try TerminalLease.borrow(terminal.fd, terminfo)
    outbox = lease.entering
    setMouse(settings.hasMouse)
    if !errors.isEmpty { dispatch(.settings(settings, errors)) }
  }

  /// Runs until the UI is left, and gives the terminal back; the exit status.
  func run() throws(Errno) -> Int32 {
    _ = try loop.watch(signals.raw, for: .read) { [unowned self] _ in takeSignals() }
    terminalWatch = try loop.watch(terminal.fd, for: .read) { [unowned self] in terminalIsReady($0) }
    loop.onDeadline = { [unowned self] in dispatch(.deadline) }
    let daemon = DaemonConnection(loop: loop, path: files.socketPath) { [unowned self] in take($0) }
    self.daemon = daemon
    daemon.connect()
    endTurn()
    ask()
    try loop.run()
    leave()
    return status
  }

  /// The questions go out behind the first frame; nothing waits for the answers.
  private func ask() {
    guard let questions = inquiry.begin() else { return }
    lease.setAwaitsAnswers(true)
    outbox += questions
    finishTurn()
  }

  private func leave() {
    daemon?.finish()
    if lease.isHeld { giveBack() }
  }

  /// Gives the terminal back; answers that are still to come are waited for, but not long.
  private func giveBack() {
    terminal.dropPending()
    if inquiry.isOpen {
      terminal.drain(milliseconds: Self.lastAnswersMilliseconds) { bytes in
        var events: [InputEvent] = []
        decoder.receive(bytes, into: &events)
        return events.contains { if case .reply(.attributes) = $0 { true } else { false } }
      }
    }
    lease.giveBack()
  }

  private static func size(_ terminal: TerminalConnection) -> (columns: Int, lines: Int) {
    let (columns, lines) = terminal.size
    return (min(columns, largestSize.columns), min(lines, largestSize.lines))
  }

  func stop(_ status: Int32) {
    self.status = status
    loop.stop()
  }
}

// MARK: - Events

extension InterfaceLoop {
  /// Gives an event to the application and does what it wants.
  func dispatch(_ event: ApplicationEvent) {
    for action in application.handle(event, at: loop.now()) { perform(action) }
    finishTurn()
  }

  private func take(_ event: DaemonConnection.Event) {
    switch event {
    case .connected: dispatch(.connected)
    case .line(let line): dispatch(.line(line))
    case .disconnected(let reason): dispatch(.disconnected(reason))
    }
  }

  private func takeSignals() {
    while let signal = signals.next() {
      switch signal {
      case JobControl.resized: resized()
      case JobControl.stop: suspend()
      case JobControl.resumed: resumed()
      case ChildPrograms.signal: childrenEnded()
      default: end(by: signal)
      }
    }
  }

  /// What was typed goes to the daemon first.
  private func end(by signal: CInt) {
    dispatch(.ending)
    leave()
    JobControl.end(by: signal)
  }

  private func resized() {
    let size = Self.size(terminal)
    repaint()
    dispatch(.resized(columns: size.columns, lines: size.lines))
  }

  /// The program that has the terminal has ended; of the others nobody wants to know.
  private func childrenEnded() {
    for (program, succeeded) in children.takeEnded() {
      guard let guest, guest.program == program else { continue }
      self.guest = nil
      JobControl.setIgnoresInterrupts(false)
      retake()
      if let file = guest.file { dispatch(.edited(succeeded ? file.text : nil)) }
    }
  }
}

// MARK: - The terminal's side

extension InterfaceLoop {
  private func terminalIsReady(_ readiness: Epoll.Readiness) {
    if readiness.contains(.write) { finishTurn() }
    if readiness.isWorthReading { _ = readTerminal() }
  }

  /// Whether there was something to read.
  private func readTerminal() -> Bool {
    switch terminal.read() {
    case .bytes(let bytes):
      hasInput = true
      decode { $0.receive(bytes, into: &$1) }
      return true
    case .nothing: return false
    // The shell may send SIGHUP as well, or has: nobody is there.
    case .end:
      endWithoutTerminal()
      return true
    }
  }

  private func endWithoutTerminal() {
    dispatch(.ending)
    stop(1)
  }

  private func decode(_ body: (inout InputDecoder, inout [InputEvent]) -> Void) {
    var events: [InputEvent] = []
    body(&decoder, &events)
    for event in events { take(event) }
    if let timer = escapeTimer.take() { loop.cancelTimer(timer) }
    guard let patience = decoder.timeoutMilliseconds else { return }
    escapeTimer = loop.startTimer(after: Interval(milliseconds: Int64(patience))) { [unowned self] in
      escapeTimer = nil
      // Bytes that wait to be read came in time.
      if readTerminal() { return }
      hasInput = true
      decode { $0.timeOut(into: &$1) }
    }
  }

  private func take(_ event: InputEvent) {
    switch event {
    case .reply(let reply): return follow(inquiry.take(reply))
    case .focus: follow(inquiry.takeFocus())
    case .key, .paste, .mouse: break
    }
    dispatch(.input(event))
  }

  private func follow(_ steps: [TerminalInquiry.Step]) {
    lease.setAwaitsAnswers(inquiry.isOpen)
    for step in steps {
      switch step {
      case .capabilities(let capabilities): dispatch(.capabilities(capabilities))
      case .set(let sequence, let undo): set(sequence, undo: undo)
      case .measure(let sequence):
        decoder.awaitsCursor = true
        write(sequence)
        repaint()
      }
    }
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

  private func set(_ sequence: String, undo: String) {
    // A set of modes beyond what can be undone is not set at all.
    guard (try? lease.add(sequence, undo: undo)) != nil else { return }
    if lease.isHeld { write(sequence) }
  }

  /// Writes a sequence with the next frame.
  func write(_ sequence: String) {
    guard outbox.utf8.count < Self.longestOutbox else { return }
    outbox += sequence
    finishTurn()
  }
}

// MARK: - Lending the terminal

extension InterfaceLoop {
  /// Stops when this batch of events is done.
  func suspend() {
    wantsSuspension = true
    finishTurn()
  }

  /// Gives the terminal back as it was, to a shell or an editor.
  func lend() {
    if let terminalWatch { try? loop.setInterest(terminalWatch, []) }
    outbox = ""
    giveBack()
  }

  /// Takes the terminal again, and paints everything anew.
  func retake() {
    guard (try? lease.take()) != nil else { return stop(1) }
    outbox = lease.entering
    if inquiry.isOpen { ask() }
    if let terminalWatch { try? loop.setInterest(terminalWatch, .read) }
    resized()
  }

  private func stopUntilResumed() {
    wantsSuspension = false
    let isHeld = lease.isHeld
    if isHeld { lend() }
    JobControl.stopGroup()
    if isHeld { retake() }
  }

  /// The process runs again, perhaps after a stop that nobody announced.
  private func resumed() {
    if lease.isHeld { retake() }
  }
}

// MARK: - The end of a batch of events

extension InterfaceLoop: TurnEndHandler {
  /// Does the rest once all events of this batch have been taken.
  func finishTurn() {
    guard !isTurnEnding else { return }
    isTurnEnding = true
    loop.deferWork(self)
  }

  func endTurn() {
    isTurnEnding = false
    if wantsSuspension { stopUntilResumed() }
    loop.setDeadline(application.deadline)
    guard lease.isHeld else { return }
    if !terminal.hasPending { paint() }
    guard terminal.flush() else { return endWithoutTerminal() }
    if let terminalWatch { try? loop.setInterest(terminalWatch, terminal.hasPending ? [.read, .write] : .read) }
  }

  /// Paints everything anew, whatever is on the screen.
  func repaint() {
    painter.forget()
    isForgotten = true
    finishTurn()
  }

  /// Adds the sequences that wait, and a frame if it is time for one.
  private func paint() {
    var bytes = Array(outbox.utf8)
    outbox = ""
    if isForgotten || application.needsFrame && isTimeForFrame {
      isForgotten = false
      bytes += painter.paint(application.frame(), inquiry.capabilities)
      lastFrame = loop.now().instant
    }
    hasInput = false
    if !bytes.isEmpty { terminal.append(bytes) }
  }

  /// Whether the next frame may be painted now; if not, a timer sees to it.
  private var isTimeForFrame: Bool {
    guard !hasInput, let lastFrame else { return true }
    let next = lastFrame.advanced(by: Self.frameInterval)
    if next <= loop.now().instant { return true }
    if frameTimer == nil {
      frameTimer = loop.startTimer(at: next) { [unowned self] in
        frameTimer = nil
        finishTurn()
      }
    }
    return false
  }
}
