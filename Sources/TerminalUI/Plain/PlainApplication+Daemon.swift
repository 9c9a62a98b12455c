import Clocks

/// Events of the daemon.
extension PlainApplication {
  /// Says a line about a message, with its number, and where it stands unless that is open.
  private func say(_ line: String, _ row: MessageRow, in key: ConversationKey) {
    let place = key == open ? "" : "In \(words.name(model.conversations[key], key)): "
    say("\(place)\(line) #\(numbers.number(of: row, in: key))")
  }

  func hear(_ event: ModelEvent) {
    switch event {
    case .ready: say("Connected to the daemon.")
    case .otherLog:
      open = nil
      numbers.forgetAll()
    case .stranger(let reason), .failed(let reason): say(reason)
    case .message(let key, let row):
      if key == open || !row.isMine { say(words.message(row), row, in: key) }
    case .changed(let key, let row, let change):
      if key == open || change == .failure || numbers.isKnown(row.id) { say(words.change(row, change), row, in: key) }
    case .undelivered(let key, let reason):
      say("In \(words.name(model.conversations[key], key)): \(MessageWords.failure(reason))")
    case .takenBack: say("Taken back.")
    case .notice: actions.append(.bell)
    case .stored: break
    case .refused(let message, let reason): say("Not sent: \(reason). The text was: \(message.typed)")
    case .loaded(let purpose): loaded(purpose)
    case .fetched(let file, _): actions.append(.keep(file))
    case .draft, .found, .avatar, .current, .doubtful, .forgotten: break
    }
  }

  private func loaded(_ purpose: Questions.Purpose) {
    switch purpose {
    case .conversations(known: false, _): list()
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
