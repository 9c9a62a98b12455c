extension LogReader {
  /// The places, packed, around one at which a record should be and is not, of which the same is known without trying: all
  /// of a segment that is gone, all behind the end of one that was cut off, or what is left of a sector that the disk does
  /// not give. Nobody looks for where sound records go on: among bytes of any kind that takes much longer than to try each
  /// place that is known.
  package func lost(around location: LogLocation, in index: LogIndex) throws(StorageError) -> Range<UInt64> {
    let (place, offset) = (location.packed, UInt64(location.offset))
    guard let position = position(of: location.ordinal, in: index) else {
      return place - offset..<place - offset + 1 << 32
    }
    let (segment, window) = (index.segments[position], lenientWindow())
    let bytes = try unsafe window.bytes(of: segment.id, at: offset, wanted: 1, end: UInt64(segment.end), ahead: 1)
    if bytes.count == 0 { return place..<place - offset + 1 << 32 }
    guard window.isUnreadable(segment.id, from: offset, to: offset + 1) else { return place..<place + 1 }
    let first = offset / SegmentWindow.sector * SegmentWindow.sector
    return place - offset + first..<place - offset + first + SegmentWindow.sector
  }
}
