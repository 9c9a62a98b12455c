import LineProtocol

/// What a text that begins with a slash means.
///
/// `//` begins a text with one slash, `/me ` is a text; any other word is a command of the UI or a verb of the daemon, with the
/// words of the line protocol, or it is refused. It is never sent.
package struct SlashCommand {
  /// The conversation that is open: its JID is taken where a verb needs one and none is given.
  let conversation: ConversationKey?
  /// JIDs by what somebody may call them.
  let names: [(name: String, jid: String)]

  /// The text to send; nil if it is a command.
  static func text(_ typed: String) -> String? {
    if typed.hasPrefix("//") { return String(typed.dropFirst()) }
    if !typed.hasPrefix("/") { return typed }
    return typed.hasPrefix("/me ") && typed.dropFirst(4).contains { !$0.isWhitespace } ? typed : nil
  }

  func intent(_ typed: String) -> Intent {
    let line = typed.dropFirst()
    let word = String(line.prefix { $0 != " " })
    let rest = String(line.dropFirst(word.count).drop { $0 == " " })
    switch word {
    case "open": return open(rest)
    case "quit", "q": return .quit
    case "help" where rest.isEmpty: return .popup(.help)
    case "search": return search(String(line), rest)
    case "unmute": return unmute
    case "unnick": return unnick
    case "contacts": return .popup(.contacts)
    case "accounts": return .popup(.accounts)
    case "settings": return .reload
    case "retract" where rest.isEmpty: return .act(.cancelMessage)
    case "versions" where rest.isEmpty: return .act(.versions)
    case "file": return .sendFileWords(rest)
    case "save": return rest.isEmpty ? .say("Type /save and a path.") : .saveFileWords(rest)
    default: break
    }
    if let intent = onMessage(word, rest) { return intent }
    if word == "me" { return .say("Type /me and what you do, as in /me waves.") }
    if let verb = Verb(rawValue: word) { return request(verb, String(line), rest) }
    if let action = Action(rawValue: word) { return .act(action) }
    return .say("There is no command /\(word). Begin a text with // to send a slash.")
  }

  /// A command that concerns the selected message; nil if it is none, or names a message by its id.
  private func onMessage(_ word: String, _ rest: String) -> Intent? {
    guard let action = Action(rawValue: word), [.reply, .correct, .react, .forward].contains(action) else { return nil }
    if rest.isEmpty { return .act(action) }
    if [.react, .forward].contains(action), Int(rest.prefix { $0 != " " }) != nil { return nil }
    guard action == .forward else { return .actOnMessage(action, words: rest) }
    let parts = rest.split(separator: " ", maxSplits: 1)
    guard let jid = jid(of: String(parts[0])) else { return .say("No contact is called \(parts[0]).") }
    return .actOnMessage(action, words: ([jid] + parts.dropFirst().map(String.init)).joined(separator: " "))
  }

  private func open(_ who: String) -> Intent {
    guard !who.isEmpty else { return .popup(.switcher) }
    guard let jid = jid(of: who) else { return .say("No contact is called \(who).") }
    return .open(ConversationKey(account: conversation?.account ?? "", jid: jid), name: "")
  }

  /// An address as it stands, or that of the one contact of this name.
  func jid(of who: String) -> String? {
    if who.contains("@") { return who }
    let found = Set(names.filter { $0.name.lowercased() == who.lowercased() }.map(\.jid))
    return found.count == 1 ? found.first : who.contains(".") ? who : nil
  }

  /// A text is looked for in the conversation that is open; with options it is the daemon's verb.
  private func search(_ line: String, _ rest: String) -> Intent {
    guard !rest.isEmpty else { return .popup(.search(conversation)) }
    let first = rest.prefix { $0 != " " }
    let isOption = VerbTable[.search].options.contains { first.hasPrefix($0.name.rawValue + "=") }
    return isOption ? request(.search, line, rest) : .find(rest, conversation)
  }

  private var unmute: Intent {
    guard let conversation else { return .say("Open the conversation first.") }
    var request = Request(.notify, arguments: [.jid: .string(conversation.jid), .level: .string("always")])
    request.account = conversation.accountName
    return .request(request, "unmute \(conversation.jid)")
  }

  /// An empty nickname is none; a verb that is typed has no way to say so.
  private var unnick: Intent {
    .request(Request(.nick, text: "", account: conversation?.accountName), "/unnick")
  }

  // MARK: Verbs

  /// Verbs that cannot be taken back: they are asked about, with the address that they concern.
  private static let asksFirst: Set<Verb> = [.forgetHistory, .remove, .report]

  private func request(_ verb: Verb, _ line: String, _ rest: String) -> Intent {
    let row = VerbTable[verb]
    guard row.isCommand else { return .say("/\(verb.rawValue) is of no use here.") }
    let words = withJID(row, rest)
    var reader = LineReader()
    reader.append(Array((verb.rawValue + (words.isEmpty ? "" : " " + words) + "\n").utf8))
    switch reader.next() {
    case .request(var request):
      request.account = request.account ?? conversation?.accountName
      guard request.kind == .command else { return .ask(request) }
      let jid = request.arguments[.jid].flatMap { if case .string(let jid) = $0 { " " + jid } else { nil } } ?? ""
      let intent = Intent.request(request, "/\(verb.rawValue)\(jid)")
      return Self.asksFirst.contains(verb) ? .confirm("/\(verb.rawValue) \(words)", intent) : intent
    case .failure(let failure): return .say("/\(verb.rawValue): \(failure.reason)")
    case nil: return .say("/\(verb.rawValue) needs more words; see /help \(verb.rawValue)")
    }
  }

  /// The words with the JID of the open conversation where the verb needs one and the first word is none; names of contacts become
  /// their addresses.
  private func withJID(_ row: VerbRow, _ rest: String) -> String {
    guard row.arguments.first.map({ $0.kind == .jid && !$0.isOptional }) == true else { return rest }
    let words = rest.split(separator: " ", maxSplits: .max, omittingEmptySubsequences: false)
    let optionCount = words.prefix { word in
      word.firstIndex(of: "=").map { end in row.options.contains { $0.name.rawValue == word[..<end] } } ?? false
    }.count
    let options = words.prefix(optionCount)
    let arguments = words.dropFirst(optionCount)
    if let first = arguments.first, let jid = jid(of: String(first)) {
      return (options + [Substring(jid)] + arguments.dropFirst()).joined(separator: " ")
    }
    guard let conversation else { return rest }
    return (options + [Substring(conversation.jid)] + arguments.filter { !$0.isEmpty || arguments.count > 1 })
      .joined(separator: " ")
  }

  // MARK: Completion

  /// The text, completed as far as it is clear; nil if nothing fits.
  func completion(_ typed: String) -> String? {
    let found = completions(typed)
    guard let first = found.first else { return nil }
    return found.dropFirst().reduce(first) { String(zip($0, $1).prefix { $0 == $1 }.map(\.0)) }
  }

  /// Words that may stand at the end of the text; the first letters of each are there.
  func completions(_ typed: String) -> [String] {
    guard typed.hasPrefix("/") else { return [] }
    guard let space = typed.lastIndex(of: " ") else {
      return CommandList.matching(typed).map { "/" + $0.name + ($0.arguments.isEmpty ? "" : " ") }
    }
    let word = typed[typed.index(after: space)...].lowercased()
    let found = names.filter { $0.name.lowercased().hasPrefix(word) || $0.jid.hasPrefix(word) }
    let words = Set(found.map(\.jid)).sorted() + Self.choices(typed).filter { $0.hasPrefix(word) }
    return words.map { typed[...space] + $0 + " " }
  }

  /// The words that the arguments and options of a typed verb may be.
  private static func choices(_ typed: String) -> [String] {
    guard let verb = Verb(rawValue: String(typed.dropFirst().prefix { $0 != " " })) else { return [] }
    let row = VerbTable[verb]
    let options = row.options.flatMap { option in words(option.kind).map { "\(option.name.rawValue)=\($0)" } }
    return row.arguments.flatMap { words($0.kind) } + options
  }

  private static func words(_ kind: ValueKind) -> [String] { if case .choice(let words) = kind { words } else { [] } }
}
