import ConfabConfiguration
/// A parsed command line of `confab log`.
struct LogRequest: Equatable {
  enum Form: Equatable { case jsonLines, text }
  enum Task: Equatable {
    /// `export` of all conversations, or of the one with a JID.
    case help, verify, scrub, export(Form, in: String?), `import`(Import.Options),
      foreign(ForeignImport.Options)
    /// All records, or those with these numbers.
    case dump(ClosedRange<UInt64>?)
  }

  var task: Task
  /// The data directory; nil if there is nothing to tell it from.
  var data: String?

  init(_ arguments: [String], environment: [String: String]) throws(LogCommandFailure) {
    guard arguments.first != "help", !arguments.contains("--help"), !arguments.contains("-h") else {
      task = .help
      return
    }
    var words = LogWords(arguments[...])
    let configuration = try words.value(of: "config")
    data = try words.value(of: "data")
    guard let name = words.next() else { throw .usage("name a command: verify, dump, export, import or scrub") }
    switch name {
    case "verify": task = .verify
    case "scrub": task = .scrub
    case "dump": task = .dump(try words.next().map { (word) throws(LogCommandFailure) in try Self.range(word) })
    case "export": task = .export(try Self.form(&words), in: try words.value(of: "in"))
    case "import": task = try Self.importing(&words)
    default: throw .usage("unknown command 'log \(name)'")
    }
    if let word = words.rest.first { throw .usage("unexpected argument '\(word)'") }
    if data == nil { data = try DataPlace(environment: environment).directory(configuration: configuration) }
  }

  private static func form(_ words: inout LogWords) throws(LogCommandFailure) -> Form {
    let (isText, isJSON) = (try words.flag("text"), try words.flag("jsonl"))
    guard !isText || !isJSON else { throw .usage("--jsonl and --text cannot be combined") }
    return isText ? .text : .jsonLines
  }

  /// `import --jsonl FILE`, or `import CLIENT [PATH]`.
  private static func importing(_ words: inout LogWords) throws(LogCommandFailure) -> Task {
    guard let file = try words.value(of: "jsonl") else { return .foreign(try foreignOptions(&words)) }
    return .import(try options(file, &words))
  }

  private static func foreignOptions(_ words: inout LogWords) throws(LogCommandFailure) -> ForeignImport.Options {
    let (account, jid) = (try words.value(of: "account"), try words.value(of: "jid"))
    let (isRead, isCheck) = (try words.flag("read"), try words.flag("check"))
    let (zone, nicks) = (try words.value(of: "zone"), try nicks(&words))
    guard let client = words.next() else {
      throw .usage("import needs a client (\(ForeignClient.names)) or --jsonl FILE")
    }
    return ForeignImport.Options(
      client: client, path: words.next(), account: account, jid: jid, isRead: isRead, isCheck: isCheck, zone: zone,
      nicks: nicks)
  }

  /// `--nick NICK=JID`, as often as there are nicks.
  private static func nicks(_ words: inout LogWords) throws(LogCommandFailure) -> [String: String] {
    var nicks: [String: String] = [:]
    while let pair = try words.value(of: "nick") {
      guard let equals = pair.lastIndex(of: "="), equals > pair.startIndex else {
        throw .usage("--nick needs NICK=JID")
      }
      nicks[String(pair[..<equals])] = String(pair[pair.index(after: equals)...])
    }
    return nicks
  }

  private static func options(
    _ file: String, _ words: inout LogWords
  ) throws(LogCommandFailure) -> Import.Options {
    let options = Import.Options(
      file: file, account: try words.value(of: "account"), jid: try words.value(of: "jid"),
      isRead: try words.flag("read"))
    guard options.jid != nil else { return options }
    guard let account = options.account else { throw .usage("--jid needs --account NAME") }
    guard AccountSettings.isName(account) else {
      throw .usage("--account must be 1 to 32 letters, digits, - or _, as in the configuration")
    }
    return options
  }

  /// `8120`, `8120-8200`, or `8120-`: all from there on.
  private static func range(_ words: String) throws(LogCommandFailure) -> ClosedRange<UInt64> {
    let parts = words.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    let numbers = parts.map { $0.first?.isNumber == true ? UInt64($0) : nil }
    let isOpen = parts.count == 2 && parts[1].isEmpty
    guard let first = numbers[0], let last = isOpen ? .max : numbers[numbers.count - 1], first <= last else {
      throw .usage("'\(words)' is neither the number of a record nor a range FIRST-LAST of them")
    }
    return first...last
  }
}
