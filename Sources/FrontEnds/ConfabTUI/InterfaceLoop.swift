import Clocks
import Reactor
import Screen
import Syscalls
import TerminalUI

/// Drives the UI: what comes from terminal, daemon, signals and time goes to the application; what it wants done is done,
/// and after each batch of events one frame is painted, in one write. One thread owns it.
final class InterfaceLoop {
  /// Work that waits until all events of a batch are handled.
  private struct Turn {
    var isEnding = false
    /// A person waits for what follows.
    var hasInput = false
    var wantsSuspension = false
  }

  let loop: EventLoop
  let application: Application
  let files: InterfaceFiles
  let screen: TerminalScreen
  var programs = HelperPrograms()
  /// Copies of fetched files that other programs may be reading.
  var opened: [OpenedFile] = []
  private(set) lazy var drawers = PictureDrawers(loop: loop)
  private(set) lazy var spelling = makeSpellChecker()
  private(set) var daemon: DaemonConnection?
  private var input: TerminalInput
  private let signals: SignalFD
  private var terminalWatch: Watch?
  private var escapeTimer: TimerID?
  private var frameTimer: TimerID?
  private var turn = Turn()
  private var status: Int32 = 0

  /// Takes the terminal and paints the first frame.
  init(_ files: InterfaceFiles, _ terminfo: Terminfo) throws(Errno) {
    self.files = files
    loop = try EventLoop()
    let terminal = try TerminalConnection()
    let variable = { files.variable($0) }
    var capabilities = Capabilities(variable: variable, colours: terminfo.colours)
    capabilities.cellSize = terminal.cellSize
    input = TerminalInput(
      InputDecoder(keys: terminfo.keys),
      TerminalInquiry(capabilities, variable: variable) { TerminalScreen.size(terminal) })
    let size = TerminalScreen.size(terminal)
    let file = files.settings()
    application = Application(
      files.environment(), settings: file.settings, columns: size.columns, lines: size.lines,
      capabilities: capabilities,
      now: loop.now())
    signals = try SignalFD(
      [JobControl.resized, JobControl.stop, JobControl.resumed, ChildPrograms.signal] + JobControl.endings)
    screen = try TerminalScreen(terminal, terminfo)
    screen.setMouse(file.settings.hasMouse)
    if !file.errors.isEmpty { dispatch(.settings(file)) }
  }

  /// Runs until the UI is left, and gives the terminal back; the exit status.
  func run() throws(Errno) -> Int32 {
    _ = try loop.watch(signals.raw, for: .read) { [unowned self] _ in takeSignals() }
    terminalWatch = try loop.watch(screen.terminal.fd, for: .read) { [unowned self] in terminalIsReady($0) }
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
    guard let questions = input.begin() else { return }
    screen.setAwaitsAnswers(true)
    screen.ask(questions, at: loop.now().instant)
    finishTurn()
  }

  private func leave() {
    opened = []
    daemon?.finish()
    if screen.isHeld { giveBack() }
  }

  private func giveBack() {
    let isLast: ([UInt8]) -> Bool = { [unowned self] in input.isLastAnswer($0) }
    screen.giveBack(isLastAnswer: input.awaitsAnswers ? isLast : nil, at: loop.now().instant)
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
    case .lines(let lines): dispatch(.lines(lines))
    case .disconnected(let reason): dispatch(.disconnected(reason))
    }
  }

  private func takeSignals() {
    while let signal = signals.next() {
      switch signal {
      case JobControl.resized: resized()
      case JobControl.stop: suspend()
      // The process runs again, perhaps after a stop that nobody announced.
      case JobControl.resumed: if screen.isHeld { retake() }
      case ChildPrograms.signal: guestEnded()
      default: end(by: signal)
      }
    }
  }

  /// Sends the typed text to the daemon, then ends by the signal.
  private func end(by signal: CInt) {
    dispatch(.ending)
    leave()
    JobControl.end(by: signal)
  }

  private func resized() {
    let size = TerminalScreen.size(screen.terminal)
    repaint()
    let (steps, question) = input.takeCellSize(screen.terminal.cellSize)
    if let question { screen.write(question) }
    for step in steps { follow(step) }
    dispatch(.resized(columns: size.columns, lines: size.lines))
  }

  private func guestEnded() {
    guard let (file, succeeded) = programs.takeGuest() else { return }
    retake()
    if let file { dispatch(.edited(succeeded ? file.text : nil)) }
  }

  private func makeSpellChecker() -> SpellChecker {
    let mailbox = loop.makeMailbox { [unowned self] (event: ApplicationEvent) in dispatch(event) }
    return SpellChecker(dictionaryPath: files.variable("DICPATH"), mailbox)
  }
}

