import ConfabClient
import LineProtocol

/// The meaning of a text that begins with a slash.
///
/// `//` begins a text with one slash, `/me ` is a text; any other word is a command of the UI or a verb of the daemon,
/// with the words of the line protocol, or it is refused. It is never sent.
package struct SlashCommand {
  /// The conversation that is open: it is meant if a verb needs a JID and none is given.
  let conversation: ConversationKey?
  let book: AddressBook
  var rooms = RoomList()
  /// Reads times as people write them.
  var times = TimeWords(now: { nil }, offset: { _ in 0 })

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
    if !rest.isEmpty, Self.wordless.contains(word) { return Self.takesNoWords(word) }
    switch word {
    case "open": return open(rest)
    case "quit", "q": return .quit
    case "help": return help(rest)
    case "search": return search(rest)
    case "unmute": return unmute
    case "unpin": return unpin(rest)
    case "pin": if let intent = keep(.pin, .pin, rest) { return intent }
    case "archive": if let intent = keep(.archive, .archive, rest) { return intent }
    case "weaker-login": return weakerLogin
    case "presence" where rest.isEmpty:
      return .say("Type /presence and available, chat, away, xa (away for long) or dnd (do not disturb), and words.")
    case "away": return request(.presence, rest.isEmpty ? "available" : "away \(rest)", conversation)
    case "unnick": return unnick
    case "contacts": return .popup(.contacts)
    case "accounts": return .popup(.accounts)
    case "settings": return .reload
    case "theme": return theme(rest)
    case "group": return group(rest)
    case "retract" where rest.isEmpty: return .act(.cancelMessage)
    case "versions" where rest.isEmpty: return .act(.versions)
    case "at": return later(rest)
    case "file": return .sendFileWords(rest)
    case "save": return rest.isEmpty ? .say("Type /save and a path.") : .saveFileWords(rest)
    default: break
    }
    if let intent = EncryptionCommand(slash: self).intent(word, rest) { return intent }
    if let intent = RoomCommand(slash: self, rooms: rooms).intent(word, rest) { return intent }
    if let intent = onMessage(word, rest) { return intent }
    if word == "me" { return .say("Type /me and what you do, as in /me waves.") }
    if let verb = Verb(rawValue: word) { return request(verb, rest) }
    if let action = UserAction(rawValue: word) { return rest.isEmpty ? .act(action) : Self.takesNoWords(word) }
    let near = NearCommand.meant(by: word).map { " Did you mean /\($0)?" } ?? ""
    return .say("There is no command /\(word).\(near) Begin a text with // to send a slash.")
  }

  /// All keys and commands, or those that a word is about: a command stands there as it is typed here.
  private func help(_ about: String) -> Intent {
    let word = about.hasPrefix("/") ? String(about.dropFirst()) : about
    if CommandList.rows.contains(where: { $0.name == word }) { return .help("/" + word) }
    guard let verb = Verb(rawValue: word), UserAction(rawValue: word) == nil else {
      return about.isEmpty ? .popup(.help) : .help(about)
    }
    return .say("/\(word): \(VerbTable[verb].summary) Programs use it: confab help \(word) in a shell says how.")
  }

  private func theme(_ name: String) -> Intent {
    UISettings.Colours(rawValue: name).map(Intent.colours) ?? .say("Type /theme and auto, dark, light or none.")
  }

  /// Commands that would drop words behind them.
  private static let wordless: Set = [
    "quit", "q", "unmute", "unnick", "weaker-login", "contacts", "accounts", "settings",
  ]

  private static func takesNoWords(_ word: String) -> Intent { .say("/\(word) takes no words.") }

  /// A command that concerns the selected message; nil if it is none, or names a message by its id.
  private func onMessage(_ word: String, _ rest: String) -> Intent? {
    guard let action = UserAction(rawValue: word), [.reply, .correct, .react, .forward].contains(action) else {
      return nil
    }
    if rest.isEmpty { return .act(action) }
    if [.react, .forward].contains(action), Int(rest.prefix { $0 != " " }) != nil { return nil }
    guard action == .forward else { return .actOnMessage(action, words: rest) }
    let parts = rest.split(separator: " ", maxSplits: 1)
    guard let key = key(of: String(parts[0])) else { return .say("No contact is called \(parts[0]).") }
    return .actOnMessage(action, words: ([key.jid] + parts.dropFirst().map(String.init)).joined(separator: " "))
  }

  /// A text to the open conversation that leaves later: behind a time, of one word or of two.
  private func later(_ typed: String) -> Intent {
    guard let conversation else { return .say("Open the conversation first.") }
    let words = typed.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    for count in [2, 1] where words.count >= count {
      guard let time = times.read(words.prefix(count).joined(separator: " "), isAhead: true) else { continue }
      let text = words.dropFirst(count).joined(separator: " ")
      if text.isEmpty { break }
      var request = Request(
        .send, options: [.at: .time(time)], arguments: [.to: .string(conversation.jid)], text: text)
      request.account = conversation.accountName
      return .request(request, "/at \(ShownLine.clean(typed, limit: Self.labelLimit))")
    }
    return .say("Type /at, when, and the text: /at tomorrow 9:00 good morning.")
  }

  /// The menu of groups, or a group that the open conversation's contact is put into.
  private func group(_ name: String) -> Intent {
    guard let conversation else { return .say("Open the conversation first.") }
    return name.isEmpty ? .popup(.groups(conversation)) : .group(conversation, name, isIn: true)
  }

  private func open(_ who: String) -> Intent {
    guard !who.isEmpty else { return .popup(.switcher) }
    if book.isAmbiguous(who) { return .switchTo(who) }
    guard let key = key(of: who) else { return .say("No contact is called \(who).") }
    return .open(key, name: "")
  }

  /// An address as it is, or the one contact of this name.
  func key(of who: String) -> ConversationKey? {
    let named = who.contains("@") ? [] : book.named(who)
    if named.count == 1 { return named.first }
    guard let jid = TypedAddress.bare(who) else { return book.people.first { $0.key.jid == who }?.key }
    return book.only(jid) ?? ConversationKey(account: conversation?.account ?? "", jid: jid)
  }

  /// A text is looked for in the conversation that is open; with options it is the daemon's verb.
  private func search(_ rest: String) -> Intent {
    guard !rest.isEmpty else { return .popup(.search(SearchScope(conversation))) }
    let first = rest.prefix { $0 != " " }
    let isOption = VerbTable[.search].options.contains { first.hasPrefix($0.name.rawValue + "=") }
    return isOption ? request(.search, rest) : .find(rest, conversation)
  }

  /// Pins or archives the open conversation, or takes that back, as the key does; a named one is pinned or archived.
  ///
  /// - Returns: nil if there are more words: those of the verb.
  private func keep(_ action: UserAction, _ verb: Verb, _ who: String) -> Intent? {
    if who.isEmpty { return .act(action) }
    guard !who.contains(" "), !["yes", "no"].contains(who), let key = key(of: who) else { return nil }
    return ConversationActions(key: key, row: nil, unreadFrom: nil).choice(verb, true)
  }

  /// Takes a conversation from the top of the list.
  private func unpin(_ who: String) -> Intent {
    guard let key = who.isEmpty ? conversation : key(of: who) else {
      return .say(who.isEmpty ? "Open the conversation first." : "No contact is called \(who).")
    }
    return ConversationActions(key: key, row: nil, unreadFrom: nil).choice(.pin, false)
  }

  /// Mutes the open conversation until it is unmuted.
  var mute: Intent { notify("never", "mute") }
  private var unmute: Intent { notify("always", "unmute") }

  private func notify(_ level: String, _ label: String) -> Intent {
    guard let conversation else { return .say("Open the conversation first.") }
    var request = Request(.notify, arguments: [.jid: .string(conversation.jid), .level: .string(level)])
    request.account = conversation.accountName
    return .request(request, "\(label) \(conversation.jid)")
  }

  /// An empty nickname is none; a verb that is typed has no way to say so.
  private var unnick: Intent {
    .request(Request(.nick, text: "", account: conversation?.accountName), "/unnick" + ofAccount)
  }

  /// ` (account home)`; empty while there is one account only.
  private var ofAccount: String { Self.label(ofAccount: conversation?.accountName) }
  private static func label(ofAccount name: String?) -> String { name.map { " (account \($0))" } ?? "" }

  // MARK: Verbs

  /// Verbs that cannot be taken back: they are asked about, with the address that they concern.
  private static let asksFirst: Set<Verb> = [.forgetHistory, .remove, .report]
  /// Verbs that are asked about if nobody is named whom they concern.
  private static let asksWhom: Set<Verb> = asksFirst.union([.block])

  /// A verb with the words behind it: it concerns whom they name, else the open conversation.
  private func request(_ verb: Verb, _ rest: String) -> Intent {
    let row = VerbTable[verb]
    guard row.isCommand else { return .say("/\(verb.rawValue) is of no use here.") }
    let (options, others) = split(rest, row)
    guard row.concernsSomebody(options) else {
      let intent = request(verb, rest, verb == .status ? nil : conversation)
      guard verb == .disconnect, case .request = intent else { return intent }
      return .confirm("Disconnect until you connect again", intent)
    }
    let first = String(others.first ?? "")
    if verb == .add, others.count > 1 || book.isAmbiguous(first) { return add(options, others) }
    if let key = key(of: first) { return request(verb, options, others.dropFirst(), about: key, isNamed: true) }
    if !first.isEmpty, row.arguments.count == 1, row.text == nil { return .say(Self.unknown(first, verb)) }
    if rest.isEmpty, [.accept, .deny].contains(verb) { return settleRequest(verb) }
    guard let conversation else { return request(verb, rest, nil) }
    let words = others.filter { !$0.isEmpty || others.count > 1 }
    return request(verb, options, words, about: conversation, isNamed: false)
  }

  /// Adds a contact: an address, and the words of its name. Asks for the account if there are several, and no option names
  /// one.
  private func add(_ options: [Substring], _ words: ArraySlice<Substring>) -> Intent {
    let first = String(words.first ?? "")
    let (key, isAmbiguous) = (key(of: first), book.isAmbiguous(first))
    guard key != nil || isAmbiguous else { return .say(Self.unknown(first, .add)) }
    let intent = request(.add, (options + [Substring(key?.jid ?? first)]).joined(separator: " "), key)
    guard case .request(var request, let label) = intent else { return intent }
    let name = words.dropFirst().filter { !$0.isEmpty }.joined(separator: " ")
    if !name.isEmpty { request.options[.name] = .string(name) }
    return isAmbiguous && request.account == nil ? .popup(.adding(request)) : .request(request, label)
  }

  /// The verb `unpin`, whose name people take for the opposite of `pin`.
  private var weakerLogin: Intent {
    .confirm(
      "Accept a weaker login than before, and connect again",
      .request(Request(.unpin, account: conversation?.accountName), "/weaker-login" + ofAccount))
  }

  private func request(
    _ verb: Verb, _ options: [Substring], _ others: some Sequence<Substring>, about key: ConversationKey, isNamed: Bool
  ) -> Intent {
    let words = (options + [Substring(key.jid)] + others).joined(separator: " ")
    let intent = request(verb, words, key)
    guard case .request = intent, (isNamed ? Self.asksFirst : Self.asksWhom).contains(verb) else { return intent }
    return .confirm("/\(verb.rawValue) \(words)", intent)
  }

  /// The verb with all its words, in the account of whom it concerns.
  func request(_ verb: Verb, _ words: String, _ key: ConversationKey?) -> Intent {
    var reader = LineReader()
    reader.append(Array((verb.rawValue + (words.isEmpty ? "" : " " + words) + "\n").utf8))
    switch reader.next() {
    case .request(var request):
      request.account = request.account ?? key?.accountName
      guard request.kind == .command else { return .ask(request) }
      let label = words.isEmpty ? "" : " " + ShownLine.clean(words, limit: Self.labelLimit)
      return .request(request, "/\(verb.rawValue)\(label)\(Self.label(ofAccount: request.account))")
    case .failure(let failure): return .say("/\(verb.rawValue): \(failure.reason)")
    case nil: return .say("/\(verb.rawValue) needs more words; see /help \(verb.rawValue)")
    }
  }

  /// Letters of a command that are said of it.
  private static let labelLimit = 80

  /// Options in front, and the words behind them.
  private func split(_ rest: String, _ row: VerbRow) -> (options: [Substring], others: ArraySlice<Substring>) {
    let words = rest.split(separator: " ", maxSplits: .max, omittingEmptySubsequences: false)
    let options = words.prefix { word in
      word.firstIndex(of: "=").map { end in row.options.contains { $0.name.rawValue == word[..<end] } } ?? false
    }
    return (Array(options), words.dropFirst(options.count))
  }

  static func unknown(_ who: String, _ verb: Verb) -> String {
    verb == .add ? "“\(who)” is no address: name@server." : "No contact is called \(who)."
  }

  /// Accepts or denies a request, if nobody is named: that of the open conversation, else the only one, after a question.
  private func settleRequest(_ verb: Verb) -> Intent {
    if let conversation, book.requests.contains(conversation) { return request(verb, conversation.jid, conversation) }
    guard let first = book.requests.first else { return .say("Nobody asks to be a contact.") }
    guard book.requests.count == 1 else {
      let shown = book.requests.prefix(5).map(\.jid).joined(separator: ", ")
      let more = book.requests.count > 5 ? " and \(book.requests.count - 5) more" : ""
      return .say("Type /\(verb.rawValue) and an address: \(shown)\(more) ask to be contacts.")
    }
    return .confirm("/\(verb.rawValue) \(first.jid)", request(verb, first.jid, first))
  }

  // MARK: Completion

  /// The text, completed as far as it is clear; nil if nothing fits.
  func completion(_ typed: String) -> String? {
    let found = completions(typed)
    guard let first = found.first else { return nil }
    return found.dropFirst().reduce(first) { String(zip($0, $1).prefix { $0 == $1 }.map(\.0)) }
  }

  /// Words that may be at the end of the text; the first letters of each are there.
  func completions(_ typed: String) -> [String] {
    guard typed.hasPrefix("/") else { return [] }
    guard let space = typed.lastIndex(of: " ") else {
      return CommandList.matching(typed).map { "/" + $0.name + ($0.arguments.isEmpty ? "" : " ") }
    }
    let word = typed[typed.index(after: space)...].lowercased()
    let words =
      rooms.words(after: typed, beginningWith: word) + book.jids(beginningWith: word)
      + Self.choices(typed).filter { $0.hasPrefix(word) }
    return words.map { typed[...space] + $0 + " " }
  }

  /// The words that the arguments and options of a typed verb may be.
  private static func choices(_ typed: String) -> [String] {
    let name = String(typed.dropFirst().prefix { $0 != " " })
    if name == "theme" { return UISettings.Colours.allCases.map(\.rawValue) }
    guard let verb = Verb(rawValue: name) else { return [] }
    let row = VerbTable[verb]
    let options = row.options.flatMap { option in words(option.kind).map { "\(option.name.rawValue)=\($0)" } }
    return row.arguments.flatMap { words($0.kind) } + options
  }

  private static func words(_ kind: ValueKind) -> [String] { if case .choice(let words) = kind { words } else { [] } }
}

extension VerbRow {
  /// True if the first word behind these options is the JID of the person concerned.
  fileprivate func concernsSomebody(_ options: [Substring]) -> Bool {
    guard let first = arguments.first, first.kind == .jid, !first.isOptional else { return false }
    return !options.contains { option in first.excludedBy.map { option.hasPrefix($0.rawValue + "=") } == true }
  }
}
