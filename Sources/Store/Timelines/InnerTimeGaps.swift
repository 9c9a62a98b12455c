import Clocks

/// The long time gaps between entries of a chunk: kept in memory when the entries leave it, so that sections are found
/// without them.
package struct InnerTimeGaps: Hashable, Sendable {
  /// One such place.
  package struct TimeGap: Hashable, Sendable {
    /// The index of the later entry in the chunk.
    package var offset: UInt16
    package var from: Entry.Place
    package var to: Entry.Place

    package init(offset: UInt16, from: Entry.Place, to: Entry.Place) {
      (self.offset, self.from, self.to) = (offset, from, to)
    }

    var length: UInt32 { Timelines.TimeGap.length(from: from.time, to: to.time) }
  }

  /// In their order.
  package var known: [TimeGap]
  /// The longest of all others.
  package var others: UInt32

  package init(known: [TimeGap], others: UInt32) { (self.known, self.others) = (known, others) }

  /// The most time gaps of a chunk that are kept in memory.
  private static let most = 8

  /// The time gaps between a chunk's entries: those longer than a gap, where they are few.
  init(of entries: [Entry], beyond gap: Interval) {
    (known, others) = ([], 0)
    for (offset, (from, to)) in zip(1..., zip(entries, entries.dropFirst())) {
      let length = Timelines.TimeGap.length(from: from.time, to: to.time)
      if known.count <= Self.most, Timelines.TimeGap.mayBe(length, beyond: gap) {
        known.append(TimeGap(offset: UInt16(offset), from: from.place, to: to.place))
      } else {
        others = max(others, length)
      }
    }
    if known.count > Self.most { (known, others) = ([], longest) }
  }

  /// The longest of all.
  var longest: UInt32 { known.reduce(others) { max($0, $1.length) } }

  /// All time gaps longer than a gap; nil where the entries have to be looked at.
  func all(beyond gap: Interval) -> [TimeGap]? {
    guard !Timelines.TimeGap.mayBe(others, beyond: gap) else { return nil }
    return known.allSatisfy { $0.to.time.isBeyond(gap, after: $0.from.time) }
      ? known : known.filter { $0.to.time.isBeyond(gap, after: $0.from.time) }
  }
}
