import Clocks

/// Keeps others from filling the journal: of each topic some lines a minute are written, and the first one of a later
/// minute says how many were not.
package struct JournalGate {
  /// The topic of a line that servers and strangers can cause.
  package enum Topic: Hashable {
    /// A stanza that was not taken.
    case skipped
    /// A message of which nothing is kept.
    case ignored
    /// A message that somebody brings who may not.
    case forged
    /// An archive that does not do what it should.
    case archive
    /// A request for our presence beyond their bound.
    case requests
    /// A contact beyond the bound of the roster.
    case roster
    /// A user who may not use a socket, and a client for which there is no room.
    case strangers, crowd
    /// Pages of the index that could not be written.
    case pages
    /// A file that was not uploaded.
    case transfer
    /// A hook that fails.
    case hooks
    /// Records that cannot be read any more.
    case damage
    /// Batches that went to a new segment, and those that could not be stored at all.
    case writeErrors, outages

    /// Lines in one period.
    var most: Int {
      switch self {
      case .writeErrors, .outages: 3
      default: JournalGate.most
      }
    }
  }

  /// Lines of most topics in one period.
  static let most = 10
  static let period = Interval.minutes(1)

  private struct Subject: Hashable {
    let account: UInt32?
    let topic: Topic
  }

  private struct Count {
    var until: Instant
    var lines = 0
    var leftOut = 0
  }

  private var counts: [Subject: Count] = [:]

  /// Counts a line. Returns nil if it must not be written, else how many have been left out since the last one.
  mutating func admit(_ topic: Topic, of account: UInt32?, at now: Instant) -> Int? {
    let subject = Subject(account: account, topic: topic)
    var count = counts[subject] ?? Count(until: now.advanced(by: Self.period))
    defer { counts[subject] = count }
    if count.until <= now {
      count.until = now.advanced(by: Self.period)
      count.lines = 0
    }
    guard count.lines < topic.most else {
      count.leftOut += 1
      return nil
    }
    count.lines += 1
    defer { count.leftOut = 0 }
    return count.leftOut
  }
}
