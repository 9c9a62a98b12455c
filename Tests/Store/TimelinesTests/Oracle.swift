import Clocks
@testable import Timelines
/// The rules of docs/PROTOCOL.md, implemented the plain way: sort, then split.
struct Oracle {
  private(set) var sorted: [Entry]
  /// The rows of each section.
  private(set) var sections: [Range<Int>] = []

  init(_ entries: [Entry], gap: Interval) {
    sorted = entries.sorted {
      ($0.time.milliseconds, $0.archiveOrder, $0.id) < ($1.time.milliseconds, $1.archiveOrder, $1.id)
    }
    var start = 0
    for row in sorted.indices where row > 0 {
      if sorted[row].time.milliseconds - sorted[row - 1].time.milliseconds > gap.milliseconds {
        sections.append(start..<row)
        start = row
      }
    }
    if !sorted.isEmpty { sections.append(start..<sorted.count) }
  }

  /// The `opens_section` and `section` of every message, in order.
  var placements: [Placement] {
    sections.flatMap { rows in
      rows.map { Placement(opensSection: $0 == rows.lowerBound, section: sorted[rows.lowerBound].id) }
    }
  }

  /// The same, by the message's id.
  var placementByID: [UInt64: Placement] {
    Dictionary(uniqueKeysWithValues: zip(sorted.map(\.id), placements))
  }

  /// The sections as the timeline gives them.
  var described: [Section] {
    sections.map { rows in
      let (first, last) = (sorted[rows.lowerBound], sorted[rows.upperBound - 1])
      return Section(id: first.id, first: first.id, last: last.id, start: first.time, end: last.time, rows: rows)
    }
  }
}
