/// The table as functions of the shell that bash and zsh both know: what may follow.
enum ShellTable {
  static var functions: String {
    """

    # The commands.
    _confab_commands() { echo '\(commands.map(\.name).joined(separator: " "))'; }

    # The options of a command and of confab itself; `=` where a value follows.
    _confab_options() {
      case $1 in
    \(lines(commands.filter { !$0.options.isEmpty }) { ($0.name, "echo '\(optionNames($0.options))'") })
      esac
      echo '\(optionNames(CompletionTable.global))'
    }

    # What the value of an option may be: words, or where they come from.
    _confab_values() {
      case $1:$2 in
    \(lines(CompletionTable.global) { ("*:" + $0.name, echo($0.values)) })
    \(commands.flatMap(optionLines).joined(separator: "\n"))
      esac
    }

    # What an argument of a command may be, the first one being 0.
    _confab_argument() {
      case $1:$2 in
    \(commands.flatMap(argumentLines).joined(separator: "\n"))
      esac
    }

    """
  }

  private static var commands: [CompletionTable.Command] { CompletionTable.commands }

  private static func optionNames(_ options: [CompletionTable.Option]) -> String {
    options.map { $0.name + ($0.values == nil ? "" : "=") }.joined(separator: " ")
  }

  private static func echo(_ source: CompletionTable.Source?) -> String {
    let name = source?.name ?? ""
    return name.isEmpty ? ":" : "echo '\(name)'"
  }

  private static func optionLines(_ command: CompletionTable.Command) -> [String] {
    command.options.filter { $0.values?.name.isEmpty == false }.map {
      "    \(command.name):\($0.name)) \(echo($0.values)) ;;"
    }
  }

  private static func argumentLines(_ command: CompletionTable.Command) -> [String] {
    command.arguments.enumerated().filter { !$0.element.name.isEmpty }.map {
      "    \(command.name):\($0.offset)) \(echo($0.element)) ;;"
    }
  }

  private static func lines<Row>(_ rows: [Row], _ parts: (Row) -> (String, String)) -> String {
    rows.map(parts).filter { $0.1 != ":" }.map { "    \($0.0)) \($0.1) ;;" }.joined(separator: "\n")
  }
}
