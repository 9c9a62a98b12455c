/// The list of conversations: its order, its cursor, and where it is scrolled to.
///
/// While the cursor is in the list the order stays: rows change in place, and new ones are put above what is shown. So nothing
/// moves under the cursor. Leaving the list, or going to its first row, sorts it anew.
package struct ListView: Equatable, Sendable {
  package private(set) var order: [ConversationKey] = []
  package private(set) var cursor: ConversationKey?
  /// The first row shown, by its index.
  package private(set) var top = 0
  /// Whether the archived conversations are shown, behind the others.
  package var showsArchive = false
  /// What the order was made of.
  private var made: Made?

  private struct Made: Equatable, Sendable {
    var generation: Int
    var sorting: UISettings.Order
    var isFrozen: Bool
    var showsArchive: Bool
  }

  package init() {}

  package var index: Int? { cursor.flatMap { order.firstIndex(of: $0) } }

  /// Takes over what the daemon knows.
  package mutating func update(_ list: ConversationList, _ sorting: UISettings.Order, isFrozen: Bool) {
    let new = Made(generation: list.generation, sorting: sorting, isFrozen: isFrozen, showsArchive: showsArchive)
    guard new != made else { return }
    made = new
    let sorted = Self.sorted(list, sorting, showsArchive: showsArchive)
    if isFrozen, !order.isEmpty {
      let shown = Set(order)
      let new = sorted.filter { !shown.contains($0) }
      let known = Set(sorted)
      order = new + order.filter(known.contains)
      top += new.count
    } else {
      order = sorted
      top = 0
    }
    if cursor == nil || index == nil { cursor = order.first }
  }

  private static func sorted(
    _ list: ConversationList, _ sorting: UISettings.Order, showsArchive: Bool
  ) -> [ConversationKey] {
    let rows = list.recency.compactMap { list[$0] }.filter { showsArchive || !$0.isArchived }
    let ranks = rows.enumerated().map { place, row in
      let isNews = sorting == .unread && row.unread > 0 && row.notify != .never
      return (rank: row.isArchived ? 3 : row.isPinned ? 0 : isNews ? 1 : 2, place: place, key: row.key)
    }
    return ranks.sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }.map(\.key)
  }

  package mutating func move(_ step: Int) {
    guard !order.isEmpty else { return }
    let place = min(max(0, (index ?? 0) + step), order.count - 1)
    cursor = order[place]
  }

  package mutating func select(_ key: ConversationKey) { cursor = key }

  /// Scrolls so that the cursor is shown.
  package mutating func settle(height: Int) {
    guard height > 0 else { return }
    let place = index ?? 0
    top = min(max(top, place - height + 1), place)
  }

  /// The next conversation with unread messages behind the open one, from the top again at the end.
  package func nextUnread(_ list: ConversationList, after key: ConversationKey?) -> ConversationKey? {
    let start = key.flatMap { order.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
    let ring = order[min(start, order.count)...] + order[..<min(start, order.count)]
    return ring.first { candidate in
      guard let row = list[candidate], candidate != key else { return false }
      return row.unread > 0 && row.notify != .never && !row.isArchived
    }
  }
}
