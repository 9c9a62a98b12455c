import Clocks
import TestSupport

@testable import Timelines
/// A generated history: entries in the order in which they arrive, with ids that grow with arrival.
struct History {
  static let gap = Interval(milliseconds: 1000)

  var entries: [Entry] = []
  /// Few enough that a history of some dozen messages has many chunks; by the seed.
  let chunkSize: Int

  /// Mostly in order, with late arrivals anywhere, equal times, archive order, and time gaps of exactly the gap.
  /// The times straddle 1970.
  init(seed: UInt64) {
    chunkSize = [2, 3, 4, 5, 8, EntryList.chunkSize][Int(seed % 6)]
    var random = SeededGenerator(seed: seed)
    let lateness = Double.random(in: 0...0.6, using: &random)
    var newest = Int64.random(in: -20_000...0, using: &random)
    for id in 1...UInt64.random(in: 1...40, using: &random) {
      let late = Double.random(in: 0..<1, using: &random) < lateness
      if !late { newest += Self.timeGap(&random) }
      let time = late ? newest - Self.timeGap(&random) * Int64.random(in: 0...8, using: &random) : newest
      let order = Bool.random(using: &random) ? 0 : UInt32.random(in: 1...4, using: &random)
      entries.append(
        Entry(time: Timestamp(milliseconds: time), id: id * 3, location: id << 8, archiveOrder: order, flags: []))
    }
  }

  private static func timeGap(_ random: inout SeededGenerator) -> Int64 {
    let timeGaps: [Int64] = [0, 0, 1, 400, 999, 1000, 1000, 1001, 2000, 2001, 5000]
    return timeGaps.randomElement(using: &random) ?? 0
  }
}
