import Clocks

/// How much later one message is than the one before it.
enum TimeGap {
  /// The milliseconds from one to the next; `.max` for that and all more.
  static func length(from earlier: Timestamp, to later: Timestamp) -> UInt32 {
    UInt32(clamping: (later - earlier).milliseconds)
  }

  /// True if a time gap of this length may be MORE than a gap.
  static func mayBe(_ length: UInt32, beyond gap: Interval) -> Bool {
    length == .max || Int64(length) > gap.milliseconds
  }

  /// The longest time gap to an entry, from the one before it, where the first one follows `previous`.
  static func longest(to entries: some Collection<Entry>, after previous: Timestamp?) -> UInt32 {
    var (longest, previous) = (UInt32(0), previous)
    for entry in entries {
      if let previous { longest = max(longest, length(from: previous, to: entry.time)) }
      previous = entry.time
    }
    return longest
  }

  /// The longest time gap to an entry of a chunk, in memory or on a page.
  static func longest(to chunk: Chunk, after previous: Timestamp?) -> UInt32 {
    chunk.stored.map { longest(to: $0, after: previous) } ?? longest(to: chunk.held ?? [], after: previous)
  }

  static func longest(to stored: StoredChunk, after previous: Timestamp?) -> UInt32 {
    max(previous.map { length(from: $0, to: stored.first.time) } ?? 0, stored.timeGaps.longest)
  }
}

extension Timestamp {
  /// True if this is MORE than the gap later than an earlier time.
  func isBeyond(_ gap: Interval, after earlier: Timestamp) -> Bool {
    let (distance, overflow) = milliseconds.subtractingReportingOverflow(earlier.milliseconds)
    return overflow || distance > gap.milliseconds
  }
}
