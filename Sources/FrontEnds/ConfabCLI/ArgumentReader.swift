package import ConfabClient
package import LineProtocol

/// Reads the command line against the table of verbs.
///
/// `confab [--socket PATH] [--account NAME] [--json] COMMAND [--option=value ...] [argument ...] [text ...]`: options may
/// be anywhere before the text; `--` ends them. The words of a text are joined by one space; `-` alone stands for
/// standard input.
package struct ArgumentReader {
  var rest: ArraySlice<String?>
  var invocation = Invocation(action: .overview)
  private let times: TimeWords
  private var account: String?
  private var optionsEnded = false
  /// `--no-ui` and `--plain`
  private var isOverview = false
  private var isPlain = false

  /// - Parameters:
  ///   - arguments: without the program's name; nil stands for an argument that is not UTF-8.
  ///   - times: reads dates and times that are not RFC 3339.
  package static func read(
    _ arguments: [String?], times: TimeWords = TimeWords(now: { nil }, offset: { _ in 0 })
  ) throws(UsageFailure) -> Invocation {
    var reader = ArgumentReader(rest: arguments[...], times: times)
    try reader.readAll()
    return reader.invocation
  }

  private init(rest: ArraySlice<String?>, times: TimeWords) {
    (self.rest, self.times) = (rest, times)
  }

  private mutating func readAll() throws(UsageFailure) {
    while let argument = try peek() {
      guard argument.hasPrefix("-"), argument != "-" else { return try command(argument) }
      if try globalOption(argument) { return }
    }
    guard !isOverview, !invocation.isJSON else { return }
    invocation.action = .interface(InterfaceRequest(account: account, isPlain: isPlain))
  }

  /// Takes one option before the command; true if no command is needed.
  private mutating func globalOption(_ argument: String) throws(UsageFailure) -> Bool {
    switch argument {
    case "--help", "-h": invocation.action = .help(nil)
    case "--version", "-V": invocation.action = .version
    case "--no-ui", "--plain":
      isOverview = isOverview || argument == "--no-ui"
      isPlain = isPlain || argument == "--plain"
      rest = rest.dropFirst()
      return false
    default:
      guard try commonOption() else {
        throw UsageFailure("unknown option '\(argument)' before the command; see confab --help")
      }
      return false
    }
    return true
  }

  private mutating func command(_ name: String) throws(UsageFailure) {
    guard !isOverview, !isPlain else { throw UsageFailure("--no-ui and --plain are for confab without a command") }
    rest = rest.dropFirst()
    if let command = LocalCommand(rawValue: name) {
      try local(command)
    } else if let verb = Verb(rawValue: name), VerbTable[verb].isCommand {
      try ask(verb)
    } else {
      // One word alone that is no command may be somebody's name.
      guard rest.isEmpty, !invocation.isJSON, name != "-", Verb(rawValue: name) == nil else {
        throw .unknownCommand(name)
      }
      invocation.action = .interface(InterfaceRequest(account: account, who: name))
    }
  }
}

// MARK: - Words

extension ArgumentReader {
  /// The next argument, left where it is; nil at the end.
  func peek() throws(UsageFailure) -> String? {
    guard let first = rest.first else { return nil }
    guard let argument = first else { throw UsageFailure("an argument is not UTF-8") }
    return argument
  }

  mutating func remaining() throws(UsageFailure) -> [String] {
    var words: [String] = []
    while let word = try peek() {
      words.append(word)
      rest = rest.dropFirst()
    }
    return words
  }

  /// Takes `--name=value` or `--name value`, where the next argument is that option.
  mutating func value(of name: String) throws(UsageFailure) -> String? {
    guard let argument = try peek() else { return nil }
    if argument.hasPrefix("--\(name)=") {
      rest = rest.dropFirst()
      return String(argument.utf8.dropFirst(name.utf8.count + 3)) ?? ""
    }
    guard argument == "--\(name)" else { return nil }
    rest = rest.dropFirst()
    guard let value = try peek() else { throw UsageFailure("--\(name) needs a value") }
    rest = rest.dropFirst()
    return value
  }

