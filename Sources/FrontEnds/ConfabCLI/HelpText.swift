import ConfabClient
package import LineProtocol

/// The text of `--help`, made from the table of verbs.
package enum HelpText {
  /// The version of `confab`.
  package static let version = "0.1.0"

  /// The help for all commands.
  package static func all() -> String {
    let width = 14
    let commands = VerbTable.commands.map { "  " + padded($0.verb.rawValue, width) + plain($0.summary) }
    let own = LocalCommand.allCases.map { "  " + padded($0.rawValue, width) + $0.summary }
    let codes = ExitCode.allCases.map { "  " + padded(String($0.rawValue), 4) + plain($0.meaning) }
    return
      ([usage, "", "Commands (confab COMMAND --help says more):"] + commands + own
      + ["", "Options:", options, "", "Exit status:"] + codes).joined(separator: "\n")
  }

  private static let usage = """
    usage: confab [--socket PATH] [--account NAME] [--json] COMMAND [OPTION ...] [ARGUMENT ...]
           confab                        the terminal UI; confab --no-ui shows an overview instead
           confab NAME                   the terminal UI in the conversation with a contact or an address
           confab help keys              the keys of the terminal UI
           confab send JID TEXT ...      words are joined by one space
           confab send JID -             the text comes from standard input
           confab setup                  the first account; confab doctor looks at everything
           confab log verify|dump|export [--jsonl|--text] [--in=JID] [--data DIR]
           confab log dump [FIRST[-[LAST]]] [--data DIR]
           confab log import --jsonl FILE [--account NAME [--jid JID]] [--read] [--data DIR]
           confab log scrub [--data DIR]
           confab import CLIENT [PATH]   the history of another client
    """

  private static let options = CommandLineOption.all.map { option in
    entry(option.usage, wrapped(option.meaning, indent: 18), 18)
  }.joined(separator: "\n")

  /// The help for one verb.
  package static func of(_ verb: Verb) -> String {
    let row = VerbTable[verb]
    var parts = [indented(wrapped("usage: " + Usage.commandLine(row), indent: 7), 7), ""] + wrapped(plain(row.summary))
    for paragraph in row.details.split(separator: "\n") { parts += [""] + wrapped(plain(String(paragraph))) }
    let options = row.options.map(option) + row.commandOptions.map(option)
    if !options.isEmpty { parts += ["", "Options:"] + options }
    if row.text != nil {
      parts += ["", "The words of TEXT are joined by one space; - alone takes it from standard input."]
    }
    return parts.joined(separator: "\n")
  }

  /// The help for one command that `confab` handles itself.
  package static func of(_ command: LocalCommand) -> String {
    let arguments = command.arguments.isEmpty ? "" : " " + command.arguments.joined(separator: "|")
    let path = command == .import ? " [PATH]" : ""
    let usage = wrapped("usage: confab \(command.rawValue)\(arguments)\(path) [OPTION ...]")
    var parts = usage + [""] + wrapped(plain(command.summary))
    for paragraph in command.details.split(separator: "\n") { parts += [""] + wrapped(plain(String(paragraph))) }
    let options = command.options.map { entry($0.usage, wrapped(plain($0.meaning), indent: 20), 20) }
    return (parts + ["", "Options:"] + options).joined(separator: "\n")
  }

  private static func option(_ row: OptionRow) -> String {
    let name = "--\(Usage.commandLineName(row.name))"
    let facts = row.isRequired ? " (needed)" : row.defaultText.map { " (default \($0))" } ?? ""
    let times = [.until, .at].contains(row.name) ? TimeWords.expectationAhead : TimeWords.expectation
    let expectation = row.kind == .time ? times : row.kind.expectation
    let lines = wrapped(plain(row.meaning) + facts, indent: 16) + wrapped(expectation, indent: 16)
    return entry(name, lines, 16)
  }

  private static func option(_ row: CommandOptionRow) -> String {
    entry(row.usage, wrapped(plain(row.meaning), indent: 16), 16)
  }

  /// A name and what it means, from the column `indent` on; below the name if that is too long.
  private static func entry(_ name: String, _ lines: [String], _ indent: Int) -> String {
    let isLong = name.count + 3 > indent
    return indented(
      [isLong ? "  " + name : padded("  " + name, indent) + (lines.first ?? "")] + lines.dropFirst(isLong ? 0 : 1),
      indent)
  }

  /// Words of Markdown without its marks.
  private static func plain(_ text: String) -> String { text.filter { $0 != "`" } }

  private static func indented(_ lines: [String], _ indent: Int) -> String { TextLines.indented(lines, indent) }

  private static func wrapped(_ text: String, indent: Int = 0) -> [String] { TextLines.wrapped(text, indent: indent) }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
}
