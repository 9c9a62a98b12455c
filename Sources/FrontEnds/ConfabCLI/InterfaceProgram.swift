import Syscalls

/// The terminal UI, a program of its own, so that no command pays for what it needs.
enum InterfaceProgram {
  /// Beside this program, or where it is installed.
  private static let places = ["confab-ui", "../libexec/confab/confab-ui"]

  /// The errors in its settings (`tui.conf`), one a line.
  static var wrongSettings: [String] {
    guard let path = Paths.beside(places) else { return [] }
    let command = ShellCommand(
      "exec " + ShellCommand.quoted(path) + " --check-settings 2>/dev/null", limits: .init(time: 5000, output: 1 << 16))
    guard let done = try? command.run(), case .exited(0) = done.termination else { return [] }
    return String(decoding: done.output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Becomes it; returns only if that failed, with the reason. execv(3)
  static func become(_ arguments: [String]) -> String {
    guard let path = Paths.beside(places) else { return "the terminal UI (confab-ui) is not installed" }
    return "the terminal UI cannot be started: \(ProgramImage.replace(with: path, arguments: arguments).description)"
  }
}

extension CommandRunner {
  /// The terminal UI on a terminal that can show it, else the overview.
  func show(_ request: InterfaceRequest, _ invocation: Invocation) throws(UsageFailure) -> Int32 {
    if let name = request.who, !console.outputIsTerminal { throw .unknownCommand(name) }
    if console.outputIsTerminal || request.isPlain {
      complain(obstacle(request) ?? console.becomeInterface(arguments(request, invocation)))
    }
    return Overview(runner: self, invocation: invocation).show().rawValue
  }

  /// Returns a reason against the UI that shows without a description of the terminal.
  private func obstacle(_ request: InterfaceRequest) -> String? {
    let name = console.environment["TERM"] ?? ""
    guard !request.isPlain, ["", "dumb", "unknown"].contains(name) else { return nil }
    return "no terminal UI: TERM is \(name.isEmpty ? "not set" : "'\(name)'"); here is an overview"
  }

  private func arguments(_ request: InterfaceRequest, _ invocation: Invocation) -> [String] {
    (request.isPlain ? ["--plain"] : []) + (invocation.socket.map { ["--socket=" + $0] } ?? [])
      + (request.account.map { ["--account=" + $0] } ?? []) + (request.who.map { ["--open=" + $0] } ?? [])
  }
}