// MARK: - The terminal's side

extension InterfaceLoop {
  private func terminalIsReady(_ readiness: Epoll.Readiness) {
    if readiness.contains(.write) { finishTurn() }
    if readiness.isWorthReading { _ = readTerminal() }
  }

  /// Reads the terminal once; false if there was nothing to read.
  private func readTerminal() -> Bool {
    switch screen.terminal.read() {
    case .bytes(let bytes):
      take(input.receive(bytes))
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

  private func take(_ events: [InputEvent]) {
    turn.hasInput = true
    for event in events { take(event) }
    if let timer = escapeTimer.take() { loop.cancelTimer(timer) }
    guard let patience = input.timeoutMilliseconds else { return }
    escapeTimer = loop.startTimer(after: Interval(milliseconds: Int64(patience))) { [unowned self] in
      escapeTimer = nil
      // Bytes that wait to be read came in time.
      if !readTerminal() { take(input.timeOut()) }
    }
  }

  private func take(_ event: InputEvent) {
    let steps = input.steps(event)
    screen.setAwaitsAnswers(input.awaitsAnswers)
    for step in steps { follow(step) }
    if case .reply = event { return }
    dispatch(.input(event))
  }

  private func follow(_ step: TerminalInquiry.Step) {
    switch step {
    case .capabilities(let capabilities): dispatch(.capabilities(capabilities))
    case .set(let sequence, let undo):
      screen.set(sequence, undo: undo)
      finishTurn()
    case .measure(let sequence):
      screen.ask(sequence, at: loop.now().instant)
      repaint()
    }
  }

  /// Writes a sequence with the next frame.
  func write(_ sequence: String) {
    screen.write(sequence)
    finishTurn()
  }

  func setMouse(_ isOurs: Bool) {
    screen.setMouse(isOurs)
    finishTurn()
  }

  /// Paints everything anew, whatever is on the screen.
  func repaint() {
    screen.forget()
    finishTurn()
  }
}

// MARK: - Lending the terminal

extension InterfaceLoop {
  /// Stops when this batch of events is done.
  func suspend() {
    turn.wantsSuspension = true
    finishTurn()
  }

  /// Gives the terminal back as it was, to a shell or an editor.
  func lend() {
    if let terminalWatch { try? loop.setInterest(terminalWatch, []) }
    giveBack()
  }

  /// Takes the terminal again, and paints everything anew.
  func retake() {
    guard (try? screen.take()) != nil else { return stop(1) }
    if input.awaitsAnswers { ask() }
    if let terminalWatch { try? loop.setInterest(terminalWatch, .read) }
    resized()
  }

  private func stopUntilResumed() {
    turn.wantsSuspension = false
    let isHeld = screen.isHeld
    if isHeld { lend() }
    JobControl.stopGroup()
    if isHeld { retake() }
  }
}

// MARK: - The end of a batch of events

extension InterfaceLoop: TurnEndHandler {
  /// Does the rest once all events of this batch have been taken.
  func finishTurn() {
    guard !turn.isEnding else { return }
    turn.isEnding = true
    loop.deferWork(self)
  }

  func endTurn() {
    turn.isEnding = false
    if turn.wantsSuspension { stopUntilResumed() }
    loop.setDeadline(application.deadline)
    guard screen.isHeld else { return }
    let terminal = screen.terminal
    if !terminal.hasPending { paint() }
    guard terminal.flush() else { return endWithoutTerminal() }
    if let terminalWatch { try? loop.setInterest(terminalWatch, terminal.hasPending ? [.read, .write] : .read) }
  }

  private func paint() {
    let next = screen.paint(
      application, input.capabilities, at: loop.now().instant, isUrgent: turn.hasInput)
    turn.hasInput = false
    guard let next, frameTimer == nil else { return }
    frameTimer = loop.startTimer(at: next) { [unowned self] in
      frameTimer = nil
      finishTurn()
    }
  }
}
