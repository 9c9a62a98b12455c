import Clocks

/// Conversations are listed, opened and closed.
extension PlainApplication {
  func list() {
    guard model.conversations.isLoaded else { return say("The conversations are not here yet.") }
    let rows = model.conversations.strangersLast.filter { !$0.isArchived }
    if rows.isEmpty {
      let hasArchived = model.conversations.archivedCount > 0
      say((hasArchived ? "All conversations are archived." : "No conversation yet.") + " /open ADDRESS begins one.")
    }
    number(rows.map(\.key))
    let firstStranger = rows.firstIndex { !$0.isKnown }
    for (place, row) in rows.prefix(20).enumerated() {
      if place == firstStranger { say("People you do not know:") }
      say("\(place + 1). \(answerWords.conversation(row))")
    }
  }

  private func number(_ keys: [ConversationKey]) { (choice.numbered, choice.isNext) = (keys, true) }

  func next() {
    var view = ListView()
    view.update(model.conversations, .unread, isFrozen: false)
    guard let key = view.nextUnread(model.conversations, after: open) else { return say("Nothing is unread.") }
    show(key)
  }

  func show(_ key: ConversationKey) {
    if open != key { close() }
    talk = PlainTalk(key: key, day: words.date(now.wall).dayNumber)
    choice.isMissed = false
    say("Conversation with \(who(key)).")
    model.open(key)
  }

  /// Pins or archives the open conversation, or takes that back.
  func mark(_ action: UserAction) {
    guard let open else { return say("Open a conversation first: /open ADDRESS.") }
    let actions = ConversationActions(key: open, row: model.conversations[open], unreadFrom: nil)
    if let intent = actions.intent(action) { perform(intent) }
  }

  func close() {
    if let open { model.close(open) }
    talk = nil
  }

  /// Opens the conversation that is called so. If none is, or several are, none is open any more: what is typed next was
  /// written for that one.
  func openNamed(_ name: String) {
    if let key = Int(name).flatMap({ choice[$0] }) { return show(key) }
    let found = name.contains("@") ? [] : slash.book.matching(name)
    if let key = found.isEmpty ? slash.key(of: name) : found.count == 1 ? found[0] : nil { return show(key) }
    if found.isEmpty, Self.isCommand(name) { return say("Nobody is called “\(name)”. The command is /\(name).") }
    close()
    choice.isMissed = true
    say("\(found.isEmpty ? "Nobody is" : "\(found.count) people are") called “\(name)”. No conversation is open.")
    guard !found.isEmpty else { return }
    number(found)
    for (place, key) in found.prefix(20).enumerated() { say("\(place + 1). \(who(key))") }
  }

  /// `Bob, bob@example.org`, and of several accounts which one.
  func who(_ key: ConversationKey) -> String {
    let who = AnswerWords.who(model.name(of: key), key.jid)
    return model.accounts.count > 1 ? "\(who), account \(key.account)" : who
  }

  func more() {
    guard let open else { return say("Open the conversation first.") }
    guard let window = model.windows[open], let first = window.rows.first, window.hasMoreBefore else {
      return say("That was the first message.")
    }
    model.load(.before(first.id), of: open)
  }
}
