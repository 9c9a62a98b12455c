import Clocks
@testable import Timelines
import TestSupport
import Testing

/// Pages in memory, as a disk would keep them.
private final class Shelf: StoredEntries {
  private(set) var pages: [IndexPage: [Entry]] = [:]
  private(set) var reads = 0
  private var last: UInt32 = 0

  func entries(of chunk: StoredChunk) -> PackedEntries {
    reads += 1
    let entries = pages[chunk.page] ?? []
    #expect(entries.count == Int(chunk.count) && entries.first?.key == chunk.first)
    #expect(entries.last?.place == chunk.last)
    return PackedEntries(entries)
  }

  func release(_ page: IndexPage) { #expect(pages.removeValue(forKey: page) != nil) }

  /// Stores some of what is in memory, as far as it has not changed until then.
  func takeFrom(_ timeline: inout Timeline, limit: Int = .max, sealsTail: Bool = false) {
    for entries in timeline.heldChunks(limit: limit, sealsTail: sealsTail) {
      last += 1
      let page = IndexPage(number: last, checksum: ~last)
      pages[page] = entries
      let isTaken = timeline.leave(entries, on: page, in: self)
      #expect(isTaken)
    }
  }
}

/// Timelines whose chunks come and go.
@Suite("Stored entries")
struct StoredEntriesTests {
  private func timeline(_ count: Int, chunkSize: Int = 8) -> Timeline {
    var timeline = Timeline(gap: Interval(milliseconds: 10), chunkSize: chunkSize)
    for number in 1...count { _ = timeline.insert(entry(UInt64(number), number * 10)) }
    return timeline
  }

  private func entry(_ id: UInt64, _ time: Int) -> Entry {
    Entry(time: Timestamp(milliseconds: Int64(time)), id: id)
  }

  @Test("wherever the chunks are, every answer is the oracle's", arguments: 0..<20)
  func agreesWithTheOracle(batch: Int) {
    for seed in UInt64(batch) * 40..<UInt64(batch + 1) * 40 {
      let history = History(seed: seed)
      var random = SeededGenerator(seed: seed)
      let shelf = Shelf()
      var timeline = Timeline(gap: History.gap, chunkSize: history.chunkSize)
      var kept = Timeline(gap: History.gap, chunkSize: history.chunkSize)
      for entry in history.entries {
        let (change, expected) = (timeline.insert(entry), kept.insert(entry))
        #expect(change == expected, "seed \(seed)")
        if Int.random(in: 0..<3, using: &random) == 0 {
          shelf.takeFrom(&timeline, limit: Int.random(in: 1...4, using: &random))
        }
        let oracle = Oracle(Array(history.entries.prefix(timeline.count)), gap: History.gap)
        #expect((0..<timeline.count).map { timeline[$0] } == oracle.sorted, "seed \(seed)")
        #expect(timeline.placements(of: 0..<timeline.count) == oracle.placements, "seed \(seed)")
        #expect(timeline.sections(limit: .max) == oracle.described, "seed \(seed)")
      }
      let held = timeline.list.sealed?.chunks.compactMap(\.held).map(\.count) ?? []
      #expect(timeline.list.sealed?.held ?? 0 == held.reduce(0, +), "seed \(seed)")
    }
  }

  @Test("what changed while it was being stored stays in memory")
  func changedMeanwhile() {
    let shelf = Shelf()
    var timeline = timeline(40)
    let before = timeline.heldChunks(limit: 2, sealsTail: false)
    timeline.change(row: 3) { $0.flags = EntryFlags(rawValue: 7) }
    let page = IndexPage(number: 1, checksum: 1)
    let isTaken = timeline.leave(before[0], on: page, in: shelf)
    #expect(!isTaken && timeline.evictable == 32 && timeline[3].flags.rawValue == 7)
  }

  @Test("a stored chunk that is changed is in memory again, and its page is free")
  func changed() {
    let shelf = Shelf()
    var timeline = timeline(40)
    shelf.takeFrom(&timeline)
    #expect(timeline.evictable == 0 && shelf.pages.count == 4)
    timeline.change(row: 3) { $0.flags = EntryFlags(rawValue: 7) }
    _ = timeline.insert(entry(99, 105))
    #expect(timeline.evictable == 17 && shelf.pages.count == 2)
    #expect(timeline[3].flags.rawValue == 7 && timeline[10].id == 99)
  }

  @Test("a page of rows costs the pages that it lies on, and what is in order costs none")
  func reads() {
    let shelf = Shelf()
    var timeline = timeline(64 * 100, chunkSize: 64)
    shelf.takeFrom(&timeline)
    _ = timeline.insert(entry(99_999, 64 * 100 * 10 + 1))
    #expect(shelf.reads == 0)
    _ = timeline.row(ofTime: Timestamp(milliseconds: 5000 * 10), id: 5000)
    #expect(shelf.reads == 2)
    #expect(timeline.sections(limit: 3).count == 1)
    #expect(shelf.reads == 2)
  }