  /// Takes an option of a verb, with hyphens in its name or as it is on the socket.
  private mutating func value(of option: OptionName) throws(UsageFailure) -> String? {
    if let text = try value(of: Usage.commandLineName(option)) { return text }
    return try value(of: option.rawValue)
  }

  /// There was one that every command of the socket has.
  var hasCommonOptions: Bool { invocation.isJSON || invocation.socket != nil || account != nil }

  /// Takes an option that every command has; false if the next argument is none.
  mutating func commonOption() throws(UsageFailure) -> Bool {
    if try peek() == "--json" {
      rest = rest.dropFirst()
      invocation.isJSON = true
    } else if let path = try value(of: "socket") {
      guard !path.isEmpty else { throw UsageFailure("--socket needs a path") }
      invocation.socket = path
    } else if let name = try value(of: "account") {
      guard !name.isEmpty else { throw UsageFailure("--account needs a name or a JID") }
      account = name
    } else {
      return false
    }
    return true
  }
}

// MARK: - A verb

extension ArgumentReader {
  private mutating func ask(_ verb: Verb) throws(UsageFailure) {
    var request = Request(verb)
    var positionals = request.row.arguments[...]
    while let argument = try peek() {
      if !optionsEnded, isOption(argument, beforeText: positionals.isEmpty && request.row.beginsBehindArguments) {
        if try option(argument, into: &request) { return }
        continue
      }
      if positionals.isEmpty, request.row.endsWithText { break }
      guard let row = positionals.popFirst() else {
        try takeFile(argument, of: request.row)
        continue
      }
      if row.kind.takesRest {
        guard let value = row.kind.readList(try remaining()) else {
          throw usage(verb, "the arguments must be \(row.kind.expectation)")
        }
        request.arguments[row.name] = value
        break
      }
      rest = rest.dropFirst()
      request.arguments[row.name] = try read(argument, row.kind, "the argument \(row.name.rawValue)")
    }
    let isShort = positionals.first.map(request.needs) ?? (invocation.files.count < request.row.descriptors.lowerBound)
    if isShort { throw usage(verb, "too few arguments") }
    try finish(request)
  }

  /// Takes a file that goes with the request.
  private mutating func takeFile(_ path: String, of row: VerbRow) throws(UsageFailure) {
    guard invocation.files.count < row.descriptors.upperBound else { throw usage(row.verb, "too many arguments") }
    invocation.files.append(path)
    rest = rest.dropFirst()
  }

