import ConfabCLI
import LineProtocol

/// confab(1): the command line.
enum CommandPage {
  static var page: ManPage {
    ManPage(
      name: "confab", section: 1, summary: "talk to confabd, an XMPP client daemon",
      markdown: [synopsis, options, commands, statuses, rest].joined(separator: "\n\n"))
  }

  private static let synopsis = """
    ## SYNOPSIS

    `confab` [`--socket` PATH] [`--account` NAME] [`--json`] COMMAND [OPTION ...] [ARGUMENT ...]

    ## DESCRIPTION

    Sends a command to the daemon and shows its answer for people, or unchanged with `--json`. Without a command it \
    is, on a terminal, the terminal UI; with `--no-ui`, or if standard output is no terminal, it shows the accounts, and \
    the conversations, newest first.

    Options may come anywhere before a text; `--` ends them. The words of a text are joined by one space; a single \
    `-` takes the text from standard input, without one final newline. An option of `yes` or `no` needs no value.

    A word without `@` that is the name of exactly one contact, regardless of case, stands for that contact. A word \
    without `@` and `.` that is not a contact's name is refused. With `--jid`, or on a socket that may not show the \
    roster, every word is an address.

    A time is `now`, `today` or `yesterday`, a date (`2026-11-20`), a time of day (`09:10`, `09:10:05`), a day and a time \
    of day (`2026-11-20 09:10`), all in the time zone of the process; how long ago (`2h`, `7d`); or RFC 3339.
    """

  private static var options: String {
    "## OPTIONS\n\n"
      + Manuals.table(["option", "meaning"], CommandLineOption.all.map { ["`\($0.usage)`", $0.meaning + "."] })
  }

  private static var commands: String {
    "## COMMANDS\n\n" + (VerbTable.commands.map(command) + LocalCommand.allCases.map(command)).joined(separator: "\n\n")
  }

  private static func command(_ row: VerbRow) -> String {
    let head = "### \(row.verb.rawValue)\n\n```\n\(Usage.commandLine(row))\n```\n\n\(row.summary)"
    let options =
      row.options.map { option in
        [
          "`--\(Usage.commandLineName(option.name))`",
          option.kind == .time ? "a time (see above)" : option.kind.expectation,
          option.isRequired ? "" : option.defaultText ?? "", option.meaning,
        ]
      } + row.commandOptions.map { ["`--\($0.name.rawValue)`", $0.value ?? "", "", $0.meaning] }
    let table = options.isEmpty ? "" : Manuals.table(["option", "value", "default", "meaning"], options)
    return [head, row.details, table].filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  private static func command(_ command: LocalCommand) -> String {
    let words =
      command == .log
      ? "verify|dump|export|import|scrub [FIRST[-[LAST]]] [--jsonl [FILE]|--text] [--in=JID] [--data DIR] "
        + "[--account NAME [--jid JID]]"
      : command == .import ? "CLIENT [PATH] [OPTION ...]" : "[OPTION ...]"
    let head = "### \(command.rawValue)\n\n```\nconfab \(command.rawValue) \(words)\n```\n\n\(command.summary)"
    let table = Manuals.table(["option", "meaning"], command.options.map { ["`\($0.usage)`", $0.meaning] })
    return [head, command.details, table].joined(separator: "\n\n")
  }

  private static var statuses: String {
    let rows = ExitCode.allCases.map { ["`\($0.rawValue)`", $0.meaning + "."] }
    return "## EXIT STATUS\n\nA status means the same for every command.\n\n"
      + Manuals.table(["status", "meaning"], rows)
  }

  private static let rest = """
    ## EXAMPLES

    ```
    confab send bob@example.org "backup done"
    df -h | confab send ops@example.org -
    confab send --wait=sent --timeout=1m bob@example.org hello
    confab history bob@example.org --limit=10 --since=yesterday
    confab send Bob "see you at noon"
    confab --json watch --kinds=message
    ```

    ## SEE ALSO

    `confabd`(8), `confab.conf`(5), `confab-protocol`(7)

    """
}
