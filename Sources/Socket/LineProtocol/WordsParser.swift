/// Parses the words form: `verb [option=value ...] [--] [argument ...] [text]`, split at single spaces.
struct WordsParser {
  /// The rest of the line behind the last word and its space; nil if the line ended with that word. Empty if the line
  /// ended with a space.
  private var rest: Substring?
  private let block: Result<String, RequestFailure>?
  private let rights: Rights
  private var hasUntil = false
  /// The options that were there; few, since each is taken once.
  private var seen: [String] = []

  /// - Parameter line: a line without `{` in front, not empty.
  init(line: String, block: Result<String, RequestFailure>?, rights: Rights) {
    rest = line[...]
    (self.block, self.rights) = (block, rights)
  }

  /// The whole request.
  mutating func request() throws(RequestFailure) -> Request {
    var request = Request(try RequestParser.row(named: try word("verb"), rights))
    try options(into: &request)
    try arguments(into: &request)
    try text(into: &request)
    try RequestParser.check(request)
    return request
  }
}

// MARK: - Words

extension WordsParser {
  /// Takes the next word; `name` is what it would be.
  private mutating func word(_ name: String) throws(RequestFailure) -> String {
    guard let word = takeWord(), !word.isEmpty else {
      throw RequestFailure(
        .badArgument, "the \(name) is empty; words are separated by single spaces", argument: name)
    }
    return word
  }

  private mutating func takeWord() -> String? {
    guard let (word, behind) = nextWord() else { return nil }
    rest = behind
    return String(word)
  }

  /// The next word, left where it is, and what is behind its space.
  private func nextWord() -> (word: Substring, behind: Substring?)? {
    guard let line = rest else { return nil }
    let bytes = line.utf8
    guard let space = bytes.firstIndex(of: 0x20) else { return (line, nil) }
    return (line[..<space], line[bytes.index(after: space)...])
  }

  /// Splits `name=value` where the name is of `[a-z_]+`.
  private static func split(_ word: Substring) -> (name: Substring, value: Substring)? {
    let bytes = word.utf8
    var index = bytes.startIndex
    while index < bytes.endIndex, (0x61...0x7A).contains(bytes[index]) || bytes[index] == 0x5F {
      index = bytes.index(after: index)
    }
    guard index > bytes.startIndex, index < bytes.endIndex, bytes[index] == UInt8(ascii: "=") else { return nil }
    return (word[..<index], word[bytes.index(after: index)...])
  }
}

// MARK: - Options

extension WordsParser {
  private mutating func options(into request: inout Request) throws(RequestFailure) {
    while let (word, behind) = nextWord() {
      if word == "--" {
        rest = behind
        return
      }
      guard let (name, value) = Self.split(word), try option(String(name), String(value), name, into: &request) else {
        return
      }
      rest = behind
    }
  }

  /// Takes an option; false if the verb has none of that name.
  private mutating func option(
    _ name: String, _ value: String, _ word: Substring, into request: inout Request
  ) throws(RequestFailure) -> Bool {
    if name == "tag" || name == "account" || name == "until" && !request.row.takesUntil(value.utf8) {
      try note(name)
      try common(name, value, into: &request)
    } else if let option = request.row.option(written: word) {
      try note(name)
      request.options[option.name] = try ValueReader.read(value, option.kind, name)
    } else {
      return false
    }
    return true
  }

  /// Each option is taken once.
  private mutating func note(_ name: String) throws(RequestFailure) {
    guard !seen.contains(name) else {
      throw RequestFailure(.badArgument, "\(name)= is given twice", argument: name)
    }
    seen.append(name)
  }

  /// Takes an option of every verb.
  private mutating func common(_ name: String, _ value: String, into request: inout Request) throws(RequestFailure) {
    switch name {
    case "until": try until(value)
    case "tag": request.tag = try RequestTag(checking: value)
    default: request.account = try ValueReader.account(value)
    }
  }

  private mutating func until(_ end: String) throws(RequestFailure) {
    hasUntil = true
    guard !end.isEmpty else {
      throw RequestFailure(.badArgument, "until= needs a word: the line that ends the text", argument: "until")
    }
  }
}

// MARK: - Arguments and text

extension WordsParser {
  private mutating func arguments(into request: inout Request) throws(RequestFailure) {
    for argument in request.row.arguments {
      guard rest != nil else {
        guard !request.needs(argument) else { throw Self.missing(argument.name, of: request.verb) }
        return
      }
      if argument.kind.takesRest {
        request.arguments[argument.name] = try words(argument.name.rawValue, argument.kind)
        continue
      }
      let word = try word(argument.name.rawValue)
      try Self.refuseMistypedOption(word, as: argument, of: request.verb)
      request.arguments[argument.name] = try ValueReader.read(word, argument.kind, argument.name.rawValue)
    }
  }

  /// All words that follow.
  private mutating func words(_ name: String, _ kind: ValueKind) throws(RequestFailure) -> Value {
    var words: [String] = []
    while rest != nil { words.append(try word(name)) }
    return try ValueReader.read(words, kind, name)
  }

  static func missing(_ name: ArgumentName, of verb: Verb) -> RequestFailure {
    RequestFailure(
      .badArgument, "\(verb.rawValue) needs more arguments; usage: \(Usage.words(VerbTable[verb]))",
      argument: name.rawValue)
  }

  /// `tmieout=5s` is not an option, so it is an argument, but not a domain either: refused here instead of queued.
  private static func refuseMistypedOption(
    _ word: String, as argument: ArgumentRow, of verb: Verb
  ) throws(RequestFailure) {
    guard argument.kind == .jid, !word.utf8.contains(UInt8(ascii: "@")), let (name, _) = split(word[...]) else {
      return
    }
    throw RequestFailure(
      .badArgument, "\(RequestParser.shortened(String(name)))= is neither an option of \(verb.rawValue) nor a JID",
      argument: argument.name.rawValue)
  }

  private mutating func text(into request: inout Request) throws(RequestFailure) {
    guard request.row.text != nil else {
      if block != nil { throw Self.uselessBlock("\(request.verb.rawValue) takes no text") }
      guard rest == nil else { throw Self.tooMuch(request.verb) }
      return
    }
    guard let block else {
      request.text = rest.map(String.init)
      return
    }
    guard rest == nil else { throw Self.uselessBlock("the request line already has a text") }
    guard hasUntil else { throw Self.uselessBlock("until= must come before the arguments") }
    request.text = try block.get()
  }

  private static func uselessBlock(_ why: String) -> RequestFailure {
    RequestFailure(.badArgument, why, argument: "until")
  }

  private static func tooMuch(_ verb: Verb) -> RequestFailure {
    RequestFailure(.badArgument, "too many words; usage: \(Usage.words(VerbTable[verb]))")
  }
}
