package import Clocks

/// A run of messages none of which is more than the gap later than the one before it.
package struct Section: Equatable, Sendable {
  /// The id of its first message, which names it.
  package var id: UInt64
  /// The ids of its first and its last message.
  package var first: UInt64
  package var last: UInt64
  /// The times of the same two.
  package var start: Timestamp
  package var end: Timestamp
  /// Its rows in the timeline; never empty.
  package var rows: Range<Int>

  package var count: Int { rows.count }
}

/// What `history` says of a message's section.
package struct Placement: Equatable, Sendable {
  package var opensSection: Bool
  /// The id of the opener, be it off the page.
  package var section: UInt64
}

// Every section of a gap at least as wide as the timeline's own begins where one of its own does, and no section of a
// narrower gap crosses the beginning of one. So `openers` bounds every walk: a wider gap steps over openers, a narrower
// one over the rows of one own section.
extension Timeline {
  /// Whether the message at `row` opens a section of `gap` (nil: the timeline's own).
  package func opensSection(row: Int, gap: Interval? = nil) -> Bool {
    guard row > 0 else { return true }
    let (earlier, later) = (entries[row - 1].time.milliseconds, entries[row].time.milliseconds)
    let (distance, overflow) = later.subtractingReportingOverflow(earlier)
    return overflow || distance > (gap ?? self.gap).milliseconds
  }

  /// The id of the message that opens the section of `row`.
  package func section(ofRow row: Int, gap: Interval? = nil) -> UInt64 {
    entries[openerRow(of: row, gap: gap)].id
  }

  /// What `section(ofRow:)` and `opensSection(row:)` say of each of a page's rows, in one pass.
  package func placements(of rows: Range<Int>, gap: Interval? = nil) -> [Placement] {
    guard let first = rows.first else { return [] }
    var section = section(ofRow: first, gap: gap)
    return rows.map { row in
      let opens = opensSection(row: row, gap: gap)
      if opens { section = entries[row].id }
      return Placement(opensSection: opens, section: section)
    }
  }

  /// The newest `limit` sections, oldest first; with `row`, of those older than the section that holds it.
  package func sections(gap: Interval? = nil, limit: Int, before row: Int? = nil) -> [Section] {
    var end = row.map { openerRow(of: $0, gap: gap) } ?? count
    var sections: [Section] = []
    while end > 0 && sections.count < limit {
      let start = openerRow(of: end - 1, gap: gap)
      sections.append(section(rows: start..<end))
      end = start
    }
    return sections.reversed()
  }

  /// How many sections there are of the timeline's own gap.
  package var sectionCount: Int { openers.count }

  /// The section that a range of rows makes; the range is not empty.
  private func section(rows: Range<Int>) -> Section {
    let (first, last) = (entries[rows.lowerBound], entries[rows.upperBound - 1])
    return Section(id: first.id, first: first.id, last: last.id, start: first.time, end: last.time, rows: rows)
  }

  /// The row that opens the section of `row`.
  private func openerRow(of row: Int, gap: Interval?) -> Int {
    var index = openers.partitioningIndex { $0 > row } - 1
    guard let gap, gap != self.gap else { return openers[index] }
    if gap > self.gap {
      while !opensSection(row: openers[index], gap: gap) { index -= 1 }
      return openers[index]
    }
    var row = row
    while !opensSection(row: row, gap: gap) { row -= 1 }
    return row
  }
}
