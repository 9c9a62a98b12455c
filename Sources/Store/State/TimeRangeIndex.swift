import Bytes
package import Clocks
import MessageLog

/// A range of a segment that holds messages: those whose records begin in the same MiB.
package struct LogRange: Hashable, Sendable {
  /// The segment.
  package var ordinal: UInt32
  /// The offsets of the first and the last message's record.
  package var first: UInt32
  package var last: UInt32
  /// The least and the greatest time of its messages.
  package var earliest: Timestamp
  package var latest: Timestamp

  package init(ordinal: UInt32, first: UInt32, last: UInt32, earliest: Timestamp, latest: Timestamp) {
    (self.ordinal, self.first, self.last) = (ordinal, first, last)
    (self.earliest, self.latest) = (earliest, latest)
  }
}

/// The times that the messages of each range of the log have, so that a search reads the newest first wherever they are:
/// an archive may have been filled backwards. 32 bytes for each MiB of log.
package struct TimeRangeIndex: Sendable {
  /// Bits of an offset inside a range.
  private static let bits: UInt32 = 20

  /// In the order of the log.
  package private(set) var list: [LogRange] = []

  /// Takes note of a message; they come in the order of the log.
  mutating func note(_ time: Timestamp, at location: LogLocation) {
    // By its index: who holds the last one by name makes the compiler copy the list for every message.
    let last = list.count - 1
    if last >= 0, list[last].ordinal == location.ordinal,
      list[last].first >> Self.bits == location.offset >> Self.bits
    {
      list[last].extend(by: time, location.offset)
    } else {
      list.append(
        LogRange(
          ordinal: location.ordinal, first: location.offset, last: location.offset, earliest: time, latest: time))
    }
  }

  /// Takes what a checkpoint says.
  mutating func restore(_ logRange: LogRange) { list.append(logRange) }
}

extension LogRange {
  fileprivate mutating func extend(by time: Timestamp, _ offset: UInt32) {
    last = max(last, offset)
    if time < earliest { earliest = time }
    if latest < time { latest = time }
  }
}

// In a checkpoint: 1 the first message's location, 2 the last one's offset, 3 and 4 the times.
extension LogRange {
  func write(into writer: inout FieldWriter) {
    writer.uint(1, LogLocation(ordinal: ordinal, offset: first).packed)
    writer.uint(2, UInt64(last))
    writer.int(3, earliest.milliseconds)
    writer.int(4, latest.milliseconds)
  }

  static func read(_ reader: inout FieldReader) throws(FieldError) -> LogRange {
    let zero = Timestamp(milliseconds: 0)
    var range = LogRange(ordinal: 0, first: 0, last: 0, earliest: zero, latest: zero)
    while let field = try reader.next() {
      switch field {
      case 1:
        let first = LogLocation(packed: try reader.uint())
        (range.ordinal, range.first) = (first.ordinal, first.offset)
      case 2: range.last = try reader.uint(UInt32.self)
      case 3: range.earliest = Timestamp(milliseconds: try reader.int())
      case 4: range.latest = Timestamp(milliseconds: try reader.int())
      default: break
      }
    }
    return range
  }
}
