import Clocks
@testable import Timelines
import TestSupport
import Testing

/// Compares the pages of `history` with a plain implementation of docs/PROTOCOL.md: filter, then take.
@Suite("Pages of a timeline")
struct PageTests {
  @Test("every position, limit and filter agrees with filtering first", arguments: UInt64(0)..<60)
  func agreesWithFiltering(seed: UInt64) {
    let timeline = Timeline(History(seed: seed))
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let row = Int.random(in: 0..<timeline.count, using: &random)
      let limit = Int.random(in: 0...12, using: &random)
      let positions: [PagePosition] = [.newest, .before(row: row), .after(row: row), .around(row: row)]
      let (since, until) = (bound(of: timeline, &random), bound(of: timeline, &random))
      for position in positions {
        let page = timeline.page(position, limit: limit, since: since, until: until)
        expect(page, position, limit, timeline, since, until)
      }
    }
  }

  @Test("rows count from the oldest, beyond the newest there is nothing")
  func byRow() {
    let timeline = Timeline(History(seed: 3))
    let count = timeline.count
    #expect(timeline.page(.row(1), limit: 2) == Page(rows: 1..<3, moreBefore: true, moreAfter: count > 3))
    #expect(timeline.page(.row(count + 7), limit: 2) == Page(rows: count..<count, moreBefore: true, moreAfter: false))
    #expect(timeline.page(.row(.max), limit: .max).rows.isEmpty)
    #expect(timeline.page(.around(row: 0), limit: .max).rows == 0..<count)
  }

  /// Sometimes none, else the time of some message or one beside it.
  private func bound(of timeline: Timeline, _ random: inout SeededGenerator) -> Timestamp? {
    guard Bool.random(using: &random) else { return nil }
    let row = Int.random(in: 0..<timeline.count, using: &random)
    return Timestamp(milliseconds: timeline[row].time.milliseconds + Int64.random(in: -1...1, using: &random))
  }

  private func expect(
    _ page: Page, _ position: PagePosition, _ limit: Int, _ timeline: Timeline, _ since: Timestamp?, _ until: Timestamp?
  ) {
    let filtered = (0..<timeline.count).filter { row in
      let time = timeline[row].time
      return since.map { $0 <= time } ?? true && until.map { time < $0 } ?? true
    }
    let wanted: [Int]
    switch position {
    case .newest: wanted = filtered.suffix(limit)
    case .before(let row): wanted = filtered.filter { $0 < row }.suffix(limit)
    case .after(let row): wanted = Array(filtered.filter { $0 > row }.prefix(limit))
    case .around(let row):
      wanted =
        filtered.filter { $0 < row }.suffix(limit / 2) + filtered.filter { $0 >= row }.prefix(limit - limit / 2)
    case .row(let row): wanted = Array(filtered.filter { $0 >= row }.prefix(limit))
    }
    #expect(Array(page.rows) == wanted)
    guard let first = wanted.first, let last = wanted.last else { return }
    #expect(page.moreBefore == (filtered.first.map { $0 < first } ?? false))
    #expect(page.moreAfter == (filtered.last.map { $0 > last } ?? false))
  }
}
