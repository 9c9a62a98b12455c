package import LineProtocol

/// A parsed command line.
package struct Invocation: Equatable, Sendable {
  /// `--socket`
  package var socket: String?
  /// `--json`: the daemon's lines as they are.
  package var isJSON = false
  /// Options of the command that are not sent to the daemon.
  package var options: [CommandOption] = []
  /// `--output`
  package var output: String?
  /// The files that go with the request.
  package var files: [String] = []
  package var action: Action

  package enum Action: Equatable, Sendable {
    /// No command: the terminal UI, else the overview.
    case interface(InterfaceRequest)
    /// No command, with `--no-ui`.
    case overview
    /// `--help`, of all or of one command.
    case help(Verb?)
    /// `--version`
    case version
    /// `log`, with what follows.
    case log([String])
    /// Another command of our own, or help on one.
    case local(LocalRequest)
    case localHelp(LocalCommand)
    /// A verb; with `-` for a text, that comes from standard input.
    case ask(Request, textFromInput: Bool)
  }

  package init(socket: String? = nil, isJSON: Bool = false, options: [CommandOption] = [], action: Action) {
    self.socket = socket
    self.isJSON = isJSON
    self.options = options
    self.action = action
  }
}

/// The terminal UI as the command line asks for it.
package struct InterfaceRequest: Equatable, Sendable {
  /// `--account`
  package var account: String?
  /// `--plain`: lines one after the other, for screen readers.
  package var isPlain: Bool
  /// The name or address of the conversation that is opened; nil: the list is.
  package var who: String?

  package init(account: String? = nil, isPlain: Bool = false, who: String? = nil) {
    (self.account, self.isPlain, self.who) = (account, isPlain, who)
  }
}

/// An error in the command line or its text.
package struct UsageFailure: Error, Equatable, Sendable {
  package var reason: String
  /// `usage`, `badText` or `nothingStored`.
  package var code: ExitCode

  package init(_ reason: String, _ code: ExitCode = .usage) {
    self.reason = reason
    self.code = code
  }

  static func unknownCommand(_ name: String) -> UsageFailure {
    let names = VerbTable.commands.map(\.verb.rawValue) + LocalCommand.allCases.map(\.rawValue)
    let near = NearName.of(name, among: names).map { "did you mean '\($0)'? See" } ?? "see"
    return UsageFailure("unknown command '\(name)'; \(near) confab --help")
  }
}
