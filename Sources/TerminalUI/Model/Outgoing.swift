/// A message that was sent from here and that the daemon has not stored yet. Its key makes it safe to ask again after a cut.
package struct Outgoing: Equatable, Sendable, Identifiable {
  package let id: Int
  package let conversation: ConversationKey
  package let text: String
  /// The idempotency key.
  package let key: String
  /// How long it is kept back, in seconds; 0: not at all.
  package let holdSeconds: Int
}

/// What waits to be stored, in order.
package struct OutgoingQueue: Equatable, Sendable {
  package private(set) var all: [Outgoing] = []
  private var lastID = 0

  package init() {}

  mutating func add(_ text: String, to conversation: ConversationKey, key: String, holdSeconds: Int) -> Outgoing {
    lastID += 1
    let outgoing = Outgoing(
      id: lastID, conversation: conversation, text: text, key: "ui-\(key)-\(lastID)", holdSeconds: holdSeconds)
    all.append(outgoing)
    return outgoing
  }

  /// Takes out what is stored, or refused.
  mutating func take(_ id: Outgoing.ID) -> Outgoing? {
    guard let index = all.firstIndex(where: { $0.id == id }) else { return nil }
    return all.remove(at: index)
  }
}
