package import ConfabClient

/// A search and what it has found: newest first, more on demand.
package struct SearchResults: Equatable, Sendable {
  package let text: String
  /// nil: in all conversations.
  package let conversation: ConversationKey?
  /// Tells this search from those before it.
  package let number: Int
  package private(set) var hits: [MessageRow] = []
  package private(set) var hasMore = false
  package private(set) var isRunning = true
  /// True if its hits may have changed since: the search is repeated once it is done.
  private(set) var isOutdated = false
  /// Why it could not be done.
  package private(set) var failure: String?

  init(_ text: String, in conversation: ConversationKey?, number: Int) {
    self.text = text
    self.conversation = conversation
    self.number = number
  }

  mutating func receive(_ row: MessageRow) { if !isOutdated { hits.append(row) } }

  /// True if messages of a conversation are among the hits, or may be; nil means any conversation.
  func mayHold(_ key: ConversationKey?) -> Bool {
    guard let key else { return true }
    return isRunning ? conversation == nil || conversation == key : hits.contains { $0.conversation == key.jid }
  }

  /// Hits may be gone while the search goes on.
  mutating func expire() { (hits, isOutdated) = ([], true) }

  /// A message is another than before; what was found in a retracted one is shown no more.
  mutating func change(_ row: MessageRow) {
    guard let index = hits.firstIndex(where: { $0.id == row.id }) else { return }
    var row = row
    if row.text == hits[index].text { row.hits = hits[index].hits }
    if row.details.retraction == nil { hits[index] = row } else { hits.remove(at: index) }
  }

  mutating func finish(hasMore: Bool) {
    self.hasMore = hasMore
    isRunning = false
  }

  mutating func fail(_ reason: String) {
    failure = reason
    isRunning = false
  }

  /// Older hits are asked for.
  mutating func goOn() { isRunning = true }
}
