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

extension Section {
  /// The section up to a message, which stands before row `end`.
  init(from start: SectionStart, to last: Entry.Place, end: Int) {
    self.init(
      id: start.first.id, first: start.first.id, last: last.id, start: start.first.time, end: last.time,
      rows: start.row..<end)
  }
}

/// The section members of a message in `history`.
package struct Placement: Equatable, Sendable {
  package var opensSection: Bool
  /// The id of the opener, be it off the page.
  package var section: UInt64
}

extension Timeline {
  /// True if the message at `row` opens a section of `gap` (nil: the timeline's own).
  package func opensSection(row: Int, gap: Interval? = nil) -> Bool {
    list.isTimeGap(at: list.position(of: row), beyond: gap ?? self.gap)
  }

  /// The id of the message that opens the section of `row`.
  package func section(ofRow row: Int, gap: Interval? = nil) -> UInt64 {
    start(ofRow: row, gap: gap).first.id
  }

  /// The messages of a page's rows, and what `section(ofRow:)` and `opensSection(row:)` say of each, in one pass.
  package func placed(_ rows: Range<Int>, gap: Interval? = nil) -> [(entry: Entry, placement: Placement)] {
    guard let first = rows.first else { return [] }
    let gap = gap ?? self.gap
    let start = start(ofRow: first, gap: gap)
    var (section, previous): (UInt64, Timestamp?) = (start.first.id, nil)
    return entries(of: rows).map { entry in
      let opens = previous.map { entry.time.isBeyond(gap, after: $0) } ?? (start.row == first)
      if opens { section = entry.id }
      previous = entry.time
      return (entry, Placement(opensSection: opens, section: section))
    }
  }

  /// The placements of a page's rows, without the messages.
  package func placements(of rows: Range<Int>, gap: Interval? = nil) -> [Placement] {
    placed(rows, gap: gap).map(\.placement)
  }

  /// The newest `limit` sections, oldest first; with `row`, of those older than the section that holds it.
  package func sections(gap: Interval? = nil, limit: Int, before row: Int? = nil) -> [Section] {
    let later = row.map { start(ofRow: $0, gap: gap) }
    var (end, last) = (later?.row ?? count, later.map(\.before) ?? list.last?.place)
    var sections: [Section] = []
    while end > 0, sections.count < limit, let newest = last {
      let start = start(ofRow: end - 1, gap: gap)
      sections.append(Section(from: start, to: newest, end: end))
      (end, last) = (start.row, start.before)
    }
    return sections.reversed()
  }

  /// The beginning of the section of `row`.
  private func start(ofRow row: Int, gap: Interval?) -> SectionStart {
    list.lastTimeGap(upTo: row, beyond: gap ?? self.gap)
  }
}
