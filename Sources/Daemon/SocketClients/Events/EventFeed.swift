import Timelines
import LineProtocol

/// Events for watchers: the newest durable ones as lines, so that live watchers read nothing from the disk, and the
/// ephemeral ones that some watcher has not had. Bounded.
struct EventFeed {
  /// How far a watch has come: everything up to there has been delivered.
  struct Position: Equatable {
    /// The record's sequence number.
    var sequence: UInt64 = 0
    /// The number of the ephemeral event.
    var ephemeral: UInt64 = 0
  }

  static let maximumBytes = 512 << 10

  var ephemeral = EphemeralEvents()
  /// Gaps in the numbers are records that are no events.
  private var lines: [EventLine] = []
  private var bytes = 0
  /// Everything after this number is in `lines`.
  private(set) var completeAfter: UInt64 = .max

  /// Takes the event of a record that became durable, if it is one.
  mutating func append(_ line: EventLine?, sequence: UInt64) {
    if completeAfter == .max { completeAfter = sequence - 1 }
    guard let line else { return }
    lines.append(line)
    bytes += line.count
    guard bytes > Self.maximumBytes else { return }
    trim()
  }

  /// The durable events after a number, where all of them are here.
  func lines(after sequence: UInt64) -> ArraySlice<EventLine>? {
    guard sequence >= completeAfter else { return nil }
    return lines[lines.partitioningIndex { $0.sequence > sequence }...]
  }

  /// No client watches: nothing is kept.
  mutating func clear() {
    forgetLines()
    ephemeral.forget(upTo: .max)
  }

  /// Durable events are read from the log until more come.
  mutating func forgetLines() { (lines, bytes, completeAfter) = ([], 0, .max) }

  private mutating func trim() {
    var dropped = 0
    while bytes > Self.maximumBytes / 2, dropped < lines.count {
      bytes -= lines[dropped].count
      completeAfter = lines[dropped].sequence
      dropped += 1
    }
    lines.removeFirst(dropped)
  }
}
