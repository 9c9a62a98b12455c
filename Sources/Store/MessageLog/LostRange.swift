extension LogReader {
  /// The packed locations around `location` that are certain to be lost too once its record is missing: all of a
  /// segment that is gone, all behind the end of one that was cut off, or the rest of a sector that the disk does not
  /// return. Does not search for the next sound record: in arbitrary bytes that takes much longer than to try each
  /// known location.
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
