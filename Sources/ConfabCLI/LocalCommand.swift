/// The commands that are `confab`'s own and no verbs of the socket: they work with and without a daemon.
package enum LocalCommand: String, CaseIterable, Sendable {
  case doctor, log

  /// An option of one of them.
  package struct Option: Sendable {
    /// Where a shell finds the values that it completes.
    package enum Values: Equatable, Sendable {
      case unknown, files
      case words([String])
    }

    /// Without its hyphens.
    package let name: String
    /// What its value stands for; nil where it has none.
    package let value: String?
    /// For people, a sentence.
    package let meaning: String
    package var values = Values.unknown

    /// `--config FILE`
    package var usage: String { "--\(name)" + (value.map { " \($0)" } ?? "") }
  }

  /// One sentence.
  package var summary: String {
    switch self {
    case .doctor: "Looks at all that the daemon needs, and says what is wrong and how to mend it."
    case .log: "Reads the log itself: verify, dump, export."
    }
  }

  /// Paragraphs, one a line.
  package var details: String {
    switch self {
    case .doctor:
      """
      Configuration, permissions, disk, clock, names, ports, certificates, the daemon with its accounts, and its service: \
      a line each, `ok`, `warning` or `WRONG`, and what to do. It works with and without a running daemon, and disturbs \
      none. Nothing is logged in to. The exit status is 1 where something is wrong; warnings alone are 0. With `--json`, \
      one object a line: `check`, `result` (`ok`, `warning` or `wrong`), `text`, and where there is one `account` and \
      `advice`.
      """
    case .log:
      """
      With or without a daemon. `verify` says which record is broken, if one is; `dump` shows the records; `export` the \
      messages.
      """
    }
  }

  /// What stands behind its name in a line of usage, besides options; empty where nothing does.
  package var arguments: [String] { self == .log ? ["verify", "dump", "export"] : [] }

  package var options: [Option] {
    switch self {
    case .doctor: [Self.config]
    case .log:
      [
        Option(name: "data", value: "DIR", meaning: "The data directory.", values: .files),
        Option(name: "jsonl", value: nil, meaning: "A JSON object a line."),
        Option(name: "text", value: nil, meaning: "For people."),
      ]
    }
  }

  private static let config = Option(
    name: "config", value: "FILE", meaning: "The configuration; else where confabd looks for it.", values: .files)
}

/// A local command with its options, as the command line has them.
package struct LocalRequest: Equatable, Sendable {
  package var command: LocalCommand
  /// Values by the options' names; empty for those that have none.
  package var options: [String: String] = [:]

  package init(_ command: LocalCommand, _ options: [String: String] = [:]) {
    (self.command, self.options) = (command, options)
  }

  func has(_ name: String) -> Bool { options[name] != nil }
}
