/// The segments of a log and their durable ends: all that a reader needs to find records. A value: copies go to other
/// threads.
package struct LogIndex: Sendable {
  /// A segment that holds durable records, or may get some.
  package struct Segment: Equatable, Sendable {
    package var id: SegmentID
    package var ordinal: UInt32
    /// The offset up to which it may be read.
    package var end: UInt32
  }

  /// The segments in their order.
  package private(set) var segments: [Segment] = []
  /// The newest durable record's number; 0 if there is none yet.
  package private(set) var lastSequence: UInt64 = 0

  package init() {}

  init(segments: [Segment], lastSequence: UInt64) {
    (self.segments, self.lastSequence) = (segments, lastSequence)
  }

  /// The place behind the newest durable record.
  package var end: LogLocation {
    segments.last.map { LogLocation(ordinal: $0.ordinal, offset: $0.end) } ?? LogLocation(ordinal: 0, offset: 0)
  }

  /// The position in `segments` of the one with this ordinal.
  func position(ofOrdinal ordinal: UInt32) -> Int? {
    let position = partition { $0.ordinal < ordinal }
    return position < segments.count && segments[position].ordinal == ordinal ? position : nil
  }

  /// The position in `segments` of the one that should hold record `sequence`.
  func position(ofSequence sequence: UInt64) -> Int? {
    let position = partition { $0.id.first <= sequence }
    return position > 0 ? position - 1 : nil
  }

  /// The number that no record of the segment at `position` may reach: the first of the next segment.
  func sequenceLimit(at position: Int) -> UInt64 {
    position + 1 < segments.count ? segments[position + 1].id.first : lastSequence + 1
  }

  /// Takes note that the records up to `sequence` are durable and end at `end` of `segment`.
  mutating func extend(_ segment: SegmentID, ordinal: UInt32, end: UInt32, lastSequence sequence: UInt64) {
    if let last = segments.last, last.id >= segment { segments.removeLast() }
    segments.append(Segment(id: segment, ordinal: ordinal, end: end))
    lastSequence = sequence
  }

  /// The count of segments at the front for which `isBefore` holds.
  private func partition(_ isBefore: (Segment) -> Bool) -> Int {
    var low = 0
    var high = segments.count
    while low < high {
      let middle = (low + high) / 2
      if isBefore(segments[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
