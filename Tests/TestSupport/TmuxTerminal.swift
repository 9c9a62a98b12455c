import Glibc

/// A terminal of tmux's, with a server of its own, in which a shell or another program runs: for tests of what a person
/// sees.
package final class TmuxTerminal: Sendable {
  private let socket: String
  private let server: ChildProcess

  /// How often the screen is looked at.
  private static let pause: Int64 = 30

  /// Starts `command`, a program with its arguments, and waits until the terminal is there.
  ///
  /// - Parameters:
  ///   - environment: all of the program's, but for `TERM`.
  ///   - options: of tmux, such as `focus-events on`.
  package init(
    _ command: [String], in folder: TemporaryFolder, columns: Int = 80, lines: Int = 24,
    environment: [String: String] = [:], options: [String] = []
  ) throws {
    socket = folder.file("tmux-\(columns)x\(lines)")
    let configuration =
      [
        "set -g status off", "set -g default-terminal tmux-256color", "set -s escape-time 0",
        "set -g remain-on-exit on",
      ]
      + options.map { "set -g \($0)" }
    let file = try folder.write("tmux.conf", configuration.joined(separator: "\n") + "\n")
    let output = try folder.write("tmux.log", "")
    server = try Self.startServer(["tmux", "-S", socket, "-f", file, "-D"], output: output)
    let variables = environment.merging(["LANG": "C.UTF-8", "PATH": "/usr/local/bin:/usr/bin:/bin"]) { own, _ in own }
    let words = ["env", "-i", "TERM=tmux-256color"] + variables.map { "\($0.key)=\($0.value)" } + command
    let start = ["new-session", "-d", "-x", "\(columns)", "-y", "\(lines)"] + words
    let deadline = Deadline.seconds(60)
    while try Program.run(["tmux", "-N", "-S", socket] + start).status != .exited(0) {
      guard !deadline.hasPassed else { throw TestFailure("tmux does not start: \(TestFiles.tail(output))") }
      _ = Readiness.wait(forReading: [], until: .milliseconds(Self.pause))
    }
  }

  private static func startServer(_ arguments: [String], output: String) throws -> ChildProcess {
    let input = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
    let log = unsafe open(output, O_WRONLY | O_APPEND | O_CLOEXEC)
    defer { for descriptor in [input, log] { Glibc.close(descriptor) } }
    return try ChildProcess(arguments, input: input, output: log, error: log)
  }

  /// Runs a command of tmux's and returns what it prints.
  @discardableResult
  package func tmux(_ arguments: String...) throws -> String {
    let done = try Program.run(["tmux", "-N", "-S", socket] + arguments)
    guard done.status == .exited(0) else { throw TestFailure("tmux \(arguments): \(done.errorText)") }
    return done.text
  }

  /// Presses keys, by tmux's names: `Enter`, `C-q`, `M-a`, `F2`.
  package func press(_ keys: String...) throws {
    for key in keys { try tmux("send-keys", key) }
  }

  /// Types letters.
  package func type(_ text: String) throws { try tmux("send-keys", "-l", text) }

  /// Pastes a text as a terminal does.
  package func paste(_ text: String) throws {
    try tmux("set-buffer", text)
    try tmux("paste-buffer", "-p")
  }

  package func resize(columns: Int, lines: Int) throws {
    try tmux("resize-window", "-x", "\(columns)", "-y", "\(lines)")
  }

  /// The lines of the screen.
  package func screen() throws -> String { try tmux("capture-pane", "-p") }

  /// A variable of tmux's, such as `alternate_on`.
  package func variable(_ name: String) throws -> String {
    String(try tmux("display-message", "-p", "#{\(name)}").prefix { $0 != "\n" })
  }

  /// Waits until the screen is as it should be; fails with the screen.
  package func wait(
    for purpose: String, until deadline: Deadline = .seconds(60), _ condition: (String) throws -> Bool
  ) throws {
    while true {
      let screen = try screen()
      if try condition(screen) { return }
      guard !deadline.hasPassed else { throw TestFailure("\(purpose) is not on the screen:\n\(screen)") }
      _ = Readiness.wait(forReading: [server.endDescriptor], until: .milliseconds(Self.pause))
    }
  }

  /// Waits until each of the texts is on the screen.
  package func wait(for texts: String..., until deadline: Deadline = .seconds(60)) throws {
    try wait(for: "\(texts)", until: deadline) { screen in texts.allSatisfy { screen.contains($0) } }
  }

  /// Ends tmux: the program's terminal goes away.
  package func close() throws {
    server.kill(SIGKILL)
    try server.wait()
  }
}
