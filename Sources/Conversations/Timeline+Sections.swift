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

extension Timeline {
  /// Whether the message at `row` opens a section of `gap` (nil: the timeline's own).
  package func opensSection(row: Int, gap: Interval? = nil) -> Bool {
    list.isStep(at: list.position(of: row), beyond: gap ?? self.gap)
  }

  /// The id of the message that opens the section of `row`.
  package func section(ofRow row: Int, gap: Interval? = nil) -> UInt64 {
    self[openerRow(of: row, gap: gap)].id
  }

  /// What `section(ofRow:)` and `opensSection(row:)` say of each of a page's rows, in one pass.
  package func placements(of rows: Range<Int>, gap: Interval? = nil) -> [Placement] {
    guard let first = rows.first else { return [] }
    let gap = gap ?? self.gap
    var (section, previous): (UInt64, Timestamp?) = (section(ofRow: first, gap: gap), nil)
    return entries(of: rows).map { entry in
      let opens = previous.map { entry.time.isBeyond(gap, after: $0) } ?? opensSection(row: first, gap: gap)
      if opens { section = entry.id }
      previous = entry.time
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

  /// The section that a range of rows makes; the range is not empty.
  private func section(rows: Range<Int>) -> Section {
    let (first, last) = (self[rows.lowerBound], self[rows.upperBound - 1])
    return Section(id: first.id, first: first.id, last: last.id, start: first.time, end: last.time, rows: rows)
  }

  /// The row that opens the section of `row`.
  private func openerRow(of row: Int, gap: Interval?) -> Int {
    list.lastStep(upTo: row, beyond: gap ?? self.gap)
  }
}
