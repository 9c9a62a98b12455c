package import ConfabClient

/// The rows of a conversation that are asked for.
package enum PageRequest: Equatable, Sendable {
  case newest
  case around(UInt64)
  case before(UInt64)
  case after(UInt64)
  /// From 0 at the oldest.
  case row(Int)
}

/// The rows of a conversation that are held: those on the screen and a screenful around them, without holes.
///
/// Rows come by pages while somebody scrolls, and go at the far end. A message that is late, or moved sections, makes the
/// window `isStale`: it is asked for again, and what is shown stays until the answer replaces it.
package struct RowWindow: Equatable, Sendable {
  /// In the order of the conversation.
  package private(set) var rows: [MessageRow] = []
  /// The number of messages in the whole conversation.
  package private(set) var count = 0
  /// The row number of `rows[0]` among them.
  package private(set) var firstRow = 0
  package private(set) var hasMoreBefore = false
  package private(set) var hasMoreAfter = false
  /// True once a page has come.
  package private(set) var isLoaded = false
  package private(set) var isStale = false
  /// The page that is asked for; one at a time.
  package private(set) var asked: PageRequest?
  /// Counts what was asked, so that an older answer is recognised.
  package private(set) var number = 0
  /// The rows of the page that is coming in.
  private var incoming: [MessageRow] = []

  package init() {}

  /// The index of a row by its id.
  package func index(of id: UInt64) -> Int? { rows.firstIndex { $0.id == id } }

  // MARK: Pages

  /// A page is asked for.
  package mutating func ask(_ page: PageRequest) {
    asked = page
    number += 1
    incoming = []
  }

  /// A row of the page that was asked for last.
  package mutating func receive(_ row: MessageRow) { incoming.append(row) }

  /// The end of the page: its final line.
  package mutating func finish(count: Int, firstRow: Int, moreBefore: Bool, moreAfter: Bool) {
    guard let page = asked else { return }
    asked = nil
    isLoaded = true
    self.count = count
    switch page {
    case .before where !incoming.isEmpty || !rows.isEmpty:
      rows.insert(contentsOf: incoming, at: 0)
      self.firstRow = incoming.isEmpty ? self.firstRow : firstRow
      // An archive that gives nothing now is not asked again at once.
      hasMoreBefore = moreBefore && !incoming.isEmpty
    case .after where !rows.isEmpty:
      rows += incoming
      hasMoreAfter = moreAfter
    default:
      (rows, self.firstRow) = (incoming, firstRow)
      (hasMoreBefore, hasMoreAfter) = (moreBefore, moreAfter)
      isStale = false
    }
    incoming = []
  }

  /// The daemon did not answer the page, or refused it.
  package mutating func giveUp() {
    asked = nil
    incoming = []
  }

  /// All has to be asked again: the connection is new.
  package mutating func expire() {
    giveUp()
    isStale = isLoaded
  }

  /// Keeps `keep` rows before and behind the visible ones; what is dropped can be asked for again.
  package mutating func trim(around visible: Range<Int>, keep: Int) {
    guard asked == nil else { return }
    let upper = min(rows.count, visible.upperBound + keep)
    if upper < rows.count {
      rows.removeSubrange(upper...)
      hasMoreAfter = true
    }
    let lower = max(0, min(visible.lowerBound - keep, rows.count))
    guard lower > 0 else { return }
    rows.removeSubrange(..<lower)
    firstRow += lower
    hasMoreBefore = true
  }

  // MARK: Events

  /// A new message: at the end, where it usually belongs, or somewhere before, which the daemon knows.
  package mutating func append(_ row: MessageRow) {
    if asked != nil { isStale = isLoaded }
    guard index(of: row.id) == nil else { return change(row) }
    count += 1
    guard isLoaded, !hasMoreAfter else { return }
    if let last = rows.last, row.time < last.time {
      isStale = true
    } else {
      rows.append(row)
    }
  }

  /// A message is another than before.
  package mutating func change(_ row: MessageRow) {
    if let index = index(of: row.id) { rows[index] = row }
  }

  /// A message is not there any more.
  package mutating func remove(_ id: UInt64) {
    guard let index = index(of: id) else { return }
    rows.remove(at: index)
    count -= 1
  }

  /// Changes one row, if it is held.
  package mutating func update(_ id: UInt64, _ body: (inout MessageRow) -> Void) {
    if let index = index(of: id) { body(&rows[index]) }
  }

  /// Sections or the order changed.
  package mutating func invalidate() { isStale = isLoaded }
}
