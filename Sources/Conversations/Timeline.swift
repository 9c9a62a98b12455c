package import Clocks

/// One conversation's messages in order, cut into sections by time gap (CONTRACT, "Sections by time gap").
///
/// A message opens a section when it is the first, or when it is MORE than the gap later than the one before it.
/// The timeline's own gap is the configuration's `snap-interval`; every question can be asked of another gap.
/// Rows count from 0 at the oldest. Entries lie in one array: an append is O(1), a late arrival is found its place by
/// binary search and moves what follows. The rows that open sections are kept beside it, so that no question walks a
/// section from end to end. A pure value: no clock, no disk.
package struct Timeline: Sendable {
  /// What an insertion did, for live watchers.
  package struct Change: Equatable, Sendable {
    /// Where the new message stands now.
    package var row: Int
    /// Whether it opens a section.
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
  private(set) var entries: [Entry] = []
  /// The rows that open a section of `gap`, ascending: row 0 first wherever there is a message.
  private(set) var openers: [Int] = []

  package init(gap: Interval) {
    self.gap = gap
  }

  package var count: Int { entries.count }

  /// The message at a row in `0 ..< count`.
  package subscript(row: Int) -> Entry { entries[row] }

  /// Makes room for so many messages in all, where the number is known beforehand (a checkpoint, a test).
  package mutating func reserveCapacity(_ count: Int) {
    entries.reserveCapacity(count)
  }

  /// Puts a message in its place. Its id must not stand here already: ids are sequence numbers, used once.
  package mutating func insert(_ entry: Entry) -> Change {
    guard let last = entries.last, entry.stands(before: last) else { return append(entry) }
    let row = firstRow { !$0.stands(before: entry) }
    return insert(entry, at: row)
  }

  /// Puts other marks on a message.
  package mutating func setFlags(_ flags: EntryFlags, row: Int) {
    entries[row].flags = flags
  }

  /// Makes another gap the default one: every section may have changed.
  package mutating func regap(_ gap: Interval) {
    self.gap = gap
    openers = entries.indices.filter { opensSection(row: $0) }
  }
}

extension Timeline {
  private mutating func append(_ entry: Entry) -> Change {
    entries.append(entry)
    let row = entries.count - 1
    let opens = opensSection(row: row)
    if opens { openers.append(row) }
    return Change(row: row, opensSection: opens)
  }

  /// Inserts before what stands at `row` now, and keeps `openers` as they must be.
  private mutating func insert(_ entry: Entry, at row: Int) -> Change {
    let index = openers.partitioningIndex { $0 >= row }
    let nextOpened = index < openers.count && openers[index] == row
    entries.insert(entry, at: row)
    for later in index..<openers.count { openers[later] += 1 }
    var change = Change(row: row, opensSection: opensSection(row: row))
    if nextOpened && !opensSection(row: row + 1) {
      openers.remove(at: index)
      let end = index < openers.count ? openers[index] : entries.count
      change.resection = Resection(from: entry.id, to: entries[end - 1].id)
    }
    if change.opensSection { openers.insert(row, at: index) }
    return change
  }
}
