package import Clocks

/// One conversation's messages in order, cut into sections by time gap (docs/PROTOCOL.md, "section").
///
/// A message opens a section when it is the first, or when it is MORE than the gap later than the one before it. The
/// timeline's own gap is the configuration's `snap-interval`; every question can be asked of another gap. Rows count
/// from 0 at the oldest. Entries lie in chunks: an append is O(1), a late arrival is found its place by binary search
/// and moves a part of one chunk. Each chunk knows its widest time gap, so that no question walks a section from end to
/// end. A value: no clock, no disk.
package struct Timeline {
  /// The effect of an insertion, for live watchers.
  package struct Change: Equatable, Sendable {
    /// The row of the new message.
    package var row: Int
    /// True if the message opens a section.
    package var opensSection: Bool
    /// The messages that stand differently now, where there are any besides the new one.
    package var resection: Resection?
  }

  /// The ids of the first and the last message whose `opens_section` or `section` may have changed, the new one
  /// included; every message outside `from ... to` (in the order of the conversation) keeps both answers.
  ///
  /// A message between two others never widens a gap, so a late arrival changes others in one case only: the one behind
  /// it opened a section and does not any more. Then its whole section has another opener: `from` is the new message
  /// (which opens it now, or joins it to the section before) and `to` the last one of that section.
  package struct Resection: Equatable, Sendable {
    package var from: UInt64
    package var to: UInt64
  }

  /// The gap of `opens_section` where a question names none.
  package private(set) var gap: Interval
  /// In the order of the conversation.
  var list: EntryList
  /// The times of messages that stand at another time than that of their records, by id.
  var moved: [UInt64: Timestamp] = [:]

  /// A timeline of no messages.
  ///
  /// - Parameter chunkSize: the most entries that lie together; a test takes few.
  package init(gap: Interval, chunkSize: Int = EntryList.chunkSize) {
    self.gap = gap
    list = EntryList(chunkSize: chunkSize)
  }

  package var count: Int { list.count }

  /// The message at a row in `0 ..< count`.
  package subscript(row: Int) -> Entry { list[row] }

  /// The messages of some rows.
  package func entries(of rows: Range<Int>) -> [Entry] { list.entries(of: rows) }

  /// Puts a message in its place. Its id must not stand here already: ids are sequence numbers, used once.
  package mutating func insert(_ entry: Entry) -> Change {
    guard let last = list.last else { return append(entry, opensSection: true) }
    guard entry.key < last.key else {
      return append(entry, opensSection: entry.time.isBeyond(gap, after: last.time))
    }
    let position = list.firstPosition { $0 > entry.key }
    let row = list.row(of: position)
    let nextOpened = opensSection(row: row)
    list.insert(entry, at: position)
    var change = Change(row: row, opensSection: opensSection(row: row))
    if nextOpened && !opensSection(row: row + 1) {
      change.resection = Resection(from: entry.id, to: list[list.nextTimeGap(after: row + 1, beyond: gap) - 1].id)
    }
    return change
  }

  /// Changes the entry of a message, but for what orders it.
  package mutating func change(row: Int, _ body: (inout Entry) -> Void) { list.change(row: row, body) }

  /// Takes a message out. Returns the messages around it, whose sections may be others now; nil where there are none.
  package mutating func remove(row: Int) -> Resection? {
    list.remove(row: row)
    guard count > 0 else { return nil }
    let from = max(0, row - 1)
    return Resection(from: list[from].id, to: list[list.nextTimeGap(after: min(row, count - 1), beyond: gap) - 1].id)
  }

  /// A message stands at another time from now on. Returns the messages around both places.
  package mutating func move(row: Int, to time: Timestamp) -> Resection? {
    var entry = list[row]
    let left = remove(row: row)
    (entry.time, entry.archiveOrder) = (time, 0)
    moved[entry.id] = time
    let place = insert(entry).row
    let from = list[max(0, min(row, place) - 1)].id
    let to = list[list.nextTimeGap(after: min(max(row, place) + 1, count - 1), beyond: gap) - 1].id
    return left.map { _ in Resection(from: from, to: to) }
  }

  /// Makes another gap the default one: every section may have changed.
  package mutating func changeGap(_ gap: Interval) { self.gap = gap }

  private mutating func append(_ entry: Entry, opensSection: Bool) -> Change {
    list.append(entry)
    return Change(row: count - 1, opensSection: opensSection)
  }
}
