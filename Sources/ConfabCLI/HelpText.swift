package import LineProtocol

/// What `--help` prints, made from the table of verbs.
package enum HelpText {
  /// The version of `confab`.
  package static let version = "0.1.0"

  /// Of all commands.
  package static func all() -> String {
    let width = 14
    let commands = VerbTable.rows.map { "  " + padded($0.verb.rawValue, width) + $0.summary }
    let codes = ExitCode.all.map { "  " + padded(String($0.rawValue), 4) + $0.meaning }
    return
      ([usage, "", "Commands (confab COMMAND --help says more):"] + commands
      + [
        "  " + padded("log", width) + "Reads the log itself: verify, dump, export.", "", "Options:", options, "",
        "Exit status:",
      ] + codes).joined(separator: "\n")
  }

  private static let usage = """
    usage: confab [--socket PATH] [--account NAME] [--json] COMMAND [OPTION ...] [ARGUMENT ...]
           confab                        accounts, and conversations by recency
           confab send JID TEXT ...      words are joined by one space
           confab send JID -             the text comes from standard input
           confab log verify|dump|export [--jsonl|--text] [--data DIR]
    """

  private static let options = """
      --socket PATH   the daemon's socket; else $CONFAB_SOCKET, then $XDG_RUNTIME_DIR/confab/socket if it
                      exists, then /run/confab/socket
      --account NAME  which account, by name or JID, where several are configured
      --json          the daemon's answer as it is, one JSON object a line
      --help          this, or more about one command
      --version       the version of this program
    """

  /// Of one command.
  package static func of(_ verb: Verb) -> String {
    let row = VerbTable[verb]
    var parts = ["usage: " + Usage.commandLine(row), "", row.summary]
    if !row.details.isEmpty { parts += ["", row.details.filter { $0 != "`" }] }
    if !row.options.isEmpty { parts += ["", "Options:"] + row.options.map(option) }
    if row.text != nil {
      parts += ["", "The words of TEXT are joined by one space; - alone takes it from standard input."]
    }
    return parts.joined(separator: "\n")
  }

  private static func option(_ row: OptionRow) -> String {
    let name = "--\(Usage.commandLineName(row.name))"
    let facts = row.isRequired ? " (needed)" : row.defaultText.map { " (default \($0))" } ?? ""
    return "  " + padded(name, 14) + row.meaning.filter { $0 != "`" } + facts + "\n"
      + String(repeating: " ", count: 16) + row.kind.expectation
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
}
