import Clocks
@testable import Timelines
import Testing

@Suite("Timeline, by hand")
struct TimelineCasesTests {
  private func timeline(_ times: [Int64], gap: Int64 = 10) -> Timeline {
    var timeline = Timeline(gap: Interval(milliseconds: gap))
    for (index, time) in times.enumerated() { _ = timeline.insert(entry(UInt64(index + 1), time)) }
    return timeline
  }

  private func entry(_ id: UInt64, _ time: Int64, order: UInt32 = 0) -> Entry {
    Entry(time: Timestamp(milliseconds: time), id: id, archiveOrder: order)
  }

  @Test("an entry is 32 bytes apart from the next")
  func size() {
    #expect(MemoryLayout<Entry>.stride == 32)
  }

  @Test("a gap of exactly the interval opens no section, one more does")
  func exactly() {
    let timeline = timeline([-10, 0, 10, 21])
    #expect((0..<4).map { timeline.opensSection(row: $0) } == [true, false, false, true])
  }

  @Test("the widest distance there is opens a section")
  func widest() {
    let timeline = timeline([.min, .max], gap: .max)
    #expect(timeline.sections(limit: .max).count == 2)
  }

  @Test("a late arrival that bridges two sections joins the second to the first")
  func joins() {
    var timeline = timeline([0, 20, 25, 100])
    let change = timeline.insert(entry(9, 10))
    #expect(change == .init(row: 1, opensSection: false, resection: .init(from: 9, to: 3)))
    #expect(timeline.placements(of: 0..<5).map(\.section) == [1, 1, 1, 1, 4])
  }

  @Test("a late arrival before an opener takes its place")
  func shifts() {
    var timeline = timeline([0, 50, 55])
    let change = timeline.insert(entry(9, 45))
    #expect(change == .init(row: 1, opensSection: true, resection: .init(from: 9, to: 3)))
    #expect(timeline.sections(limit: 9).map(\.id) == [1, 9])
  }

  @Test("a late arrival that only becomes part of a section, or one of its own, moves nobody")
  func harmless() {
    var timeline = timeline([0, 5, 100])
    #expect(timeline.insert(entry(9, 3)) == .init(row: 1, opensSection: false))
    #expect(timeline.insert(entry(10, 50)) == .init(row: 3, opensSection: true))
  }

  @Test("messages of one time stand as the archive has them, then by id")
  func equalTimes() {
    var timeline = Timeline(gap: Interval(milliseconds: 10))
    for entry in [entry(1, 7, order: 3), entry(2, 7, order: 1), entry(4, 7), entry(3, 7)] {
      _ = timeline.insert(entry)
    }
    #expect((0..<4).map { timeline[$0].id } == [3, 4, 2, 1])
    #expect((0..<4).map { timeline.row(ofTime: timeline[$0].time, id: timeline[$0].id) } == [0, 1, 2, 3])
    #expect(timeline.row(ofTime: Timestamp(milliseconds: 7), id: 5) == nil)
    #expect(timeline.row(ofTime: Timestamp(milliseconds: 8), id: 1) == nil)
  }

  @Test("a message is found by its id alone where ids grow along the conversation, and is never taken for another")
  func byID() {
    var timeline = timeline([0, 5, 100])
    #expect((0...4).map { timeline.likelyRow(ofID: $0) } == [nil, 0, 1, 2, nil])
    _ = timeline.insert(entry(9, 50))
    #expect([1, 2, 3, 9].map { timeline.likelyRow(ofID: $0) } == [0, 1, 3, 2])
    for id in UInt64(0)...10 {
      if let row = timeline.likelyRow(ofID: id) { #expect(timeline[row].id == id) }
    }
    #expect(Timeline(gap: Interval(milliseconds: 10)).likelyRow(ofID: 1) == nil)
  }

  @Test("flags are kept for the caller")
  func flags() {
    var timeline = timeline([0, 1])
    timeline.change(row: 1) { $0.flags = EntryFlags(rawValue: 0xFFFF) }
    #expect((0..<2).map { timeline[$0].flags.rawValue } == [0, 0xFFFF])
  }

  @Test("an empty timeline has no sections and no pages")
  func empty() {
    let timeline = timeline([])
    #expect(timeline.sections(limit: 5).isEmpty)
    #expect(timeline.page(.newest, limit: 5) == Page(rows: 0..<0, moreBefore: false, moreAfter: false))
    #expect(timeline.firstRow(notBefore: Timestamp(milliseconds: 0)) == 0)
  }
}