  /// True if a word is an option. If a text may begin with it, the word is an option only if it looks like nothing
  /// else: hyphens, bullets and negative numbers begin texts.
  private func isOption(_ word: String, beforeText: Bool) -> Bool {
    guard beforeText else { return word.hasPrefix("-") && word != "-" }
    guard word.hasPrefix("--") else { return false }
    let name = word.utf8.dropFirst(2).prefix { $0 != UInt8(ascii: "=") }
    return name.first != UInt8(ascii: "-") && name.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x2D || $0 == 0x5F }
  }

  /// Takes one option after the verb; true if it asks for help.
  private mutating func option(_ argument: String, into request: inout Request) throws(UsageFailure) -> Bool {
    if argument == "--help" || argument == "-h" {
      invocation.action = .help(request.verb)
      return true
    }
    if argument == "--" {
      rest = rest.dropFirst()
      optionsEnded = true
      return false
    }
    if try commonOption() || commandOption(argument, of: request.row) { return false }
    if try outputOption(of: request.row) { return false }
    if try textOption(into: &request) { return false }
    for row in request.row.options {
      guard let text = try row.kind.isSwitch ? setting(of: row.name) : value(of: row.name) else { continue }
      guard request.options[row.name] == nil else { throw UsageFailure("\(argument) is given twice") }
      request.options[row.name] = try read(
        text, row.kind, "--" + Usage.commandLineName(row.name), isAhead: [.until, .at].contains(row.name))
      return false
    }
    let hint = request.row.beginsBehindArguments ? "; put -- before a text that begins with a hyphen" : ""
    throw usage(request.verb, "unknown option '\(argument)'\(hint)")
  }

  /// Takes an option of the command that is not an option of the verb.
  private mutating func commandOption(_ argument: String, of row: VerbRow) -> Bool {
    guard let option = row.commandOptions.first(where: { argument == "--" + $0.name.rawValue && $0.value == nil })
    else { return false }
    rest = rest.dropFirst()
    if !invocation.options.contains(option.name) { invocation.options.append(option.name) }
    return true
  }

  /// Takes `--output=FILE`; `-` is standard output, as without it.
  private mutating func outputOption(of row: VerbRow) throws(UsageFailure) -> Bool {
    guard row.givesDescriptor, let path = try value(of: CommandOption.output.rawValue) else { return false }
    guard !path.isEmpty else { throw UsageFailure("--output needs a path") }
    invocation.output = path == "-" ? nil : path
    return true
  }

  /// Takes `--text=TEXT`.
  private mutating func textOption(into request: inout Request) throws(UsageFailure) -> Bool {
    guard request.row.text != nil, !request.row.endsWithText, let text = try value(of: CommandOption.text.rawValue)
    else { return false }
    request.text = text.isEmpty ? nil : text
    return true
  }

  /// Takes `--name`, which means yes, or `--name=yes` and `--name=no`.
  private mutating func setting(of option: OptionName) throws(UsageFailure) -> String? {
    guard try peek() == "--" + Usage.commandLineName(option) else {
      return try peek()?.contains("=") == true ? try value(of: option) : nil
    }
    rest = rest.dropFirst()
    return "yes"
  }

  /// - Parameter isAhead: a time to come is meant.
  private func read(
    _ text: String, _ kind: ValueKind, _ name: String, isAhead: Bool = false
  ) throws(UsageFailure) -> Value {
    if let value = kind.read(text) { return value }
    guard kind == .time else { throw UsageFailure("\(name) must be \(kind.expectation), not '\(text)'") }
    guard let time = times.read(text, isAhead: isAhead) else {
      let expectation = isAhead ? TimeWords.expectationAhead : TimeWords.expectation
      throw UsageFailure("\(name) must be \(expectation), not '\(text)'")
    }
    return .time(time)
  }

  private func usage(_ verb: Verb, _ reason: String) -> UsageFailure {
    UsageFailure("\(reason); usage: \(Usage.commandLine(VerbTable[verb]))")
  }

  /// Takes the text, and checks what can be checked without the daemon.
  private mutating func finish(_ draft: Request) throws(UsageFailure) {
    var request = draft
    request.account = account
    let words = Array(rest)
    let isFromInput = request.row.text != nil && words == ["-"]
    if !isFromInput, !words.isEmpty {
      request.text = try Self.joined(words)
    } else if case .required = request.row.text, !isFromInput {
      throw usage(request.verb, "the text is missing")
    }
    if !isFromInput { try Self.check(request) }
    invocation.action = .ask(request, textFromInput: isFromInput)
  }

  /// By hand: the library's `joined` looks for conformances at its first call, a hundredth of what `confab send` costs.
  private static func joined(_ words: [String?]) throws(UsageFailure) -> String {
    var text = ""
    for (number, word) in words.enumerated() {
      guard let word else { throw UsageFailure("the text is not UTF-8", .badText) }
      text += number == 0 ? word : " " + word
    }
    return text
  }

  /// The checks that the daemon would make, with exit codes of our own.
  package static func check(_ request: Request) throws(UsageFailure) {
    do {
      try RequestParser.check(request)
    } catch {
      let place = error.position.map { " (at character \($0))" } ?? ""
      throw UsageFailure(
        CommandWords.spelled(error.reason, request) + place, error.argument == "text" ? .badText : .usage)
    }
  }
}
