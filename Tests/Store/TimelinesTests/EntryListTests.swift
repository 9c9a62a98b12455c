import Clocks
@testable import Timelines
import TestSupport
import Testing

/// How entries lie in chunks.
@Suite("EntryList")
struct EntryListTests {
  private func entry(_ id: UInt64, _ time: Int) -> Entry {
    Entry(time: Timestamp(milliseconds: Int64(time)), id: id)
  }

  private func timeline(_ times: some Sequence<Int>, chunkSize: Int = 8) -> Timeline {
    var timeline = Timeline(gap: Interval(milliseconds: 10), chunkSize: chunkSize)
    for (index, time) in times.enumerated() { _ = timeline.insert(entry(UInt64(index + 1), time)) }
    return timeline
  }

  @Test("messages in order fill chunks to the last place")
  func forwards() {
    #expect(timeline(0..<80).list.chunkCount == 10)
  }

  @Test("an archive filled backwards, message by message, fills them too")
  func backwards() {
    let timeline = timeline((0..<80).reversed())
    #expect(timeline.list.chunkCount == 10)
    #expect((0..<80).map { timeline[$0].time.milliseconds } == Array(0..<80))
  }

  @Test("filled backwards page by page they are three quarters full", arguments: [1, 2, 3, 5, 7, 8, 13, 100])
  func pages(length: Int) {
    let pages = stride(from: 0, to: 8000, by: length).reversed()
    let timeline = timeline(pages.flatMap { $0..<$0 + length }, chunkSize: 64)
    #expect(timeline.list.chunkCount <= timeline.count * 4 / (3 * 64) + 2)
    #expect((0..<timeline.count).allSatisfy { timeline[$0].time.milliseconds == Int64($0) })
  }

  @Test("whatever the order, no chunk but those at the ends holds less than a quarter", arguments: UInt64(0)..<20)
  func anyOrder(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let list = timeline((0..<2000).shuffled(using: &random), chunkSize: 16).list
    for chunk in 1..<list.chunkCount - 1 { #expect(list.entries(of: chunk).count >= 4) }
  }

  @Test("a copy is a value of its own")
  func copies() {
    var one = timeline(0..<40)
    let other = one
    _ = one.insert(entry(99, 3))
    one.change(row: 0) { $0.flags = EntryFlags(rawValue: 1) }
    #expect(other.count == 40 && other[0].flags == [] && other[4].id == 5)
    #expect(one.count == 41 && one[0].flags.rawValue == 1 && one[4].id == 99)
  }

  @Test("A timeline without a message is as if that had never come", arguments: UInt64(0)..<40)
  func removal(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var left = (0..<Int.random(in: 1...60, using: &random)).map { _ in Int.random(in: 0...200, using: &random) }
      .sorted()
    var timeline = timeline(left, chunkSize: Int.random(in: 2...8, using: &random))
    while !left.isEmpty {
      let row = Int.random(in: 0..<left.count, using: &random)
      left.remove(at: row)
      _ = timeline.remove(row: row)
      #expect((0..<timeline.count).map { timeline[$0].time.milliseconds } == left.map(Int64.init))
      let fresh = self.timeline(left)
      #expect(
        timeline.sections(gap: nil, limit: 100, before: nil).map(\.count)
          == fresh.sections(gap: nil, limit: 100, before: nil).map(\.count))
    }
  }

  @Test("marks are put on messages wherever they lie")
  func marks() {
    var timeline = timeline(0..<40)
    for row in 0..<40 { timeline.change(row: row) { $0.flags = EntryFlags(rawValue: UInt16(row)) } }
    #expect((0..<40).map { timeline[$0].flags.rawValue } == Array(0..<40))
  }

  @Test("rows find their chunks, and chunks their rows", arguments: UInt64(0)..<20)
  func runningCounts(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var counts = (0..<Int.random(in: 1...70, using: &random)).map { _ in Int.random(in: 1...9, using: &random) }
    var running = RunningCounts(counts)
    for _ in 0..<50 {
      let index = counts.indices.randomElement(using: &random) ?? 0
      counts[index] += 1
      running.increment(index)
    }
    counts.append(4)
    running.append(4)
    let rows = counts.indices.flatMap { index in (0..<counts[index]).map { (index, $0) } }
    #expect(running.total == rows.count)
    for (row, (index, offset)) in rows.enumerated() {
      #expect(running.find(row) == (index, offset))
      #expect(running.before(index) + offset == row)
    }
  }
}
