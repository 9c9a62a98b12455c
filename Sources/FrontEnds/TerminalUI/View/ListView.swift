package import ConfabClient

/// The list of conversations: its order, its cursor, and where it is scrolled to.
///
/// While the cursor is in the list the order stays: rows change in place, and new ones are put above what is shown, or behind
/// it if they belong there. So nothing moves under the cursor. Leaving the list, going to its first row, pinning, or a while
/// without a key sorts it anew, unless somebody has scrolled it.
package struct ListView: Equatable, Sendable {
  package private(set) var order: [ListItem] = []
  package private(set) var cursor: ListItem?
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
  private var pinned: Set<ListItem> = []

  private struct Made: Equatable, Sendable {
    var generations: [Int]
    var sorting: UISettings.Order
    var roomsApart: Bool
    var isFrozen: Bool
    var showsArchive: Bool
    var showsStrangers: Bool
  }

  package init() {}

  package var isAtStrangers: Bool { cursor == .strangers }

  /// The conversation at the cursor.
  package var chosen: ConversationKey? { cursor?.key }

  /// How many rows above what is shown wait for an answer.
  var waitingAbove: Int { order.prefix(top).count(where: \.waitsForAnswer) }

  package var index: Int? { cursor.flatMap { order.firstIndex(of: $0) } }

  /// Takes over what the daemon knows.
  package mutating func update(_ model: SocketModel, _ settings: UISettings, isFrozen: Bool) {
    let list = model.conversations
    let new = Made(
      generations: [list.generation, model.rooms.generation], sorting: settings.order,
      roomsApart: settings.rooms == .apart, isFrozen: isFrozen, showsArchive: showsArchive,
      showsStrangers: showsStrangers)
    guard new != made else { return }
    made = new
    let sorted = ListOrder(
      conversations: list, rooms: model.rooms, sorting: settings.order, showsArchive: showsArchive)
    let (known, strangers) = (sorted.known(roomsApart: new.roomsApart), sorted.strangers)
    let heading: [ListItem] = strangers.isEmpty ? [] : [.strangers]
    let pinned = Set(known.filter { $0.key.flatMap { list[$0]?.isPinned } == true })
    defer { self.pinned = pinned }
    if isFrozen, !order.isEmpty, pinned.intersection(order) == self.pinned {
      add(known, heading, strangers)
    } else {
      order = known + heading + (showsStrangers ? strangers : [])
      (top, addedAbove) = (0, 0)
    }
    if cursor == nil || index == nil { cursor = order.first }
  }

  /// Adds new rows around those that stay where they are.
  private mutating func add(_ known: [ListItem], _ heading: [ListItem], _ strangers: [ListItem]) {
    let shown = Set(order)
    let end = known.lastIndex(where: shown.contains).map { $0 + 1 } ?? 0
    let new = known[..<end].filter { !shown.contains($0) }
    let shownKnown = kept(known) + known[end...]
    let shownStrangers = showsStrangers ? kept(strangers) + strangers.filter { !shown.contains($0) } : []
    let isBelow = index.flatMap { position in order.firstIndex(of: .strangers).map { position >= $0 } } ?? false
    order = new + shownKnown + heading + shownStrangers
    let added = new.count + (isBelow ? known.count - end : 0)
    (top, addedAbove) = (top + added, addedAbove + added)
  }

  /// Keeps what is shown, in the order in which it is.
  private func kept(_ items: [ListItem]) -> [ListItem] {
    let items = Set(items)
    return order.filter(items.contains)
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

  package mutating func select(_ item: ListItem) { cursor = item }
  package mutating func select(_ key: ConversationKey) { cursor = .conversation(key) }

  /// Scrolls so that the cursor is shown.
  package mutating func settle(height: Int) {
    guard height > 0 else { return }
    let position = index ?? 0
    top = min(max(top, position - height + 1), position)
  }

  /// The next conversation with something new behind the open one, from the top again at the end; those of strangers come
  /// after all others, shown or not.
  ///
  /// - Parameter count: how much of a conversation is new.
  package func next(
    _ list: ConversationList, after key: ConversationKey?, with count: (ConversationRow) -> Int = \.news
  ) -> ConversationKey? {
    let keys = order.compactMap(\.key)
    let start = key.flatMap { keys.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
    let ring = keys[min(start, keys.count)...] + keys[..<min(start, keys.count)]
    let news = (ring + list.recency).filter { $0 != key && list[$0].map(count) ?? 0 > 0 }
    return news.first { list[$0]?.isKnown == true } ?? news.first
  }
}
