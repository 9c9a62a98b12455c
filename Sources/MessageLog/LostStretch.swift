/// A stretch of the log in which no sound record begins.
package struct LostStretch: Equatable, Sendable {
  /// Places in it, packed.
  package var places: Range<UInt64>
  /// What the disk could not read, it may read another time.
  package var mayReturn: Bool

  /// All of a segment.
  package init(allOf ordinal: UInt32, mayReturn: Bool) {
    let first = LogLocation(ordinal: ordinal, offset: 0).packed
    self.init(first..<first + 1 << 32, mayReturn)
  }

  fileprivate init(_ places: Range<UInt64>, _ mayReturn: Bool) { (self.places, self.mayReturn) = (places, mayReturn) }
}

extension LogReader {
  /// So far to either side of a place its stretch is followed.
  private static let farthest: UInt64 = 256 << 10

  /// The stretch around a place at which a record should be and is not, so that those beside it need not be tried one by
  /// one. It may go on where this one ends.
  package func lost(around location: LogLocation, in index: LogIndex) throws(StorageError) -> LostStretch {
    guard let position = position(of: location.ordinal, in: index) else {
      return LostStretch(allOf: location.ordinal, mayReturn: false)
    }
    let segment = index.segments[position].id
    let window = lenientWindow()
    let walk = walk(at: position, in: index, offset: UInt64(LogFormat.headerSize), sequence: segment.first).over(window)
    let offset = UInt64(location.offset)
    let (first, last) = (try start(of: offset, walk), try end(of: offset, walk))
    let base = location.packed - offset
    return LostStretch(base + first..<base + last, window.isUnreadable(segment, from: first, to: last))
  }

  /// Where the next sound record begins behind a place.
  private func end(of offset: UInt64, _ walk: SegmentWalk) throws(StorageError) -> UInt64 {
    var walk = walk
    let farthest = offset + Self.farthest
    return try walk.resynchronize(from: offset, before: farthest) ? max(walk.offset, offset + 1) : farthest
  }

  /// Where the last one ends before it.
  private func start(of offset: UInt64, _ walk: SegmentWalk) throws(StorageError) -> UInt64 {
    var walk = walk
    var start = max(UInt64(LogFormat.headerSize), offset - min(offset, Self.farthest))
    while try walk.resynchronize(from: start, before: offset) {
      _ = try walk.run { UInt64($0.location.offset) + UInt64($0.frameSize) < offset }
      start = walk.offset
    }
    return min(start, offset)
  }
}
