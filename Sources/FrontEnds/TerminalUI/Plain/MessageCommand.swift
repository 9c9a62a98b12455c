import ConfabClient
import LineProtocol

/// A command of the plain mode about a message, which is named by its number.
enum MessageCommand: String, CaseIterable {
  case reply, correct, react, forward, retract, cancel, release, versions, save
  case fetchStop = "fetch-stop"

  var usage: String {
    switch self {
    case .reply, .correct: "/\(rawValue) NUMBER TEXT"
    case .react: "/react NUMBER [EMOJI ...]"
    case .forward: "/forward NUMBER NAME [TEXT]"
    case .retract, .cancel, .release, .versions: "/\(rawValue) NUMBER"
    case .save: "/save NUMBER [FILE] PATH"
    case .fetchStop: "/fetch-stop NUMBER"
    }
  }

  var sentence: String {
    switch self {
    case .reply: "Answers a message."
    case .correct: "Gives a message of mine another text."
    case .react: "Makes these my reactions to a message; without any, takes them back."
    case .forward: "Sends a message on to somebody, with a text if you like."
    case .retract: "Retracts a message of mine for everybody."
    case .cancel: "Takes back a message of mine that has not gone out."
    case .release: "Sends a message that is kept back."
    case .versions: "Says what stood in a message before each edit."
    case .save: "Saves a file of a message; of several, FILE is its number."
    case .fetchStop: "Stops fetching the files of a message."
    }
  }

  /// True if the command applies to messages of mine alone.
  var isForMine: Bool { [.correct, .retract, .cancel, .release].contains(self) }
}

extension PlainApplication {
  /// Performs the line if it is such a command; false if it is not.
  func actOnMessage(_ line: String) -> Bool {
    let words = line.dropFirst().split(separator: " ", maxSplits: 2).map(String.init)
    guard let command = words.first.flatMap(MessageCommand.init(rawValue:)) else { return false }
    let number = words.count > 1 ? Int(words[1].drop { $0 == "#" }) : nil
    let rest = words.count > 2 ? words[2] : ""
    let needsText = [.reply, .correct, .forward, .save].contains(command)
    guard let number, !needsText || !rest.isEmpty else {
      say("Type \(command.usage): each message is said with its number, as #1.")
      return true
    }
    guard let message = numbers[number] else {
      say("No message has the number \(number).")
      return true
    }
    if command.isForMine, !message.isMine {
      say("Message \(number) is not yours.")
    } else {
      act(command, number, message, rest)
    }
    return true
  }

  private func act(_ command: MessageCommand, _ number: Int, _ message: MessageNumbers.Entry, _ words: String) {
    let (key, id) = (message.key, message.id)
    switch command {
    case .reply: send(words, to: key, .reply(id, author: "", text: ""))
    case .correct: send(words, to: key, .correction(id, text: ""))
    case .react: model.react(words.split(separator: " ").map(String.init), to: id, in: key)
    case .forward: forward(id, in: key, words)
    case .retract:
      perform(.confirm(retraction(number, message), .request(request(.retract, id, key), "retract #\(number)")))
    case .cancel: perform(.request(request(.cancel, id, key), "cancel #\(number)"))
    case .release: perform(.request(request(.release, id, key), "release #\(number)"))
    case .versions: perform(.ask(request(.versions, id, key)))
    case .save: save(words, number, message)
    case .fetchStop: stopFetching(number, message)
    }
  }

  /// `Retract #11, "heron.png", for everybody`
  private func retraction(_ number: Int, _ message: MessageNumbers.Entry) -> String {
    "Retract #\(number), \"\(message.begin)\", for everybody"
  }

  private func save(_ words: String, _ number: Int, _ message: MessageNumbers.Entry) {
    switch SaveCommand(words, message.files) {
    case .file(let target, let path):
      say("Fetching \(target.file.title). /fetch-stop \(number) stops it.")
      model.fetch(target.wanted(.save(path)), in: message.key)
    case .failure(let reason): say(reason)
    }
  }

  private func stopFetching(_ number: Int, _ message: MessageNumbers.Entry) {
    let files = model.fetches.indices(of: message.id)
    guard !files.isEmpty else { return say("No file of message \(number) is being fetched.") }
    model.stopFetching(message.id, files, in: message.key)
    say("Stopped.")
  }

  private func request(_ verb: Verb, _ id: UInt64, _ key: ConversationKey) -> Request {
    var request = Request(verb, arguments: [.id: .id(id)])
    request.account = key.accountName
    return request
  }

  private func forward(_ id: UInt64, in key: ConversationKey, _ words: String) {
    let parts = words.split(separator: " ", maxSplits: 1).map(String.init)
    guard let jid = slash.key(of: parts[0])?.jid else { return say("No contact is called \(parts[0]).") }
    var request = request(.forward, id, key)
    request.arguments[.jid] = .string(jid)
    request.text = parts.dropFirst().first
    perform(.request(request, "forward to \(jid)"))
  }
}
