package import ConfabClient

/// The pane of an open conversation: where it is scrolled to, what is selected and unfolded.
package struct ConversationView: Equatable, Sendable {
  package let key: ConversationKey
  package private(set) var anchor = ScrollAnchor.end
  /// The rows that were shown last.
  package private(set) var visible = VisibleRows.none
  /// The message that the next action concerns.
  package private(set) var selected: UInt64? {
    didSet { if selected != oldValue { link = nil } }
  }
  /// The link, mention or topic of the selected message that Enter concerns.
  private var link: TextTarget?
  /// Messages that are shown whole though they are long.
  package private(set) var unfolded: Set<UInt64> = []
  /// The message above which the unread line is; it stays while the conversation is open.
  package private(set) var unreadFrom: UInt64?
  /// How many were unread there.
  private(set) var unreadCount = 0
  /// True if the end was in sight since.
  private var hasSeenUnread = false
  /// Messages that came while the end was out of sight.
  package private(set) var newBelow = 0
  /// The message to scroll to once its rows are loaded.
  private var target: Target?
  /// The pane's position before it was moved elsewhere; nil if it was not moved.
  private(set) var origin: ScrollAnchor?
  /// True if the first unread message that names me is to be shown once its rows are here.
  var seeksMention = false
  /// The message that the pane has just gone to.
  private var arrived: UInt64?

  private enum Target: Equatable, Sendable {
    case message(UInt64)
    /// The message after this one, or the end.
    case behind(UInt64)
    case anchor(ScrollAnchor)
    /// The first message behind the one that was read last.
    case unread(UInt64)
    case first
    case end
  }

  package init(_ key: ConversationKey) {
    self.key = key
  }

  // MARK: Going somewhere

  /// Opens at the first unread message, or at the end.
  package mutating func start(_ row: ConversationRow?) -> PageRequest {
    guard let row, row.unread > 0 else {
      target = .end
      return .newest
    }
    target = .unread(row.read)
    unreadCount = row.unread
    return row.read > 0 ? .around(row.read) : .row(0)
  }

  /// The page that the pane waits for; nil: none.
  var awaitedPage: PageRequest? {
    switch target {
    case .end: .newest
    case .first: .row(0)
    case .message(let id), .behind(let id): .around(id)
    case .anchor(let anchor): .around(anchor.item)
    case .unread(let read): read > 0 ? .around(read) : .row(0)
    case nil: nil
    }
  }

  package mutating func go(to id: UInt64) -> PageRequest {
    noteOrigin()
    target = .message(id)
    return .around(id)
  }

  /// To the message after this one.
  mutating func go(behind id: UInt64) -> PageRequest {
    noteOrigin()
    target = .behind(id)
    return .around(id)
  }

  package mutating func goToStart() -> PageRequest {
    noteOrigin()
    target = .first
    return .row(0)
  }

  /// A walk over several messages, as the hits of a search, has one origin.
  private mutating func noteOrigin() {
    guard origin == nil || selected == nil else { return }
    origin = visible == .none ? .end : anchor
  }

  /// To the origin; nil if it is held already.
  mutating func goBack(_ window: RowWindow) -> PageRequest? {
    guard let saved = origin.take() else { return nil }
    guard !saved.follows else { return goToEnd(window) }
    (anchor, selected) = (saved, nil)
    guard window.index(of: saved.item) == nil else { return nil }
    target = .anchor(saved)
    return .around(saved.item)
  }

  /// To the end; nil if it is held already.
  package mutating func goToEnd(_ window: RowWindow) -> PageRequest? {
    anchor = .end
    newBelow = 0
    selected = nil
    guard window.hasMoreAfter else { return nil }
    target = .end
    return .newest
  }

  /// The rows that were asked for are here.
  package mutating func arrive(_ window: RowWindow) {
    guard let target else { return }
    self.target = nil
    switch target {
    case .end: anchor = .end
    case .first: anchor = window.rows.first.map { ScrollAnchor(item: $0.id, follows: false) } ?? .end
    case .message(let id): arrive(at: id)
    case .behind(let id):
      guard let next = window.index(of: id).map({ $0 + 1 }), window.rows.indices.contains(next) else {
        return anchor = .end
      }
      arrive(at: window.rows[next].id)
    case .anchor(let saved): anchor = saved
    case .unread(let read):
      let start = window.index(of: read).map { $0 + 1 } ?? window.rows.firstIndex { $0.id > read } ?? 0
      let isUnread = { (row: MessageRow) in !row.isMine && !row.isHistory && row.id > read }
      // A late message stands above what was read, perhaps above the window.
      let row = window.rows[start...].first(where: isUnread) ?? window.rows.last(where: isUnread)
      unreadFrom = (row ?? window.rows[start...].first { !$0.isMine })?.id
      let first = unreadFrom ?? (read == 0 ? window.rows.first?.id : nil)
      anchor = first.map { ScrollAnchor(item: $0, follows: false) } ?? .end
    }
    seekMention(window)
  }

  private mutating func seekMention(_ window: RowWindow) {
    guard seeksMention else { return }
    seeksMention = false
    let start = unreadFrom.flatMap(window.index(of:)) ?? 0
    let row = window.rows[start...].first(where: \.isMention) ?? window.rows.last(where: \.isMention)
    if let row { arrive(at: row.id) }
  }

  private mutating func arrive(at id: UInt64) {
    anchor = ScrollAnchor(item: id, follows: false)
    (selected, arrived) = (id, id)
  }

  /// The message that the pane has just gone to, once.
  mutating func takeArrival() -> UInt64? { arrived.take() }

  /// Puts a line of a message into the upper part of the pane.
  mutating func place(_ id: UInt64, line: Int, height: Int) {
    anchor = ScrollAnchor(item: id, line: max(0, line - height / 3), follows: false)
  }

  // MARK: Showing

  /// Finds what is shown, and keeps the anchor true.
  package mutating func settle(_ window: RowWindow, _ geometry: RowGeometry) {
    guard geometry.count > 0, geometry.height > 0 else { return visible = .none }
    let index = anchor.follows ? nil : window.index(of: anchor.item)
    if let index, let rows = geometry.from(index, line: anchor.line) {
      visible = rows
      if selected == nil { noteEnd(window, geometry) }
    } else if let index, window.hasMoreAfter {
      // The rows behind are on their way.
      visible = VisibleRows(top: index, line: 0, range: index..<geometry.count)
    } else {
      visible = geometry.fromEnd()
      anchor.follows = !window.hasMoreAfter
    }
    note(window)
  }

  /// The anchor is the message at the top, whatever brought it there.
  private mutating func note(_ window: RowWindow) {
    if window.rows.indices.contains(visible.top) { anchor.item = window.rows[visible.top].id }
    anchor.line = visible.line
    let below = window.count - window.firstRow - min(visible.range.upperBound, window.rows.count)
    newBelow = anchor.follows ? 0 : min(newBelow, max(0, below))
    if anchor.follows { hasSeenUnread = true }
  }

  /// At the end the pane goes along with what comes.
  private mutating func noteEnd(_ window: RowWindow, _ geometry: RowGeometry) {
    let end = geometry.fromEnd()
    anchor.follows = !window.hasMoreAfter && (visible.top, visible.line) == (end.top, end.line)
  }

  package mutating func scroll(_ lines: Int, _ window: RowWindow, _ geometry: RowGeometry) {
    guard geometry.count > 0, geometry.height > 0 else { return }
    visible = geometry.moved(visible, by: lines)
    noteEnd(window, geometry)
    note(window)
    if let selected, window.index(of: selected).map(visible.range.contains) != true { deselect() }
  }

  /// A message of somebody else came: while the end is out of sight it is counted, and the first one gets the unread line.
  package mutating func take(new id: UInt64) {
    guard !anchor.follows else { return }
    newBelow += 1
    if unreadFrom == nil || hasSeenUnread { (unreadFrom, unreadCount, hasSeenUnread) = (id, 0, false) }
    unreadCount += 1
  }

  // MARK: Selecting

  /// Selects the message above or below the selected one; without one, the lowest that is shown.
  package mutating func select(_ step: Int, _ window: RowWindow) {
    let rows = window.rows
    guard !rows.isEmpty else { return }
    let last = min(visible.range.upperBound, rows.count) - 1
    let index = selected.flatMap(window.index(of:)).map { $0 + step } ?? last
    guard index < rows.count else { return selected = nil }
    let chosen = rows.indices.contains(index) ? Self.message(from: index, step, rows) : 0
    selected = rows[chosen].id
    // A selection holds the pane: what comes moves nothing.
    anchor.follows = false
    if chosen < visible.top || chosen == visible.top && visible.line > 0 {
      anchor = ScrollAnchor(item: rows[chosen].id, follows: false)
    } else if chosen >= visible.range.upperBound - 1, chosen < rows.count - 1 {
      anchor = ScrollAnchor(item: rows[min(visible.top + 1, chosen)].id, follows: false)
    }
  }

  /// The index of the next message from this one on: comings and goings are skipped, as far as messages follow.
  private static func message(from index: Int, _ step: Int, _ rows: [MessageRow]) -> Int {
    var index = index
    while rows[index].isEvent, rows.indices.contains(index + step) { index += step }
    return index
  }

  /// Selects the link, mention or topic above or below the selected one, or message; without one, the lowest or highest that is
  /// shown. At the end of what is held it goes there, so that more comes.
  ///
  /// - Returns: the target; nil if there is none among the rows that are held.
  mutating func selectTarget(_ step: Int, _ window: RowWindow) -> TextTarget? {
    let current = selectedTarget(window)
    let shown = visible.range.clamped(to: 0..<window.rows.count)
    let edge = step < 0 ? shown.upperBound - 1 : shown.lowerBound
    let start = current.flatMap { window.index(of: $0.message) } ?? selected.flatMap(window.index(of:)) ?? edge
    for index in stride(from: start, to: step < 0 ? -1 : window.rows.count, by: step) {
      var targets = window.rows[index].targets(in: key)
      if step < 0 { targets.reverse() }
      if let current, index == start { targets = Array(targets.drop { $0 != current }.dropFirst()) }
      guard let next = targets.first else { continue }
      (selected, link, arrived) = (next.message, next, next.message)
      if !shown.contains(index) || index == visible.top && visible.line > 0 {
        anchor = ScrollAnchor(item: next.message, follows: false)
      }
      return next
    }
    if step < 0, let first = window.rows.first { anchor = ScrollAnchor(item: first.id, follows: false) }
    return nil
  }

  /// The link, mention or topic that is selected, if its message still has it.
  func selectedTarget(_ window: RowWindow) -> TextTarget? {
    guard let link, let index = window.index(of: link.message) else { return nil }
    return window.rows[index].targets(in: key).contains(link) ? link : nil
  }

  package mutating func choose(_ id: UInt64) {
    selected = selected == id ? nil : id
    if selected != nil { anchor.follows = false }
  }

  package mutating func deselect() { selected = nil }

  mutating func unfold(_ id: UInt64) { unfolded.insert(id) }

  package mutating func toggleFold(_ id: UInt64) {
    if unfolded.remove(id) == nil { unfolded.insert(id) }
  }

  /// The unread line goes when everything was answered.
  package mutating func forgetUnread() { unreadFrom = nil }
}
