package import ConfabClient

/// The list of conversations: its order, its cursor, and where it is scrolled to.
///
/// While the cursor is in the list the order stays: rows change in place, and new ones are put above what is shown, or behind
/// it if they belong there. So nothing moves under the cursor. Leaving the list, going to its first row, pinning, or a while
/// without a key sorts it anew, unless somebody has scrolled it.
package struct ListView: Equatable, Sendable {
  package private(set) var order: [ConversationKey] = []
  package private(set) var cursor: ConversationKey?
  /// The first row shown, by its index.
  package private(set) var top = 0
  /// How many rows were put above what was shown since it was sorted.
  private(set) var addedAbove = 0
  /// True if the archived conversations are shown, behind the others.
  package var showsArchive = false
  /// True if the strangers are shown, behind all others.
  package var showsStrangers = false
  /// The inputs from which the order was made.
  private var made: Made?
  /// The rows on top: a change of them is shown at once.
  private var pinned: Set<ConversationKey> = []

  private struct Made: Equatable, Sendable {
    var generation: Int
    var sorting: UISettings.Order
    var isFrozen: Bool
    var showsArchive: Bool
    var showsStrangers: Bool
  }

  package init() {}

  /// The heading above the strangers, among the conversations.
  static let strangers = ConversationKey(jid: "")

  package var isAtStrangers: Bool { cursor == Self.strangers }

  /// The conversation at the cursor.
  package var chosen: ConversationKey? { isAtStrangers ? nil : cursor }

  package var index: Int? { cursor.flatMap { order.firstIndex(of: $0) } }

  /// Takes over what the daemon knows.
  package mutating func update(_ list: ConversationList, _ sorting: UISettings.Order, isFrozen: Bool) {
    let new = Made(
      generation: list.generation, sorting: sorting, isFrozen: isFrozen, showsArchive: showsArchive,
      showsStrangers: showsStrangers)
    guard new != made else { return }
    made = new
    let known = sorted(list, sorting, known: true)
    let strangers = sorted(list, sorting, known: false)
    let heading = strangers.isEmpty ? [] : [Self.strangers]
    let pinned = Set(known.filter { list[$0]?.isPinned == true })
    defer { self.pinned = pinned }
    if isFrozen, !order.isEmpty, pinned.intersection(order) == self.pinned {
      let shown = Set(order)
      let end = known.lastIndex(where: shown.contains).map { $0 + 1 } ?? 0
      let new = known[..<end].filter { !shown.contains($0) }
      let shownKnown = kept(known) + known[end...]
      let shownStrangers = showsStrangers ? kept(strangers) + strangers.filter { !shown.contains($0) } : []
      let isBelow = index.flatMap { position in order.firstIndex(of: Self.strangers).map { position >= $0 } } ?? false
      order = new + shownKnown + heading + shownStrangers
      let added = new.count + (isBelow ? known.count - end : 0)
      (top, addedAbove) = (top + added, addedAbove + added)
    } else {
      order = known + heading + (showsStrangers ? strangers : [])
      (top, addedAbove) = (0, 0)
    }
    if cursor == nil || index == nil { cursor = order.first }
  }

  /// Keeps what is shown, in the order in which it is.
  private func kept(_ keys: [ConversationKey]) -> [ConversationKey] {
    let keys = Set(keys)
    return order.filter(keys.contains)
  }

  private func sorted(
    _ list: ConversationList, _ sorting: UISettings.Order, known isKnown: Bool
  ) -> [ConversationKey] {
    let rows = list.recency.compactMap { list[$0] }
      .filter { $0.isKnown == isKnown && (showsArchive || !$0.isArchived) }
    let ranks = rows.enumerated().map { position, row in
      let isNews = sorting == .unread && row.unread > 0 && row.notify != .never
      return (rank: row.isArchived ? 3 : row.isPinned ? 0 : isNews ? 1 : 2, position: position, key: row.key)
    }
    return ranks.sorted { ($0.rank, $0.position) < ($1.rank, $1.position) }.map(\.key)
  }

  package mutating func move(_ step: Int) {
    guard !order.isEmpty else { return }
    let position = min(max(0, (index ?? 0) + step), order.count - 1)
    cursor = order[position]
  }

  /// Scrolls so that as much is shown of what is below the cursor as there is room for.
  mutating func showBelow(height: Int) {
    top = min(index ?? 0, max(top, order.count - height))
  }

  /// True if somebody has scrolled away from the first row.
  var isScrolled: Bool { top > addedAbove }

  package mutating func select(_ key: ConversationKey) { cursor = key }

  /// Scrolls so that the cursor is shown.
  package mutating func settle(height: Int) {
    guard height > 0 else { return }
    let position = index ?? 0
    top = min(max(top, position - height + 1), position)
  }

  /// The next conversation with unread messages behind the open one, from the top again at the end; those of strangers come
  /// after all others, shown or not.
  package func nextUnread(_ list: ConversationList, after key: ConversationKey?) -> ConversationKey? {
    let start = key.flatMap { order.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
    let ring = order[min(start, order.count)...] + order[..<min(start, order.count)]
    let news = (ring + list.recency).filter { $0 != key && (list[$0]?.news ?? 0) > 0 }
    return news.first { list[$0]?.isKnown == true } ?? news.first
  }
}
