/// All conversations that are known here, by key. The order in which they are shown is the view's.
package struct ConversationList: Equatable, Sendable {
  package private(set) var rows: [ConversationKey: ConversationRow] = [:]
  /// In the order of the daemon: by recency.
  package private(set) var recency: [ConversationKey] = []
  package private(set) var hasMore = false
  package private(set) var isLoaded = false
  /// Another one for each change.
  package private(set) var generation = 0
  private var incoming: [ConversationRow] = []

  package init() {}

  package subscript(key: ConversationKey) -> ConversationRow? { rows[key] }

  package var totalUnread: Int { rows.values.reduce(0) { $0 + ($1.isArchived || $1.notify == .never ? 0 : $1.unread) } }

  package var archivedCount: Int { rows.values.count(where: \.isArchived) }

  // MARK: Pages

  mutating func receive(_ row: ConversationRow) { incoming.append(row) }

  /// The end of a page; the first one replaces all that is known.
  mutating func finish(isFirst: Bool, hasMore: Bool) {
    if isFirst { (rows, recency) = ([:], []) }
    for row in incoming {
      if rows.updateValue(row, forKey: row.key) == nil { recency.append(row.key) }
    }
    (incoming, self.hasMore, isLoaded) = ([], hasMore, true)
    generation += 1
  }

  mutating func giveUp() { incoming = [] }

  // MARK: Events

  /// A conversation that somebody opens before anything was written there.
  mutating func ensure(_ key: ConversationKey, name: String) {
    guard rows[key] == nil else { return }
    rows[key] = ConversationRow(key, name: name)
    recency.insert(key, at: 0)
    generation += 1
  }

  /// A message came or was sent.
  mutating func take(_ message: MessageRow, in key: ConversationKey) {
    ensure(key, name: message.isMine ? "" : message.nick ?? "")
    recency.removeAll { $0 == key }
    recency.insert(key, at: 0)
    change(key) { row in
      row.count += 1
      if !message.isMine { row.unread += 1 }
      if row.notify != .never { row.isArchived = false }
      if (row.last?.time).map({ $0 <= message.time }) ?? true { row.last = message }
    }
  }

  /// The daemon's word on a conversation.
  mutating func replace(_ row: ConversationRow) {
    if rows.updateValue(row, forKey: row.key) == nil { recency.insert(row.key, at: 0) }
    generation += 1
  }

  mutating func change(_ key: ConversationKey, _ body: (inout ConversationRow) -> Void) {
    guard var row = rows[key] else { return }
    body(&row)
    rows[key] = row
    generation += 1
  }
}
