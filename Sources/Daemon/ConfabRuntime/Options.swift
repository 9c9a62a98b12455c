/// The command line of `confabd` (confabd(8)).
package struct Options: Equatable {
  enum Mode: Equatable { case run, check, doctor, addresses, version, help }

  var configuration: String?
  /// With `--doctor`: log in, too.
  var logsIn = false
  var mode = Mode.run
  /// The process that started this one, which does not outlive it.
  var parent: Int32?

  /// An error in the command line.
  struct Misuse: Error, Equatable, CustomStringConvertible {
    let description: String
  }

  init(_ arguments: [String]) throws(Misuse) {
    var rest = arguments[...]
    while let argument = rest.popFirst() { try take(argument, &rest) }
    if logsIn, mode != .doctor { throw Misuse(description: "--login needs --doctor") }
  }

  private mutating func take(_ argument: String, _ rest: inout ArraySlice<String>) throws(Misuse) {
    switch argument {
    case "--config":
      guard let file = rest.popFirst() else { throw Misuse(description: "--config needs a FILE") }
      configuration = file
    case "--parent":
      guard let process = rest.popFirst().flatMap({ Int32($0) }) else {
        throw Misuse(description: "--parent needs a PID")
      }
      parent = process
    case "--check": mode = .check
    case "--doctor": mode = .doctor
    case "--login": logsIn = true
    case "--addresses": mode = .addresses
    case "--version": mode = .version
    case "--help", "-h": mode = .help
    default:
      guard argument.hasPrefix("--config=") else { throw Misuse(description: Self.unknown(argument)) }
      configuration = String(argument.dropFirst("--config=".count))
    }
  }

  private static func unknown(_ word: String) -> String {
    word.hasPrefix("-") ? "unknown option '\(word)'" : "confabd takes only options, not '\(word)'"
  }
}

// MARK: - For people

extension Options {
  /// Each option with what it stands for, for `--help` and the manual page.
  package static let rows: [(usage: String, meaning: String)] = [
    (
      "--config FILE",
      "the configuration; else $XDG_CONFIG_HOME/confab/confab.conf (~/.config), else /etc/confab/confab.conf"
    ),
    ("--check", "check the configuration; exit 0 if it is valid, else 78 with the errors"),
    (
      "--doctor",
      "check all that the daemon needs, one JSON object a line, for confab doctor; exit 0 if nothing is wrong, else 1"
    ),
    ("--login", "with --doctor: also log in to each account, without presence; for confab setup"),
    ("--addresses", "prepare addresses, one JSON object a line in and out, for confab log import"),
    ("--parent PID", "end with the process PID, which started this one; for confab setup"),
    ("--version", "show the version"),
    ("--help", "show this help"),
  ]

  /// Each exit status of `confabd` with its meaning (sysexits(3)).
  package static let exitStatuses: [(status: Int32, meaning: String)] = [
    (0, "stopped normally"), (1, "with --doctor: something is wrong"), (64, "bad usage"), (71, "a system call failed"),
    (74, "the disk or the log failed, or standard output could not be written"),
    (75, "another daemon runs on the same data or socket"), (78, "the configuration is wrong"),
  ]

  package static let summary =
    "Keeps the configured XMPP accounts online, stores every conversation, and serves front ends over a Unix "
    + "socket. Stays in the foreground; logs to standard error."

  static let usage: String = {
    let width = rows.map(\.usage.count).max() ?? 0
    let line = { (left: String, right: String) in
      "  " + left + String(repeating: " ", count: width + 2 - left.count) + right + "\n"
    }
    return
      "usage: confabd [--config FILE] [--parent PID] [--check | --doctor [--login] | --addresses | --version | --help]\n\n"
      + "\(summary)\n\n"
      + rows.map { line($0.usage, $0.meaning) }.joined() + "\nExit status:\n"
      + exitStatuses.map { line(String($0.status), $0.meaning) }.joined()
  }()
}
