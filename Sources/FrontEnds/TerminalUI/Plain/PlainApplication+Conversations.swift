import Clocks
import ConfabClient

/// Conversations are listed, opened and closed.
extension PlainApplication {
  func list() {
    guard model.conversations.isLoaded else { return say("The conversations are not here yet.") }
    let listed = model.conversations.strangersLast.filter { !$0.isArchived }
    if listed.isEmpty {
      let hasArchived = model.conversations.archivedCount > 0
      say((hasArchived ? "All conversations are archived." : "No conversation yet.") + " /open ADDRESS begins one.")
    }
    number(listed.map(\.key))
    let firstStranger = listed.firstIndex { !$0.isKnown }
    for (index, row) in listed.prefix(20).enumerated() {
      if index == firstStranger { say("People you do not know:") }
      say("\(index + 1). \(rows.conversation(row))")
    }
  }

  private func number(_ keys: [ConversationKey]) { (choice.numbered, choice.isNext) = (keys, true) }

  func next() {
    var view = ListView()
    view.update(model, UISettings(), isFrozen: false)
    guard let key = view.next(model.conversations, after: open) else { return say("Nothing is unread.") }
    show(key)
  }

  func show(_ key: ConversationKey) {
    if open != key { close() }
    spoken = SpokenConversation(key: key, day: environment.date(now.wall).dayNumber)
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
    spoken = nil
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
    for (index, key) in found.prefix(20).enumerated() { say("\(index + 1). \(who(key))") }
  }

  /// `Bob, bob@example.org`, and of several accounts which one.
  func who(_ key: ConversationKey) -> String {
    rows.person(model.name(of: key), key)
  }

  func more() {
    guard let open else { return say("Open the conversation first.") }
    guard let window = model.windows[open], let first = window.rows.first, window.hasMoreBefore else {
      return say("That was the first message.")
    }
    model.load(.before(first.id), of: open)
  }
}
