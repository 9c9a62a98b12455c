import Clocks

/// The `limit` newest conversations of those that it is shown.
package struct NewestConversations {
  private let limit: Int
  private var list: [(newest: Conversation.Place, conversation: Conversation)] = []
  /// What none that stands before it is wanted of; nil: there are too few yet.
  private var oldest: Conversation.Place?

  package init(_ limit: Int) { self.limit = limit }

  /// Nothing as old as that is wanted.
  func isBeyond(_ time: Timestamp) -> Bool { limit == 0 || oldest.map { time < $0.time } ?? false }

  package mutating func insert(_ conversation: Conversation) {
    guard let newest = conversation.newest, oldest.map({ Conversation.precedes($0, newest) }) ?? (limit > 0) else {
      return
    }
    list.append((newest, conversation))
    guard list.count >= 2 * limit else { return }
    sort()
    list.removeSubrange(limit...)
    oldest = list.last?.newest
  }

  /// The newest first.
  package mutating func sorted() -> [Conversation] {
    sort()
    return list.prefix(limit).map(\.conversation)
  }

  private mutating func sort() { list.sort { Conversation.precedes($1.newest, $0.newest) } }
}
