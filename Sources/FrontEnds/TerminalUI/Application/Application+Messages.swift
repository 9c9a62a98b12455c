import ConfabClient

/// Messages that change or go while something on the screen is about them.
extension Application {
  /// A message was changed.
  func follow(_ row: MessageRow, _ key: ConversationKey) {
    if row.details.retraction == nil { composer.follow(row, in: key) } else { letGo(row.id, key, "retracted") }
  }

  /// A message is gone: nothing shows what it said, or does something with it.
  ///
  /// - Parameter fate: what became of it, for people.
  func letGo(_ id: UInt64, _ key: ConversationKey, _ fate: String) {
    if composer.letGo(id, in: key) { say("That message was \(fate); what you write is a message of its own now.") }
    screen.popups.closeAll(about: id)
    if screen.viewer?.current.message == id { screen.viewer = nil }
    screen.surface.copyView?.forget(id)
    gate.forget(id)
  }

  /// Messages of a conversation, or of all, may have been changed or forgotten while nobody heard of it: looks at those that
  /// something on the screen is about.
  func checkMessages(of key: ConversationKey?) {
    for (own, ids) in concernedMessages where key == nil || key == own {
      for id in ids { check(id, in: own) }
    }
  }

  private func check(_ id: UInt64, in key: ConversationKey) {
    guard let window = model.windows[key], window.isLoaded, !window.isStale, let index = window.index(of: id) else {
      return model.check(id, in: key)
    }
    follow(window.rows[index], key)
  }

  /// The messages that inputs, pop-ups, the viewer and the copy view are about.
  private var concernedMessages: [ConversationKey: Set<UInt64>] {
    var messages = composer.fields.compactMapValues { $0.purpose.map { [$0.messageID] as Set } }
    if let key = screen.focused?.key {
      messages[key, default: []].formUnion(screen.popups.all.flatMap(\.kind.messages))
    }
    if let picture = screen.viewer?.current { messages[picture.conversation, default: []].insert(picture.message) }
    for (key, id) in screen.surface.copyView?.messages ?? [] { messages[key, default: []].insert(id) }
    return messages
  }
}
