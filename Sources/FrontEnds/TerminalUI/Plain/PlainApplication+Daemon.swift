import Clocks
import ConfabClient

/// Events of the daemon.
extension PlainApplication {
  /// Messages of one conversation that are said one by one if they come together.
  private static let mostAtOnce = 5

  /// Hears what came together. Many messages of a conversation that is not open are counted, and not said.
  func hear(_ events: [ModelEvent]) {
    var counts: [ConversationKey: Int] = [:]
    for case .message(let key, let row) in events where !row.isMine && key != open { counts[key, default: 0] += 1 }
    counts = counts.filter { $0.value > Self.mostAtOnce }
    for event in events {
      if case .message(let key, _) = event, counts[key] != nil { continue }
      hear(event)
    }
    for (key, count) in counts.sorted(by: { $0.key.jid < $1.key.jid }) { say("\(count) new from \(who(key)).") }
  }

  func hear(_ event: ModelEvent) {
    switch event {
    case .ready: say("Connected to the daemon.")
    case .otherLog:
      spoken = nil
      numbers.forgetAll()
    case .ownersKnown: break
    case .otherOwners(let old, let new):
      let open = open.flatMap { old.key($0, among: new) }
      numbers.forgetAll()
      (spoken, choice) = (nil, PlainChoice())
      choice.isMissed = open == nil
      say("The accounts were changed.")
      if let open { show(open) }
    case .stranger(let reason), .failed(let reason): say(reason)
    case .message(let key, let row):
      if key == open { sayNew([row], in: key) } else if !row.isMine { sayElsewhere(row, in: key) }
    case .changed(let key, let row, let change):
      if key == open || change == .failure || numbers.isKnown(row.id) { say(words(row, change), row, in: key) }
    case .undelivered(let key, let reason): say("In \(who(key)): \(MessageRow.failureWords(reason))")
    case .takenBack: say("Taken back.")
    case .notice: if !actions.contains(.bell) { actions.append(.bell) }
    case .stored: break
    case .refused(let message, let reason): say("Not sent: \(reason). The text was: \(message.typed)")
    case .loaded(let purpose): loaded(purpose)
    case .fetched(let file, _): actions.append(.keep(file))
    case .invited(let key, let person, let reason): say(model.invitationWords(key, by: person, reason))
    case .roomChanged(let key), .removed(let key):
      if key == open, let room = model.rooms[key] { say("\(who(key)): \(room.stateWords).") }
    case .notJoined(let key, let reason): say("\(who(key)): \(reason)")
    case .askedToSpeak(let key, let nick): say(model.voiceRequestWords(key, nick))
    case .device(_, let sentence): say("\(sentence) /devices ADDRESS lists the devices.")
    case .asked(let contact): say(rows.contact(contact))
    case .accepted(let contact): say(model.acceptedWords(contact.key))
    case .draft, .found, .avatar, .current, .doubtful, .forgotten: break
    }
  }

  private func loaded(_ purpose: SocketQuestions.Purpose) {
    switch purpose {
    case .conversations(known: false, _): if open == nil { list() }
    case .rows(let key, let page, _): say(page, of: key)
    case .answer: for line in rows.lines(ofAnswer: model.answer) { say(line) }
    case .command(let label): say("Done: \(label).")
    default: break
    }
  }

  // MARK: Messages

  /// Says a page of messages that came.
  private func say(_ page: PageRequest, of key: ConversationKey) {
    guard let spoken, spoken.key == key, let window = model.windows[key] else { return }
    if case .before(let id) = page {
      var day: Int64?
      return say(window.rows.prefix { $0.id != id }, in: key, &day)
    }
    guard !spoken.isSaid else { return sayNew(window.rows.filter { !numbers.isKnown($0.id) }, in: key) }
    self.spoken?.isSaid = true
    let unread = model.conversations[key]?.unread ?? 0
    let count = window.count == 1 ? "1 message" : "\(window.count) messages"
    say(window.count == 0 ? "No messages yet." : unread > 0 ? "\(count), \(unread) unread." : "\(count).")
    var day: Int64?
    say(window.rows, in: key, &day, unread: window.rows.filter { !$0.isMine }.suffix(unread).first?.id)
    if let day { self.spoken?.day = day }
  }

  /// Says messages behind those that were said in the open conversation.
  private func sayNew(_ rows: [MessageRow], in key: ConversationKey) {
    var day = spoken?.day
    say(rows, in: key, &day)
    if let day { spoken?.day = day }
  }

  /// - Parameters:
  ///   - day: that of the message before; nil: none was said.
  ///   - unread: the first message that is unread.
  private func say(
    _ rows: some Sequence<MessageRow>, in key: ConversationKey, _ day: inout Int64?, unread: UInt64? = nil
  ) {
    for row in rows {
      let date = environment.date(row.time)
      if date.dayNumber != day { say(clock.day(row.time) + ":") }
      day = date.dayNumber
      if row.id == unread { say("Unread from here:") }
      say(said(row), row, in: key)
    }
  }

  /// The contact's name is in front, so an author with this name is not said again.
  private func sayElsewhere(_ row: MessageRow, in key: ConversationKey) {
    let isToday = environment.date(row.time).dayNumber == environment.date(now.wall).dayNumber
    let time = isToday ? clock.minute(row.time) : clock.stamp(row.time)
    say(messages.spoken(row, at: time, besides: [model.name(of: key), key.jid]), row, in: key)
  }

  /// Says a line about a message, with its number, and with its conversation unless that is open.
  private func say(_ line: String, _ row: MessageRow, in key: ConversationKey) {
    let conversation = key == open ? "" : "In \(who(key)): "
    say("\(conversation)\(line) #\(numbers.number(of: row, in: key))")
  }
}

// MARK: - Formats

/// Lines as the command line writes them, in words.
extension PlainApplication {
  var rows: RowFormat {
    var rows = RowFormat(environment.words, date: environment.date, now: now.wall, presence: model.presenceWords)
    rows.messages.saysQueued = model.accounts.contains { $0.state != "online" }
    return rows
  }

  private var messages: MessageFormat { rows.messages }

  private var clock: LocalClock { messages.clock }

  private func said(_ row: MessageRow) -> String { messages.spoken(row, at: clock.minute(row.time)) }

  /// A message after it was changed.
  private func words(_ row: MessageRow, _ change: RowChange) -> String {
    let reactions = messages.reactions(to: row)
    let begin = messages.said(row, limit: 60)
    return switch change {
    case .edit where row.details.edited == nil: "As it was before: " + said(row)
    case .edit: "Edited: " + said(row)
    case .retraction: begin
    case .failure: "\(row.failureWords()) It said: \(MessageNumbers.short(row.preview))"
    case .reaction where reactions.isEmpty: "No reactions any more to \(begin)"
    case .reaction: "To \(begin), \(reactions)"
    }
  }
}
