/// Looking for frames where they do not follow one another.
extension SegmentWalk {
  /// Goes on behind a bad place, where `sequence` should stand at `offset`: leaves both at the next frame of this
  /// segment and returns true, or leaves them as they are and returns false.
  mutating func passOver() throws(StorageError) -> Bool {
    var known = self
    defer { effort = known.effort }
    guard try known.resynchronize(from: offset) else { return false }
    // Frames between missing bytes and the frame found may have any number up to its number.
    var between = self
    between.effort = known.effort
    defer { known.effort = between.effort }
    (between.end, between.sequenceLimit) = (known.offset, known.sequence + 1)
    var place = offset
    while let (start, number) = try between.nextFrame(.any, from: place) {
      var chain = between
      (chain.offset, chain.sequence) = (start, number)
      _ = try chain.run { _ in true }
      if chain.offset == known.offset, chain.sequence == known.sequence {
        (offset, sequence) = (start, number)
        return true
      }
      place = chain.offset
    }
    (offset, sequence) = (known.offset, known.sequence)
    return true
  }

  /// Looks for the next frame of this segment that begins at or behind `from`, and before `limit`; its number must be
  /// one that it may have there, where `sequence` should stand at `offset`. Leaves `offset` and `sequence` there and
  /// returns true, or leaves them and returns false.
  mutating func resynchronize(from: UInt64, before limit: UInt64 = .max) throws(StorageError) -> Bool {
    guard let (place, number) = try nextFrame(.likely, from: from, before: limit) else { return false }
    (offset, sequence) = (place, number)
    return true
  }

  /// The offset of the last batch between `offset` and `end` that was written to this segment behind others: those were
  /// durable by then. Nil if there is none.
  func lastBatch(before end: UInt64) throws(StorageError) -> UInt64? {
    var walk = self
    walk.end = min(end, self.end)
    var last: UInt64?
    var start = offset
    while let (place, _) = try walk.nextFrame(.batch, from: start) { (last, start) = (place, place + 1) }
    return last
  }

  /// The kind of frame that a search accepts.
  private enum Wanted {
    /// A frame whose number is one that as many frames lead to as fit before it.
    case likely
    /// A frame of any number that may stand there.
    case any
    /// A batch that says that others were in this segment before it.
    case batch
  }

  /// The first sound frame at or behind `from`, and before `limit`, and its number.
  private mutating func nextFrame(
    _ wanted: Wanted, from: UInt64, before limit: UInt64 = .max
  ) throws(StorageError) -> (UInt64, UInt64)? {
    var candidate = from
    while candidate < limit, let (place, number) = try nextCandidate(wanted, from: candidate, before: limit),
      place < limit
    {
      if try isFrame(at: place, number) { return (place, number) }
      candidate = place + 1
    }
    return nil
  }

  /// The first place at or behind `from` where a frame could have a number that it may have; and the number.
  private func nextCandidate(
    _ wanted: Wanted, from: UInt64, before limit: UInt64
  ) throws(StorageError) -> (UInt64, UInt64)? {
    var start = from
    while start < limit {
      let bytes = try unsafe window.bytes(of: segment, at: start, wanted: 4096, end: end)
      guard bytes.count >= FrameHead.shortest else { return nil }
      // The last position checked leaves room for a batch frame's payload, unless the segment ends there.
      let last = bytes.count - (bytes.count < LogFormat.batchFrameSize ? FrameHead.shortest : LogFormat.batchFrameSize)
      for position in 0...last {
        let place = start + UInt64(position)
        if let number = unsafe number(wanted, in: bytes, position, at: place) { return (place, number) }
      }
      start += UInt64(last + 1)
    }
    return nil
  }

  /// The number that a frame at `position` would have, where that is wanted. Three bytes of a number are soon the right
  /// ones by chance: so it must be one that as many frames lead to as fit in between, or was where a batch says that it
  /// stood.
  @inline(__always)
  private func number(
    _ wanted: Wanted, in bytes: UnsafeRawBufferPointer, _ position: Int, at place: UInt64
  ) -> UInt64? {
    let kind = unsafe bytes[position + FrameHead.kindOffset]
    guard kind != 0, wanted != .batch || kind == LogFormat.batchKind else { return nil }
    let number = unsafe segment.sequence(in: bytes, position)
    guard number >= sequence, number < limit(wanted, kind) else { return nil }
    if wanted == .any || wanted == .likely && canReach(number, before: place) { return number }
    guard kind == LogFormat.batchKind, let stood = unsafe placeOfBatch(in: bytes, position) else { return nil }
    return canReach(number, before: max(place, stood)) ? number : nil
  }

