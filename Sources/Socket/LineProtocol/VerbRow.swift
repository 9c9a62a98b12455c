/// One row of the table of verbs: all there is to know of a verb outside the engine. A class, since every request looks
/// at its row several times and copies nothing so.
package final class VerbRow: Sendable {
  package let verb: Verb
  /// One sentence.
  package let summary: String
  /// More, for the reference; Markdown, may be empty.
  package let details: String
  package let options: [OptionRow]
  package let arguments: [ArgumentRow]
  /// nil if the verb takes no text.
  package let text: TextRule?
  /// How many descriptors have to come with its line.
  package let descriptors: ClosedRange<Int>
  /// True if a descriptor goes with the final line of a success.
  package let givesDescriptor: Bool
  /// The sockets that may use it; every row says so.
  package let rights: [Rights]
  package let kind: VerbKind
  package let overtaking: Overtaking
  /// Pairs of options that exclude each other.
  package let conflicts: [(OptionName, OptionName)]
  /// Codes of its own; `bad-argument` and what can befall any line are not listed.
  package let errors: [ErrorCode]
  /// Data lines, by an example each or a form.
  package let dataLines: [String]
  /// The final line where all went well.
  package let finalLine: String
  /// One request line.
  package let example: String
  /// True if the verb is a command of `confab`; some verbs make sense only on a longer connection.
  package let isCommand: Bool
  /// Options of the command that are not sent to the daemon.
  package let commandOptions: [CommandOptionRow]
  /// The options that are checked once the whole request is there.
  let checkedOptions: [OptionRow]

  init(
    _ verb: Verb, _ summary: String, details: String = "", options: [OptionRow] = [], arguments: [ArgumentRow] = [],
    text: TextRule? = nil, descriptors: ClosedRange<Int> = 0...0, givesDescriptor: Bool = false,
    rights: [Rights], kind: VerbKind, overtaking: Overtaking = .never,
    conflicts: [(OptionName, OptionName)] = [], errors: [ErrorCode] = [], dataLines: [String] = [],
    finalLine: String = #"{"ok":true}"#, example: String, isCommand: Bool = true,
    commandOptions: [CommandOptionRow] = []
  ) {
    self.verb = verb
    self.summary = summary
    self.details = details
    self.options = options
    self.arguments = arguments
    self.text = text
    self.descriptors = descriptors
    self.givesDescriptor = givesDescriptor
    self.rights = rights
    self.kind = kind
    self.overtaking = overtaking
    self.conflicts = conflicts
    self.errors = errors
    self.dataLines = dataLines
    self.finalLine = finalLine
    self.example = example
    self.isCommand = isCommand
    let takesJID = (options.map(\.kind) + arguments.map(\.kind)).contains(.jid)
    self.commandOptions = commandOptions + (takesJID ? [.literalJID] : [])
    checkedOptions = options.filter { $0.isRequired || $0.kind == .text }
  }

  /// True if the verb has a text that follows arguments.
  package var beginsBehindArguments: Bool { endsWithText && !arguments.isEmpty }

  /// True if the command's text consists of its last words and is not an option (`--text`).
  package var endsWithText: Bool { text != nil && descriptors.upperBound == 0 }

  /// The row's option of that name.
  package func option(_ name: OptionName) -> OptionRow? {
    options.first { $0.name == name }
  }

  /// The default of the option of that name.
  func defaultValue(of name: OptionName) -> Value? {
    for index in options.indices where options[index].name == name { return options[index].defaultValue }
    return nil
  }

  /// True if `until=` with this value is an option of the verb and begins no text: the verb has such an option, and the
  /// value begins with a digit, as every time does.
  func takesUntil(_ value: some Collection<UInt8>) -> Bool {
    option(.until) != nil && value.first.map { (0x30...0x39).contains($0) } ?? false
  }

  /// The row's option that is written so.
  func option(written word: Substring) -> OptionRow? {
    options.first { $0.word == word }
  }
}

extension VerbRow: Equatable {
  package static func == (one: VerbRow, other: VerbRow) -> Bool { one === other }
}

/// An option of a verb.
package struct OptionRow: Sendable {
  package var name: OptionName
  package let kind: ValueKind
  /// The default, as it would be written; nil if there is none, or if `meaning` describes it.
  package let defaultText: String?
  package var isRequired: Bool
  /// One sentence or part of one.
  package var meaning: String
  /// Its name as it is written.
  let word: String
  /// The default as a value.
  package let defaultValue: Value?

  package init(
    _ name: OptionName, _ kind: ValueKind, default defaultText: String? = nil, required: Bool = false, _ meaning: String
  ) {
    (self.name, self.kind, self.defaultText) = (name, kind, defaultText)
    isRequired = required
    self.meaning = meaning
    word = name.rawValue
    defaultValue = defaultText.flatMap(kind.read)
  }
}

/// A positional argument of a verb.
package struct ArgumentRow: Sendable {
  package var name: ArgumentName
  package var kind: ValueKind
  package var isOptional: Bool
  /// The option that, set to `yes`, excludes this argument.
  package var excludedBy: OptionName?

  package init(_ name: ArgumentName, _ kind: ValueKind, optional: Bool = false, excludedBy: OptionName? = nil) {
    (self.name, self.kind) = (name, kind)
    isOptional = optional
    self.excludedBy = excludedBy
  }
}

/// An option of the command `confab VERB` that is not sent to the daemon.
package struct CommandOptionRow: Sendable {
  package let name: CommandOption
  /// The name of its value; nil: it has none.
  package let value: String?
  /// A help sentence.
  package let meaning: String

  package init(_ name: CommandOption, value: String? = nil, _ meaning: String) {
    (self.name, self.value, self.meaning) = (name, value, meaning)
  }

  /// The option in text: `--output=FILE`.
  package var usage: String { "--\(name.rawValue)" + (value.map { "=\($0)" } ?? "") }

  /// The options of verbs that give a file.
  static let output = [
    CommandOptionRow(
      .output, value: "FILE", "Writes the file there, unless something is there already; else to standard output."),
    CommandOptionRow(.force, "Replaces a file that is there already."),
  ]

  /// The text of a verb that takes files, whose names are where the text of others is.
  static let text = CommandOptionRow(.text, value: "TEXT", "The text of the message.")

  static let literalJID = CommandOptionRow(
    .jid, "A word without `@` is an address as it stands, and not the name of a contact.")
}

/// The names of command options, without their hyphens.
package enum CommandOption: String, CaseIterable, Sendable {
  case ids, seconds, spoilers, reconnect, jid, output, force, text
}

/// How a verb takes text.
package enum TextRule: Sendable {
  /// It must be there and not be empty.
  case required
  /// It may be absent; empty is not the same as absent.
  case optional
}
