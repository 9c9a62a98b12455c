package import Clocks
import ConfabClient
import LineProtocol

/// The linear mode (`confab --plain`): lines in, lines out, nothing is ever painted over. For screen readers, braille and
/// terminals that can do nothing else. The terminal edits the lines.
package final class PlainApplication {
  var model: SocketModel
  let environment: ApplicationEnvironment
  /// The open conversation.
  var spoken: SpokenConversation?
  private var attendance = ReaderAttendance()
  private var answers = AnswerWatch()
  var now: Moment
  private var lines: [String] = []
  var actions: [ApplicationAction] = []
  /// Done if the next line is `/yes`.
  private var asked: Intent?
  var numbers = MessageNumbers()
  var choice = PlainChoice()

  /// Messages that are said at once.
  static let page = 10

  package init(_ environment: ApplicationEnvironment, now: Moment) {
    self.environment = environment
    self.now = now
    model = SocketModel(pageSize: Self.page)
    lines = ["Confab. Type a number or a name to open a conversation, /help for the commands, /quit to leave."]
  }

  /// Text to write, and what is to be done.
  package func handle(_ event: PlainEvent, at now: Moment) -> (lines: [String], actions: [ApplicationAction]) {
    (self.now, model.wall) = (now, now.wall)
    take(event)
    for event in model.takeRefusals() { hear(event) }
    attend()
    watchAnswers(event)
    defer { (lines, actions, model.output, model.fileRequests) = ([], [], [], []) }
    let requests = (model.output.isEmpty ? [] : [.send(model.output)]) + model.fileRequests.map(ApplicationAction.pass)
    return (lines, actions + requests)
  }

  /// True while an earlier line is still being carried out; a script's next line waits until then.
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
    case .pasted(let lines):
      attendance.person.pressed(at: now.instant)
      pasted(lines)
    case .lines(let lines): hear(model.receive(lines))
    case .deadline: break
    case .said(let text): say(text)
    case .notOpened(let message, let reason): for event in model.giveUp(message, reason) { hear(event) }
    case .disconnected(let reason):
      if model.link == .connected { say("The daemon is gone: \(reason). Waiting for it.") }
      if model.link == .connecting { say("There is no daemon: \(reason). Waiting for it.") }
      model.disconnected(reason)
      attendance.reset()
    }
  }

  func say(_ text: String) { lines.append(text) }

  var open: ConversationKey? { spoken?.key }

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
      ReaderAttendance.Seen(key: $0, last: model.windows[$0]?.rows[...].lastArrived, row: model.conversations[$0])
    }
    for request in attendance.update(shown, seen: seen.map { [$0] } ?? [], at: now.instant) { model.tell(request) }
  }

  // MARK: What is typed

  private func typed(_ line: String) {
    let (text, asked, choice) = (line.trimmingSpaces, asked.take(), choice)
    self.choice.isNext = false
    guard !text.isEmpty else { return }
    if let isYes = Self.answers[text.lowercased()], asked != nil || text.hasPrefix("/") {
      return answer(asked, isYes: isYes)
    }
    if let number = Int(text), open == nil || choice.isNext, let key = choice[number] { return show(key) }
    guard let message = SlashCommand.text(text) else { return command(text) }
    guard let open else { return choice.isMissed ? say(PlainChoice.refusal) : openNamed(text) }
    send(message, to: open, nil)
  }

  /// Lines that came at once are one text, and no commands. A long paste may come in parts.
  private func pasted(_ part: [String]) {
    let before = if case .send(let text)? = asked.take() { [text] } else { [String]() }
    let lines = (before + part).flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false) }
    guard open != nil else { return say("Not sent: \(lines.count) lines came at once, and no conversation is open.") }
    perform(
      .confirm("Send the \(lines.count) lines that came at once as one message", .send(lines.joined(separator: "\n"))))
  }

  /// A question is answered without a slash, too: its answer is never sent.
  private static let answers = ["/yes": true, "yes": true, "y": true, "/no": false, "no": false, "n": false]

  private func answer(_ asked: Intent?, isYes: Bool) {
    guard let asked else { return say("Nothing was asked.") }
    isYes ? perform(asked) : say("Left as it is.")
  }

  func send(_ text: String, to key: ConversationKey, _ purpose: WritingPurpose?) {
    guard canSend(text) else { return }
    model.send(text, to: key, purpose: purpose, key: environment.token, holdSeconds: 0)
    sayKept()
  }

  /// Says that what was sent waits for the daemon, if it does.
  private func sayKept() {
    if model.link != .connected { say("Kept: it goes out when the daemon is back.") }
  }

  /// True if the daemon takes a text of this length; otherwise prints the reason.
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
    sayKept()
  }

  var slash: SlashCommand {
    let times = TimeWords(now: { [now] in now.wall }, offset: environment.offset)
    return SlashCommand(conversation: open, book: model.book, rooms: model.rooms, times: times)
  }

  private func command(_ text: String) {
    switch text {
    case "/list", "/open": list()
    case "/next": next()
    case "/more": more()
    case "/close": close()
    case "/help": help()
    case _ where text.hasPrefix("/open "): openNamed(String(text.dropFirst(6)).trimmingSpaces)
    default: if !actOnMessage(text) { perform(slash.intent(text)) }
    }
  }

  func perform(_ intent: Intent) {
    switch intent {
    case .open(let key, _): show(key)
    case .request(let request, let label): if canSend(request.text) { model.command(request, label) }
    case .enter(let request, let label, let key):
      model.command(request, label)
      show(key)
    case .sendTo(let key, let text): send(text, to: key, nil)
    case .ask(let request): if canSend(request.text) { model.query(request) }
    case .find(let text, let key):
      var request = Request(.search, options: [.limit: .integer(Self.page)], text: text)
      if let key { request.options[.in] = .string(key.jid) }
      request.account = key?.accountName
      perform(.ask(request))
    case .popup(.search): say("Type /search and the text to look for.")
    case .confirm(let question, let intent):
      asked = intent
      say("\(question)? /yes does it, /no leaves it.")
    case .act(.mute): perform(slash.mute)
    case .act(let action) where [.pin, .archive].contains(action): mark(action)
    case .sendFileWords(let words): sendFiles(words)
    case .send(let text): if let open { send(text, to: open, nil) }
    case .say(let text): say(text)
    case .quit: actions.append(.quit)
    case .popup(.adding(var request)):
      request.account = open?.accountName
      perform(.request(request, "/add \(request.string(.jid) ?? "")"))
    case .popup(.room(.occupants(let room))): ask(.members, of: room)
    case .popup(.room(.menu(let room))): ask(.room, of: room)
    case .room(.list(let service)):
      perform(.ask(Request(.rooms, options: [.at: .string(service.jid)], account: service.accountName)))
    case .popup(.device(.list(let person))):
      for verb in [Verb.encrypt, .devices] where verb == .devices || !model.isOwn(person) {
        perform(.ask(Request(verb, arguments: [.jid: .string(person.jid)], account: person.accountName)))
      }
    case .ownDevices: perform(.ask(Request(.devices)))
    case .popup(.accounts): perform(.ask(Request(.status)))
    case .popup(.contacts):
      for contact in model.contacts.rows.values { say(rows.contact(contact)) }
    default: say("That is not there in the plain mode; /help lists what is.")
    }
  }

  private func ask(_ verb: Verb, of room: ConversationKey) {
    perform(.ask(Request(verb, in: room)))
  }
}

/// An event of the plain mode.
package enum PlainEvent: Equatable, Sendable {
  /// A line of the person's, without its end.
  case typed(String)
  /// Several that came at once from a terminal: nobody types like that.
  case pasted([String])
  /// Lines of the daemon's that came together.
  case lines([[UInt8]])
  case disconnected(String)
  /// Why the files of a message cannot be sent.
  case notOpened(OutgoingText.ID, String)
  /// A sentence.
  case said(String)
  case deadline
}

extension String {
  var trimmingSpaces: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