  @Test("sections of the timeline's own gap, and of a longer one, cost no page")
  func sectionsWithoutPages() throws {
    let shelf = Shelf()
    var timeline = Timeline(gap: Interval(milliseconds: 10), chunkSize: 64)
    for number in 1...6400 { _ = timeline.insert(entry(UInt64(number), number * 10 + number / 20 * 5)) }
    let kept = timeline
    shelf.takeFrom(&timeline)
    let again = try #require(Timeline(gap: Interval(milliseconds: 10), segments: timeline.segments, source: shelf))
    for stored in [timeline, again] {
      #expect(stored.sections(limit: .max) == kept.sections(limit: .max))
      #expect(stored.sections(limit: .max).count == 321)
      #expect(stored.sections(limit: 10, before: 3000) == kept.sections(limit: 10, before: 3000))
      #expect(stored.sections(gap: Interval(milliseconds: 14), limit: .max).count == 321)
      #expect(stored.section(ofRow: 4000) == kept.section(ofRow: 4000))
      #expect(stored.opensSection(row: 4003) == kept.opensSection(row: 4003))
    }
    #expect(shelf.reads == 2)
    let shorter = Interval(milliseconds: 9)
    #expect(timeline.sections(gap: shorter, limit: .max) == kept.sections(gap: shorter, limit: .max))
    #expect(shelf.reads > 90)
  }

  @Test("of a chunk with more timeGaps than are kept the page is read")
  func manySteps() {
    let shelf = Shelf()
    var timeline = Timeline(gap: Interval(milliseconds: 10), chunkSize: 64)
    for number in 1...640 { _ = timeline.insert(entry(UInt64(number), number * 11)) }
    shelf.takeFrom(&timeline)
    #expect(timeline.sections(limit: .max).map(\.id) == Array(1...640))
    #expect(shelf.reads > 0)
  }

  @Test("a long tail leaves too, but for its last message, and goes on where it left")
  func tails() {
    let shelf = Shelf()
    var timeline = Timeline(gap: Interval(milliseconds: 10))
    for round in 0..<12 {
      for number in 1...100 { _ = timeline.insert(entry(UInt64(round * 100 + number), round * 100 + number)) }
      #expect(timeline.evictable == 99 + (round == 0 ? 0 : 1))
      shelf.takeFrom(&timeline, sealsTail: true)
      #expect(timeline.evictable == 0)
    }
    #expect((0..<1200).map { timeline[$0].id } == Array(1...1200))
    // The pages of a chunk that was not full are free again.
    #expect(shelf.pages.values.map(\.count).sorted() == [200, 999])
  }

  @Test("all of it comes back from its segments", arguments: UInt64(0)..<50)
  func segments(seed: UInt64) throws {
    let history = History(seed: seed)
    let shelf = Shelf()
    var timeline = Timeline(history)
    let (old, newest) = (timeline[0], timeline[timeline.count - 1].time)
    _ = timeline.move(row: 0, to: newest)
    shelf.takeFrom(&timeline, limit: Int(seed % 5))
    let again = try #require(Timeline(gap: History.gap, segments: timeline.segments, source: shelf))
    #expect(shelf.reads == 0)
    #expect((0..<again.count).map { again[$0] } == (0..<timeline.count).map { timeline[$0] })
    #expect(again.sections(limit: .max) == timeline.sections(limit: .max))
    #expect(again.evictable == timeline.evictable)
    #expect(again.row(ofTime: old.time, id: old.id).map { again[$0].time } == newest)
  }

  @Test("segments that no timeline gave make none")
  func unsoundPieces() {
    let shelf = Shelf()
    let (early, late) = (Timeline.Segment.held([entry(1, 5)]), Timeline.Segment.held([entry(2, 6)]))
    let stored = Timeline.Segment.stored([
      StoredChunk(
        page: IndexPage(number: 1, checksum: 1), count: 3, first: entry(1, 5).key,
        last: entry(3, 9).place, timeGaps: InnerTimeGaps(known: [], others: 0))
    ])
    let gap = Interval(milliseconds: 1)
    #expect(Timeline(gap: gap, segments: [early, late], source: shelf)?.count == 2)
    #expect(Timeline(gap: gap, segments: [late, early], source: shelf) == nil)
    #expect(Timeline(gap: gap, segments: [stored], source: shelf) == nil)
    #expect(Timeline(gap: gap, segments: [stored, late], source: shelf) == nil)
    #expect(Timeline(gap: gap, segments: [.held([])], source: shelf) == nil)
    #expect(Timeline(gap: gap, segments: [.stored([]), late], source: shelf) == nil)
  }
}
