import Clocks
@testable import Timelines
import Testing

/// The gaps that every history is asked for: none, about the timeline's own, and beyond all.
private let gaps: [Int64] = [0, 1, 399, 999, 1000, 1001, 2000, 1_000_000, .max]

@Suite("Timeline")
struct TimelineTests {
  @Test("stands and is cut as the oracle says, after every arrival", arguments: 0..<40)
  func agreesWithTheOracle(batch: Int) {
    for seed in seeds(batch) {
      let history = History(seed: seed)
      var timeline = Timeline(gap: History.gap, chunkSize: history.chunkSize)
      var arrived: [Entry] = []
      for entry in history.entries {
        let before = Oracle(arrived, gap: History.gap)
        arrived.append(entry)
        let after = Oracle(arrived, gap: History.gap)
        let change = timeline.insert(entry)
        expectSame(timeline, after, seed: seed)
        expectExact(change, of: entry, before, after, seed: seed)
      }
    }
  }

  @Test("a message that moves stands as the oracle says, is found by its old time, and others stay", arguments: 0..<20)
  func moves(batch: Int) {
    for seed in seeds(batch) {
      let history = History(seed: seed)
      var (timeline, entries) = (Timeline(history), history.entries)
      for step in 0..<min(5, entries.count) {
        let before = Oracle(entries, gap: History.gap)
        let place = Int(seed &* 7 &+ UInt64(step) &* 13) % entries.count
        let (old, id) = (history.entries[place].time, entries[place].id)
        let target = entries[(place + step) % entries.count].time.advanced(by: .milliseconds(1))
        (entries[place].time, entries[place].archiveOrder) = (target, 0)
        guard let row = timeline.row(ofTime: old, id: id) else { return #expect(Bool(false), "seed \(seed)") }
        let resection = timeline.move(row: row, to: target)
        let after = Oracle(entries, gap: History.gap)
        expectSame(timeline, after, seed: seed)
        #expect(timeline.row(ofTime: old, id: id).map { timeline[$0].id } == id, "seed \(seed)")
        expectSpanned(resection, before, after, seed: seed)
      }
    }
  }

  /// Every message outside of what moved stands as before.
  private func expectSpanned(_ resection: Timeline.Resection?, _ before: Oracle, _ after: Oracle, seed: UInt64) {
    let (old, now) = (before.placementByID, after.placementByID)
    let changed = after.sorted.indices.filter { old[after.sorted[$0].id] != now[after.sorted[$0].id] }
    guard let first = changed.first, let last = changed.last else { return }
    let rows = [resection?.from, resection?.to].map { id in after.sorted.firstIndex { $0.id == id } }
    #expect(rows[0].map { $0 <= first } == true && rows[1].map { $0 >= last } == true, "seed \(seed)")
  }

  @Test("answers for any gap as the oracle does", arguments: 0..<20)
  func anyGap(batch: Int) {
    for seed in seeds(batch) {
      let history = History(seed: seed)
      let timeline = Timeline(history)
      for gap in gaps.map(Interval.init(milliseconds:)) {
        let oracle = Oracle(history.entries, gap: gap)
        #expect(timeline.placements(of: 0..<timeline.count, gap: gap) == oracle.placements, "seed \(seed)")
        for row in 0..<timeline.count {
          let rows = row..<min(row + 5, timeline.count)
          #expect(timeline.placements(of: rows, gap: gap) == Array(oracle.placements[rows]), "seed \(seed)")
          #expect(timeline.entries(of: rows) == Array(oracle.sorted[rows]), "seed \(seed)")
          #expect(timeline.opensSection(row: row, gap: gap) == oracle.placements[row].opensSection, "seed \(seed)")
          #expect(timeline.section(ofRow: row, gap: gap) == oracle.placements[row].section, "seed \(seed)")
        }
      }
    }
  }

  @Test("lists sections oldest first, of the newest, and those before a row", arguments: 0..<20)
  func sections(batch: Int) {
    for seed in seeds(batch) {
      let history = History(seed: seed)
      let timeline = Timeline(history)
      for gap in gaps.map(Interval.init(milliseconds:)) {
        let all = Oracle(history.entries, gap: gap).described
        #expect(timeline.sections(gap: gap, limit: .max) == all, "seed \(seed)")
        #expect(timeline.sections(gap: gap, limit: 3) == all.suffix(3), "seed \(seed)")
        for row in 0..<timeline.count {
          let sealed = all.prefix { $0.rows.upperBound <= row }
          #expect(timeline.sections(gap: gap, limit: 2, before: row) == sealed.suffix(2), "seed \(seed)")
        }
      }
    }
  }

  @Test("another gap made the default one cuts anew", arguments: 0..<10)
  func changeGap(batch: Int) {
    for seed in seeds(batch) {
      let history = History(seed: seed)
      var timeline = Timeline(gap: Interval(milliseconds: 7), chunkSize: history.chunkSize)
      for entry in history.entries.dropLast() { _ = timeline.insert(entry) }
      timeline.changeGap(History.gap)
      for entry in history.entries.suffix(1) { _ = timeline.insert(entry) }
      expectSame(timeline, Oracle(history.entries, gap: History.gap), seed: seed)
    }
  }

  private func seeds(_ batch: Int) -> Range<UInt64> {
    UInt64(batch) * 50..<UInt64(batch + 1) * 50
  }

  private func expectSame(_ timeline: Timeline, _ oracle: Oracle, seed: UInt64) {
    #expect((0..<timeline.count).map { timeline[$0] } == oracle.sorted, "seed \(seed)")
    #expect(timeline.placements(of: 0..<timeline.count) == oracle.placements, "seed \(seed)")
    #expect(timeline.sections(limit: .max) == oracle.described, "seed \(seed)")
  }

  /// The change is the difference of the two oracles: `resection` spans what changed and nothing beside it.
  private func expectExact(_ change: Timeline.Change, of new: Entry, _ before: Oracle, _ after: Oracle, seed: UInt64) {
    #expect(change.row == after.sorted.firstIndex(of: new), "seed \(seed)")
    #expect(change.opensSection == after.placementByID[new.id]?.opensSection, "seed \(seed)")
    let (old, now) = (before.placementByID, after.placementByID)
    let changed = after.sorted.indices.filter { old[after.sorted[$0].id] != now[after.sorted[$0].id] }
    guard changed.count > 1, let first = changed.first, let last = changed.last else {
      #expect(change.resection == nil, "seed \(seed)")
      return
    }
    let expected = Timeline.Resection(from: after.sorted[first].id, to: after.sorted[last].id)
    #expect(change.resection == expected, "seed \(seed)")
  }
}

extension Timeline {
  /// The timeline of a whole history.
  init(_ history: History) {
    self.init(gap: History.gap, chunkSize: history.chunkSize)
    for entry in history.entries { _ = insert(entry) }
  }
}
