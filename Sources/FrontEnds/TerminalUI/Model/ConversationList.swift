package import ConfabClient

/// All conversations that are known here, by key. The order in which they are shown is the view's.
package struct ConversationList: Equatable, Sendable {
  package private(set) var rows: [ConversationKey: ConversationRow] = [:]
  /// In the order of the daemon: by recency.
  package private(set) var recency: [ConversationKey] = []
  /// True if the daemon has more conversations with people whom I know than are loaded; `hasMoreStrangers` is the same
  /// for strangers.
  package private(set) var hasMore = false
  package private(set) var hasMoreStrangers = false
  package private(set) var isLoaded = false
  /// Another one for each change.
  package private(set) var generation = 0
  private var incoming: [ConversationRow] = []

  package init() {}

  package subscript(key: ConversationKey) -> ConversationRow? { rows[key] }

  /// The number of unread messages from people whom I know.
  package var totalUnread: Int { rows.values.reduce(0) { $0 + ($1.isKnown ? $1.news : 0) } }

  package var archivedCount: Int { rows.values.count(where: \.isArchived) }

  /// How many strangers are here, and how much of theirs is unread.
  package var strangers: (count: Int, unread: Int) {
    rows.values.reduce((0, 0)) { $1.isKnown || $1.isArchived ? $0 : ($0.0 + 1, $0.1 + $1.news) }
  }

  /// All, by recency: people whom I know first, then strangers.
  var strangersLast: [ConversationRow] {
    let all = recency.compactMap { rows[$0] }
    return all.filter(\.isKnown) + all.filter { !$0.isKnown }
  }

  /// The last one of people whom I know, or of strangers, in the order of the daemon, by an address that only one account
  /// has: the daemon goes on behind an address.
  func last(known isKnown: Bool) -> ConversationKey? {
    let accounts = recency.reduce(into: [:]) { $0[$1.jid, default: 0] += 1 }
    return recency.last { rows[$0]?.isKnown == isKnown && accounts[$0.jid] == 1 }
  }

  mutating func removeAll() {
    let generation = generation
    self = ConversationList()
    self.generation = generation + 1
  }

  // MARK: Pages

  mutating func receive(_ row: ConversationRow) { incoming.append(row) }

  /// The end of a page of people whom I know, or of strangers; the first one replaces all of them.
  mutating func finish(known isKnown: Bool, isFirst: Bool, hasMore: Bool) {
    if isFirst {
      rows = rows.filter { $0.value.isKnown != isKnown }
      recency.removeAll { rows[$0] == nil }
    }
    for row in incoming {
      if rows.updateValue(row, forKey: row.key) == nil { recency.append(row.key) }
    }
    incoming = []
    if isKnown { (self.hasMore, isLoaded) = (hasMore, true) } else { hasMoreStrangers = hasMore }
    generation += 1
  }

  /// The end of the newest of people whom I know: some may have been taken for strangers.
  mutating func finishNewest() {
    for row in incoming { replace(row) }
    incoming = []
  }

  mutating func giveUp() { incoming = [] }

  // MARK: Events

  /// A conversation that somebody opens before anything was written there.
  mutating func ensure(_ key: ConversationKey, name: String, isKnown: Bool = true, isLast: Bool = false) {
    guard rows[key] == nil else { return }
    rows[key] = ConversationRow(key, name: name)
    rows[key]?.isKnown = isKnown
    recency.insert(key, at: isLast ? recency.count : 0)
    generation += 1
  }

  /// A message came or was sent: to whom I write, I know.
  ///
  /// - Parameters:
  ///   - isKnown: whether the roster has who wrote.
  ///   - name: that of the contact; empty if there is none.
  mutating func take(_ message: MessageRow, in key: ConversationKey, isKnown: Bool, name: String) {
    let nick = message.isMine || message.nameDoubt == .claimed ? "" : message.nick ?? ""
    ensure(key, name: name.isEmpty ? nick : name, isKnown: isKnown)
    recency.removeAll { $0 == key }
    recency.insert(key, at: 0)
    change(key) { row in
      row.count += 1
      row.isKnown = row.isKnown || message.isMine
      if !message.isMine { row.unread += 1 }
      if message.isMention { row.mentions += 1 }
      if row.notify != .never { row.isArchived = false }
      if (row.last?.time).map({ $0 <= message.time }) ?? true { row.last = message }
    }
  }

  /// Somebody came or went: that is no news.
  mutating func countEvent(in key: ConversationKey) { change(key) { $0.count += 1 } }

  mutating func setUnread(_ count: Int, mentions: Int, of key: ConversationKey) {
    change(key) { ($0.unread, $0.mentions) = (count, mentions) }
  }

  /// Sets the number of messages; with 0, nothing of them is shown.
  mutating func setCount(_ count: Int, of key: ConversationKey) {
    change(key) { row in
      row.count = count
      if count == 0 { (row.last, row.unread, row.mentions, row.read) = (nil, 0, 0, 0) }
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
