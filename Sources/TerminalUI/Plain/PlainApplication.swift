package import Clocks
import LineProtocol

/// The linear mode (`confab --plain`): lines in, lines out, nothing is ever painted over. For screen readers, braille and
/// terminals that can do nothing else. The terminal edits the lines.
package final class PlainApplication {
  var model: SocketModel
  private let environment: ApplicationEnvironment
  private var words: PlainWords
  private var open: ConversationKey?
  private var attendance = Attendance()
  private var now: Moment
  private var lines: [String] = []
  private var actions: [ApplicationAction] = []
  /// What is done if the person says so.
  private var asked: Intent?
  var numbers = MessageNumbers()
  /// The conversations as they were numbered last.
  private var numbered: [ConversationKey] = []

  /// Messages that are said at once.
  private static let page = 10

  package init(_ environment: ApplicationEnvironment, now: Moment) {
    self.environment = environment
    self.now = now
    model = SocketModel(pageSize: Self.page)
    words = PlainWords(date: environment.date, words: environment.words)
    lines = ["Confab. Type a number or a name to open a conversation, /help for the commands, /quit to leave."]
  }

  /// Text to write, and what is to be done.
  package func handle(_ event: PlainEvent, at now: Moment) -> (lines: [String], actions: [ApplicationAction]) {
    self.now = now
    take(event)
    attend()
    defer { (lines, actions, model.output) = ([], [], []) }
    return (lines, actions + (model.output.isEmpty ? [] : [.send(model.output)]))
  }

  /// Whether what was typed is still being done; the next line of a script waits until it is.
  package var isBusy: Bool {
    switch model.link {
    case .connecting: true
    case .connected: !model.questions.isEmpty || !model.outgoing.all.isEmpty
    case .lost: !model.outgoing.all.isEmpty
    }
  }

  private func take(_ event: PlainEvent) {
    switch event {
    case .typed(let text):
      attendance.person.pressed(at: now.instant)
      typed(text)
    case .line(let line): for event in model.receive(line) { take(event) }
    case .disconnected(let reason):
      if model.link == .connected { say("The daemon is gone: \(reason). Waiting for it.") }
      if model.link == .connecting { say("There is no daemon at \(environment.socket): \(reason). Waiting for it.") }
      model.disconnected(reason)
      attendance.reset()
    }
  }

  func say(_ text: String) { lines.append(text) }

  private func attend() {
    let shown = attendance.person.isThere(at: now.instant) ? open : nil
    let seen = shown.map {
      Attendance.Seen(key: $0, newest: model.windows[$0]?.rows.last, row: model.conversations[$0])
    }
    for request in attendance.update(shown, seen: seen.map { [$0] } ?? [], at: now.instant) { model.tell(request) }
  }

  // MARK: What is typed

  private func typed(_ line: String) {
    let text = line.trimmingSpaces
    guard !text.isEmpty else { return }
    if let number = Int(text), numbered.indices.contains(number - 1), open == nil || text.count < 3 {
      return show(numbered[number - 1])
    }
    guard let message = SlashCommand.text(text) else { return command(text) }
    guard let open else { return openNamed(text) }
    send(message, to: open, nil)
  }

  func send(_ text: String, to key: ConversationKey, _ purpose: WritingPurpose?) {
    model.send(text, to: key, purpose: purpose, key: environment.token, holdSeconds: 0)
  }

  private func openNamed(_ name: String) { perform(slash.intent("/open " + name)) }

  var slash: SlashCommand {
    let names =
      model.contacts.rows.values.map { ($0.name, $0.key.jid) }
      + model.conversations.rows.values.map { ($0.name, $0.key.jid) }
    return SlashCommand(conversation: open, names: names)
  }

  private func command(_ text: String) {
    switch text {
    case "/list": list()
    case "/next": next()
    case "/more": more()
    case "/close": open = nil
    case "/help": help()
    case "/yes": if let asked = asked.take() { perform(asked) }
    default: if !actOnMessage(text) { perform(slash.intent(text)) }
    }
  }

  func perform(_ intent: Intent) {
    switch intent {
    case .open(let key, _): show(key)
    case .request(let request, let label): model.command(request, label)
    case .ask(let request): model.query(request)
    case .find(let text, let key):
      var request = Request(.search, options: [.limit: .integer(Self.page)], text: text)
      if let key { request.options[.in] = .string(key.jid) }
      request.account = key?.accountName
      model.query(request)
    case .popup(.search): say("Type /search and the text to look for.")
    case .confirm(_, let intent):
      asked = intent
      say("This cannot be taken back. Type /yes to do it.")
    case .say(let text): say(text)
    case .quit: actions.append(.quit)
    case .popup(.accounts): for account in model.accounts { say(words.account(account)) }
    case .popup(.contacts):
      for contact in model.contacts.rows.values { say(words.answers(now: now.wall).contact(contact)) }
    default: say("That is not there in the plain mode; /help lists what is.")
    }
  }

  private func help() {
    say("A line is sent to the open conversation. A number or a name opens one while none is open.")
    for (name, sentence) in Self.commands { say("/\(name): \(sentence)") }
    say("Each message is said with its number, as #1. Commands about a message take the number:")
    for command in MessageCommand.allCases { say("\(command.usage): \(command.sentence)") }
    for row in CommandList.rows where !Self.isOwn(row.name) && !Self.painted.contains(row.name) {
      say("/\(row.name)\(row.arguments.isEmpty ? "" : " " + row.arguments): \(row.sentence)")
    }
  }

  private static func isOwn(_ name: String) -> Bool {
    MessageCommand(rawValue: name) != nil || commands.contains { $0.0.prefix { $0 != " " } == name }
  }

  /// Commands that need a screen.
  private static let painted: Set<String> = ["mute", "settings", "help", "links", "emoticon"]

  private static let commands = [
    ("list", "Lists the conversations by number."), ("open NAME", "Opens a conversation, by name or address."),
    ("next", "Opens the next one with unread messages."), ("more", "Says the messages before those that were said."),
    ("search TEXT", "Finds messages; in the open conversation, else in all."),
    ("close", "Closes the conversation."), ("quit", "Leaves."),
  ]

  // MARK: Conversations

  private func list() {
    guard model.conversations.isLoaded else { return say("The conversations are not here yet.") }
    numbered = model.conversations.recency.filter { model.conversations[$0]?.isArchived == false }
    if numbered.isEmpty { say("No conversation yet. /open ADDRESS begins one.") }
    for (place, key) in numbered.prefix(20).enumerated() {
      if let row = model.conversations[key] { say("\(place + 1). \(words.answers(now: now.wall).conversation(row))") }
    }
  }

  private func next() {
    var view = ListView()
    view.update(model.conversations, .unread, isFrozen: false)
    guard let key = view.nextUnread(model.conversations, after: open) else { return say("Nothing is unread.") }
    show(key)
  }

  private func show(_ key: ConversationKey) {
    if let open, open != key { model.close(open) }
    open = key
    model.open(key)
  }

  private func more() {
    guard let open, let first = model.windows[open]?.rows.first else { return }
    guard model.windows[open]?.hasMoreBefore == true else { return say("That was the first message.") }
    model.load(.before(first.id), of: open)
  }

  // MARK: What the daemon says

  /// Says a line about a message, with its number, and where it stands unless that is open.
  private func say(_ line: String, _ row: MessageRow, in key: ConversationKey) {
    let place = key == open ? "" : "In \(words.name(model.conversations[key], key)): "
    say("\(place)\(line) #\(numbers.number(of: row, in: key))")
  }

  private func take(_ event: ModelEvent) {
    switch event {
    case .ready: say("Connected to the daemon.")
    case .otherLog:
      open = nil
      numbers.forgetAll()
    case .stranger(let reason), .failed(let reason): say(reason)
    case .message(let key, let row):
      if key == open || !row.isMine { say(words.message(row), row, in: key) }
    case .changed(let key, let row, let change):
      if key == open || numbers.isKnown(row.id) { say(words.change(row, change), row, in: key) }
    case .takenBack: say("Taken back.")
    case .notice: actions.append(.bell)
    case .stored: break
    case .refused(let message, let reason): say("Not sent: \(reason). The text was: \(message.text)")
    case .loaded(let purpose): loaded(purpose)
    case .draft, .found: break
    }
  }

  private func loaded(_ purpose: Questions.Purpose) {
    switch purpose {
    case .conversations: list()
    case .rows(let key, .before, _):
      guard let window = model.windows[key] else { return }
      for row in window.rows.prefix(Self.page) { say(words.message(row, now: now.wall), row, in: key) }
    case .rows(let key, _, _):
      guard key == open, let window = model.windows[key] else { return }
      say("Conversation with \(words.name(model.conversations[key], key)), \(window.count) messages.")
      for row in window.rows { say(words.message(row, now: now.wall), row, in: key) }
    case .answer: for line in words.answers(now: now.wall).lines(model.answer) { say(line) }
    case .command(let label): say("Done: \(label).")
    default: break
    }
  }
}

/// What happens in the plain mode.
package enum PlainEvent: Equatable, Sendable {
  /// A line of the person's, without its end.
  case typed(String)
  /// A line of the daemon's.
  case line([UInt8])
  case disconnected(String)
}

extension String {
  fileprivate var trimmingSpaces: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
