import Glibc
import TestSupport
import Testing

/// `confab` at a real terminal: it becomes the terminal UI, and gives the terminal back however it ends.
@Suite("The terminal is given back")
struct TerminalTests {
  private static let opened = "Conversations"

  @Test("confab without a command opens the terminal UI, and leaving it shows what was there before")
  func leaving() throws {
    let shell = try Shell()
    try shell.terminal.type("echo before")
    try shell.terminal.press("Enter")
    try shell.open()
    #expect(try shell.terminal.variable("alternate_on") == "1")
    try shell.terminal.press("C-q")
    try shell.expectGivenBack(status: 0)
    #expect(try shell.terminal.screen().contains("before"))
  }

  @Test(
    "a signal that ends it gives the terminal back first, and is its end",
    arguments: [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGSEGV, SIGABRT, SIGBUS])
  func signals(signal: Int32) throws {
    let shell = try Shell()
    try shell.open()
    kill(try shell.processID, signal)
    try shell.expectGivenBack(status: 128 + signal)
  }

  @Test("Ctrl-Z gives the terminal back until fg, and everything is painted anew")
  func suspending() throws {
    let shell = try Shell()
    try shell.open()
    try shell.terminal.press("C-z")
    try shell.terminal.wait(for: "Stopped", "\nready>")
    try shell.expectModesGivenBack()
    try shell.terminal.type("fg")
    try shell.terminal.press("Enter")
    try shell.terminal.wait(for: Self.opened)
    #expect(try shell.terminal.variable("alternate_on") == "1")
    try shell.terminal.press("C-q")
    try shell.expectGivenBack(status: 0)
  }

  @Test("a stop and a resume that nobody announced end in a painted screen")
  func unannounced() throws {
    let shell = try Shell()
    try shell.open()
    let process = try shell.processID
    kill(process, SIGSTOP)
    try shell.terminal.wait(for: "Stopped", "\nready>")
    try shell.terminal.type("fg")
    try shell.terminal.press("Enter")
    try shell.terminal.wait(for: "the screen") { $0.hasPrefix(" " + Self.opened) && !$0.contains("Stopped") }
    try shell.terminal.press("C-q")
    try shell.expectGivenBack(status: 0)
  }

  @Test("another size is painted at once, and a terminal of one cell is no crash")
  func sizes() throws {
    let shell = try Shell()
    try shell.open()
    for (columns, lines) in [(40, 12), (1, 1), (200, 60), (80, 24)] {
      try shell.terminal.resize(columns: columns, lines: lines)
    }
    try shell.terminal.wait(for: Self.opened)
    try shell.terminal.press("C-q")
    try shell.expectGivenBack(status: 0)
  }

  @Test("a terminal that goes away ends it")
  func goneTerminal() throws {
    let shell = try Shell()
    try shell.open()
    let process = try shell.processID
    try shell.terminal.close()
    let deadline = Deadline.seconds(60)
    while TestFiles.exists("/proc/\(process)/root") || Self.isRunning(process) {
      if deadline.hasPassed { throw TestFailure("confab-ui still runs") }
      _ = Readiness.wait(forReading: [], until: .milliseconds(20))
    }
  }

  private static func isRunning(_ process: pid_t) -> Bool {
    guard let state = TestFiles.text("/proc/\(process)/stat") else { return false }
    return !state.contains(") Z ")
  }

  @Test(
    "without a terminal, or with --no-ui, confab shows the overview; a terminal that cannot be drawn on gets it too")
  func overview() throws {
    let folder = try TemporaryFolder("ui")
    let daemon = try Daemon(in: folder)
    let piped = try Program.run([Products.program("confab"), "--socket", daemon.socketPath])
    #expect(piped.status == .exited(0) && piped.text.contains("alice"), "\(piped.errorText)")
    let shell = try Shell()
    let command = "\(Products.program("confab")) --socket \(daemon.socketPath)"
    for (line, words) in [
      ("\(command) --no-ui", "alice"), ("TERM=dumb \(command)", "TERM is 'dumb'"),
      ("TERM=no-such-terminal \(command)", "no description (terminfo) of the terminal 'no-such-terminal'"),
    ] {
      try shell.terminal.type("clear; \(line)")
      try shell.terminal.press("Enter")
      try shell.terminal.wait(for: "alice@", words)
    }
  }
}

/// A shell at a terminal, from which `confab` is started as a person does.
private final class Shell {
  let folder: TemporaryFolder
  let terminal: TmuxTerminal
  private let attributes: String

  init() throws {
    folder = try TemporaryFolder("ui")
    terminal = try TmuxTerminal(
      ["bash", "--norc", "--noprofile", "-i"], in: folder, environment: ["HOME": folder.path, "PS1": "ready> "])
    try terminal.wait(for: "ready>")
    attributes = try Self.attributes(of: terminal)
  }

  /// Starts `confab`, which reaches no daemon, and waits for its first screen, and until keys that came behind the terminal's
  /// answers are taken: a process that is killed or stopped before cannot keep those from the shell.
  func open() throws {
    try terminal.type("\(Products.program("confab")) --socket \(folder.file("none"))")
    try terminal.press("Enter")
    try terminal.wait(for: "the first screen") { $0.hasPrefix(" Conversations") }
    for _ in 0..<2 {
      try terminal.press("F1")
      try terminal.wait(for: "Keys and commands")
      try terminal.press("C-g")
      try terminal.wait(for: "the list again") { !$0.contains("Keys and commands") }
    }
  }

  /// Of the terminal UI: the leader of the terminal's foreground.
  var processID: pid_t {
    get throws {
      let shell = try terminal.variable("pane_pid")
      let children = TestFiles.text("/proc/\(shell)/task/\(shell)/children") ?? ""
      guard let process = children.split(separator: " ").last.flatMap({ pid_t($0) }) else {
        throw TestFailure("confab does not run")
      }
      return process
    }
  }

  /// Waits until the UI has ended, and looks at what it left.
  func expectGivenBack(status: Int32) throws {
    try terminal.wait(for: "the shell") { screen in
      try terminal.variable("alternate_on") == "0" && screen.split(separator: "\n").last?.hasPrefix("ready>") == true
    }
    try terminal.type("echo status $?")
    try terminal.press("Enter")
    try terminal.wait(for: "status \(status)\nready>")
    try expectModesGivenBack()
  }

  func expectModesGivenBack() throws {
    #expect(try Self.attributes(of: terminal) == attributes)
    for mode in ["alternate_on", "mouse_any_flag", "keypad_cursor_flag", "keypad_flag"] {
      #expect(try terminal.variable(mode) == "0", "\(mode)")
    }
    #expect(try terminal.variable("cursor_flag") == "1")
    // No answer of the terminal was typed.
    #expect(try !terminal.screen().contains("rgb:"))
  }

  /// The terminal's attributes while the shell waits for a command.
  private static func attributes(of terminal: TmuxTerminal) throws -> String {
    try Program.run(["stty", "-F", try terminal.variable("pane_tty"), "-g"]).text
  }
}