  /// The bound below which the number must be. A batch of which no record is left may have the number with which the
  /// next segment begins.
  @inline(__always)
  private func limit(_ wanted: Wanted, _ kind: UInt8) -> UInt64 {
    kind == LogFormat.batchKind && wanted != .any && sequenceLimit < .max ? sequenceLimit + 1 : sequenceLimit
  }

  /// True if enough records for this number fit between `offset` and `place`.
  @inline(__always)
  private func canReach(_ number: UInt64, before place: UInt64) -> Bool {
    number - sequence <= (place - min(place, offset)) / UInt64(FrameHead.shortest)
  }

  /// The offset that a batch frame at `position` states for itself, if it was written behind others in this segment.
  private func placeOfBatch(in bytes: UnsafeRawBufferPointer, _ position: Int) -> UInt64? {
    let start = unsafe bytes.baseAddress.unsafelyUnwrapped + position
    guard let head = unsafe FrameHead(at: start, bytes.count - position, in: segment), head.length >= 8,
      bytes.count - position >= head.size + 8
    else { return nil }
    let packed = unsafe start.loadUnaligned(fromByteOffset: head.size, as: UInt64.self)
    let stated = LogLocation(packed: UInt64(littleEndian: packed))
    return stated.ordinal == ordinal ? UInt64(stated.offset) : nil
  }

  /// The size of frames that are always checked: longer ones only until `effort` is used up.
  private static let short = 4096

  /// True if a sound frame with this number begins at `place`.
  ///
  /// In arbitrary bytes every eighth offset looks like the head of a long record, and the checksums of all would take
  /// hours for a segment. A limit on the bytes checked (`effort`) prevents that.
  private mutating func isFrame(at place: UInt64, _ number: UInt64) throws(StorageError) -> Bool {
    var bytes = try unsafe window.bytes(of: segment, at: place, wanted: FrameHead.longest, end: end)
    guard let start = bytes.baseAddress, let head = unsafe FrameHead(at: start, bytes.count, in: segment),
      head.kind != 0,
      UInt64(head.frameSize) <= end - place
    else { return false }
    if head.frameSize > Self.short {
      guard effort > 0 else { return false }
      effort -= head.frameSize
    }
    unsafe bytes = try unsafe window.bytes(of: segment, at: place, wanted: head.frameSize, end: end)
    guard bytes.count >= head.frameSize else { return false }
    return unsafe Self.isSound(head, bytes, 0)
  }

  /// True if the record before `sequence` ends at `offset`.
  func followsRecord() throws(StorageError) -> Bool {
    for way in [4096, UInt64(LogFormat.maximumPayload + FrameHead.longest)] {
      let start = max(UInt64(LogFormat.headerSize), offset - min(way, offset))
      guard offset > start else { return false }
      let bytes = try unsafe window.bytes(of: segment, at: start, wanted: Int(offset - start), end: offset)
      if unsafe endsWithRecord(bytes) { return true }
    }
    return false
  }

  private func endsWithRecord(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let start = bytes.baseAddress, bytes.count >= FrameHead.shortest else { return false }
    return (0...bytes.count - FrameHead.shortest).reversed().contains { position in
      guard let head = unsafe FrameHead(at: start + position, bytes.count - position, in: segment),
        head.sequence == sequence - 1, LogFormat.recordKinds.contains(head.kind),
        head.frameSize == bytes.count - position
      else { return false }
      return unsafe Self.isSound(head, bytes, position)
    }
  }

  /// The offset of the last byte at or behind `offset` that is not zero.
  func lastNonZero() throws(StorageError) -> UInt64? {
    var position = offset
    var last: UInt64?
    while true {
      let bytes = try unsafe window.bytes(of: segment, at: position, wanted: 4096, end: end)
      if bytes.count == 0 { return last }
      // A generic search allocates for each byte where nothing is optimised: minutes under the AddressSanitizer.
      var count = bytes.count
      while count > 0, unsafe bytes[count - 1] == 0 { count -= 1 }
      if count > 0 { last = position + UInt64(count - 1) }
      position += UInt64(bytes.count)
    }
  }
}
