import ConfabCLI
import LineProtocol

/// The completions of all shells, from the table of verbs.
struct CompletionTable {
  /// Where the values of an option or argument come from.
  enum Source: Equatable {
    /// Nothing that could be known.
    case unknown
    case words([String])
    /// Any of these words, separated by commas.
    case list([String])
    /// The JIDs of contacts and conversations, requested from the daemon.
    case jids
    /// The accounts' names, likewise.
    case accounts
    case files
  }

  struct Option {
    /// With its hyphens.
    let name: String
    let meaning: String
    /// Nil: it has no value.
    let values: Source?
  }

  struct Command {
    let name: String
    let meaning: String
    let options: [Option]
    let arguments: [Source]
  }

  static let global: [Option] = CommandLineOption.all.map { option in
    let values: Source? =
      switch option.name {
      case "--socket": .files
      case "--account": .accounts
      default: option.value == nil ? nil : .unknown
      }
    return Option(name: option.name, meaning: option.meaning, values: values)
  }

  static let commands: [Command] = VerbTable.commands.map(command) + LocalCommand.allCases.map(command)

  private static let names = VerbTable.commands.map(\.verb.rawValue) + LocalCommand.allCases.map(\.rawValue)

  private static func command(_ row: VerbRow) -> Command {
    let options = row.options.map { option in
      Option(
        name: "--" + Usage.commandLineName(option.name), meaning: option.meaning,
        values: option.kind.isSwitch ? nil : source(option.kind))
    }
    let own = row.commandOptions.map {
      Option(name: "--" + $0.name.rawValue, meaning: $0.meaning, values: $0.value == nil ? nil : .files)
    }
    var arguments = row.arguments.map { $0.name == .about ? .words(names) : source($0.kind) }
    if row.descriptors.upperBound > 0 { arguments.append(.files) }
    return Command(name: row.verb.rawValue, meaning: row.summary, options: options + own, arguments: arguments)
  }

  private static func command(_ command: LocalCommand) -> Command {
    let options = command.options.map { option in
      Option(
        name: "--" + option.name, meaning: option.meaning, values: option.value == nil ? nil : source(option.values))
    }
    return Command(
      name: command.rawValue, meaning: command.summary, options: options,
      arguments: command.arguments.isEmpty ? [] : [.words(command.arguments), .files])
  }

  private static func source(_ values: LocalCommand.Option.Values) -> Source {
    switch values {
    case .unknown: .unknown
    case .files: .files
    case .jids: .jids
    case .words(let words): .words(words)
    }
  }

  private static func source(_ kind: ValueKind) -> Source {
    switch kind {
    case .jid: .jids
    case .choice(let words): .words(words)
    case .choices(let words): .list(words)
    case .integer, .id, .sequence, .duration, .time, .word, .text, .key, .words, .fields: .unknown
    }
  }
}

extension CompletionTable.Source {
  /// As the completions of bash and zsh name it: words, or `:` and a kind.
  var name: String {
    switch self {
    case .unknown: ""
    case .words(let words): words.joined(separator: " ")
    case .list(let words): ":list " + words.joined(separator: " ")
    case .jids: ":jids"
    case .accounts: ":accounts"
    case .files: ":files"
    }
  }
}
