package import Clocks
import LineProtocol

/// The linear mode (`confab --plain`): lines in, lines out, nothing is ever painted over. For screen readers, braille and
/// terminals that can do nothing else. The terminal edits the lines.
package final class PlainApplication {
  var model: SocketModel
  private let environment: ApplicationEnvironment
  var words: PlainWords
  var open: ConversationKey?
  private var attendance = Attendance()
  private var answers = AnswerWatch()
  var now: Moment
  private var lines: [String] = []
  var actions: [ApplicationAction] = []
  /// What is done if the person says so.
  private var asked: Intent?
  var numbers = MessageNumbers()
  /// The conversations as they were numbered last.
  private var numbered: [ConversationKey] = []

  /// Messages that are said at once.
  static let page = 10

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
    for event in model.takeRefusals() { hear(event) }
    attend()
    watchAnswers(event)
    defer { (lines, actions, model.output, model.fileRequests) = ([], [], [], []) }
    let requests = (model.output.isEmpty ? [] : [.send(model.output)]) + model.fileRequests.map(ApplicationAction.pass)
    return (lines, actions + requests)
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
    case .lines(let lines): for event in model.receive(lines) { hear(event) }
    case .deadline: break
    case .said(let text): say(text)
    case .notOpened(let message, let reason): for event in model.giveUp(message, reason) { hear(event) }
    case .disconnected(let reason):
      if model.link == .connected { say("The daemon is gone: \(reason). Waiting for it.") }
      if model.link == .connecting { say("There is no daemon at \(environment.socket): \(reason). Waiting for it.") }
      model.disconnected(reason)
      attendance.reset()
    }
  }

  func say(_ text: String) { lines.append(text) }

  /// A daemon that hangs is said, once.
  private func watchAnswers(_ event: PlainEvent) {
    let wasOverdue = answers.isOverdue
    let hasHeard = if case .lines = event { true } else { false }
    answers.update(isAwaiting: model.awaitsDaemon, hasHeard: hasHeard, at: now.instant)
    if answers.isOverdue, !wasOverdue { say("The daemon does not answer. What you type goes out when it does.") }
    if wasOverdue, hasHeard, !answers.isOverdue { say("The daemon answers again.") }
  }

  /// When `PlainEvent.deadline` is due; nil: nothing waits for time.
  package var deadline: Instant? { answers.due }

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
    guard canSend(text) else { return }
    model.send(text, to: key, purpose: purpose, key: environment.token, holdSeconds: 0)
  }

  /// Whether the daemon takes a text of this length; why not is said.
  private func canSend(_ text: String?) -> Bool {
    guard let text, let reason = model.greeting.refusal(ofText: text) else { return true }
    say(reason)
    return false
  }

  private func sendFiles(_ words: String) {
    guard let open else { return say("Open the conversation first.") }
    guard let (paths, text) = TypedPath.all(of: words), paths.count <= TypedPath.most else {
      return say("Type /file and the paths of one to nine files.")
    }
    guard canSend(text) else { return }
    model.send(files: paths, text, to: open, key: environment.token)
  }

  private func openNamed(_ name: String) { perform(slash.intent("/open " + name)) }

  var slash: SlashCommand { SlashCommand(conversation: open, book: model.book) }

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
    case .request(let request, let label): if canSend(request.text) { model.command(request, label) }
    case .ask(let request): if canSend(request.text) { model.query(request) }
    case .find(let text, let key):
      var request = Request(.search, options: [.limit: .integer(Self.page)], text: text)
      if let key { request.options[.in] = .string(key.jid) }
      request.account = key?.accountName
      perform(.ask(request))
    case .popup(.search): say("Type /search and the text to look for.")
    case .confirm(_, let intent):
      asked = intent
      say("This cannot be taken back. Type /yes to do it.")
    case .sendFileWords(let words): sendFiles(words)
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
  private static let painted: Set<String> = ["mute", "settings", "help", "links", "emoticon", "files", "view"]

  private static let commands = [
    ("list", "Lists the conversations by number."), ("open NAME", "Opens a conversation, by name or address."),
    ("next", "Opens the next one with unread messages."), ("more", "Says the messages before those that were said."),
    ("search TEXT", "Finds messages; in the open conversation, else in all."),
    ("file PATH ... [TEXT]", "Sends up to nine files, with a text if you like."),
    ("close", "Closes the conversation."), ("quit", "Leaves."),
  ]

  // MARK: Conversations

  func list() {
    guard model.conversations.isLoaded else { return say("The conversations are not here yet.") }
    let rows = model.conversations.strangersLast.filter { !$0.isArchived }
    numbered = rows.map(\.key)
    if rows.isEmpty { say("No conversation yet. /open ADDRESS begins one.") }
    let firstStranger = rows.firstIndex { !$0.isKnown }
    for (place, row) in rows.prefix(20).enumerated() {
      if place == firstStranger { say("People you do not know:") }
      say("\(place + 1). \(words.answers(now: now.wall).conversation(row))")
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
}

/// What happens in the plain mode.
package enum PlainEvent: Equatable, Sendable {
  /// A line of the person's, without its end.
  case typed(String)
  /// Lines of the daemon's that came together.
  case lines([[UInt8]])
  case disconnected(String)
  /// Why the files of a message cannot be sent.
  case notOpened(Outgoing.ID, String)
  /// A sentence.
  case said(String)
  case deadline
}

extension String {
  fileprivate var trimmingSpaces: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
