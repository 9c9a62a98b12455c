package import Bytes

/// Reads ranges of segments, whole, for who looks for something in them: only the records that hold one of some
/// fragments are handed out, each with its checksum checked. Not thread-safe.
@safe package final class LogRangeReader {
  private let storage: any LogStorage
  private var buffer: UnsafeMutableRawBufferPointer
  /// Bytes of the range that are there.
  private var count = 0
  /// Bytes of it that there should be, as far as that is known.
  private var wanted = 0
  /// Bytes that are kept allocated.
  private static let usual = 1 << 20 + 64 << 10
  /// Bytes that are read at a time.
  package static let piece = 128 << 10

  package init(storage: any LogStorage) {
    self.storage = storage
    unsafe buffer = .allocate(byteCount: Self.usual, alignment: 64)
  }

  deinit { unsafe buffer.deallocate() }

  /// Calls `body` with the records of one segment from the one at offset `first` to the one at `last` that hold one of
  /// `fragments` anywhere in their bytes; without fragments with all of them, the last one first. Damaged ranges are
  /// passed over. Returns the bytes, in whole sectors, that the disk does not return or that are gone.
  package func scan(
    ordinal: UInt32, from first: UInt32, to last: UInt32, in index: LogIndex, for fragments: FragmentSet?,
    _ body: (borrowing LogFrame) -> Void
  ) throws(StorageError) -> Int {
    count = 0
    guard first <= last, last - first < Self.usual else { return 0 }
    guard let position = index.position(ofOrdinal: ordinal) else { return Self.sectors(from: first, to: last) }
    do throws(StorageError) {
      return try scan(position, from: first, to: last, in: index, for: fragments, body)
    } catch {
      guard error.cause == .missing else { throw error }
      return Self.sectors(from: first, to: last)
    }
  }

  private func scan(
    _ position: Int, from first: UInt32, to last: UInt32, in index: LogIndex, for fragments: FragmentSet?,
    _ body: (borrowing LogFrame) -> Void
  ) throws(StorageError) -> Int {
    let segment = index.segments[position]
    var place: Int?
    var isRead = true
    do throws(StorageError) {
      place = try load(segment, from: first, to: last, for: fragments)
    } catch {
      guard error.cause == .unreadable else { throw error }
      (isRead, count) = (false, 0)
    }
    var chain = unsafe FrameChain(
      bytes: loaded, segment, base: first, limit: index.sequenceLimit(at: position))
    guard isRead else { return try passOver(chain, to: last, body) }
    let cutOff = count < wanted ? Self.sectors(from: first + UInt32(count), to: first + UInt32(wanted - 1)) : 0
    guard let place else { return cutOff }
    let isWhole: Bool
    if let fragments {
      isWhole = unsafe Self.look(for: fragments, in: loaded, from: place, &chain, body)
    } else {
      isWhole = chain.visitAll(body)
    }
    return isWhole ? cutOff : try cutOff + passOver(chain, to: last, body)
  }

  /// The bytes of the sectors from the one at offset `first` to the one at `last`.
  private static func sectors(from first: UInt32, to last: UInt32) -> Int {
    let size = Int(SegmentWindow.sector)
    return (Int(last) / size - Int(first) / size + 1) * size
  }

  /// Bytes of the last range that are enough to see what is met often.
  private static let sample = 64 << 10

  /// Calls `body` with a part of the range that was read last.
  package func withSample(_ body: (RawSpan) -> Void) {
    body(unsafe UnsafeRawBufferPointer(rebasing: loaded.prefix(Self.sample)).bytes)
  }

  /// Hands out the frames that hold one of the fragments; false where they do not follow one another.
  private static func look(
    for fragments: FragmentSet, in bytes: UnsafeRawBufferPointer, from place: Int, _ chain: inout FrameChain,
    _ body: (borrowing LogFrame) -> Void
  ) -> Bool {
    var next = place
    while let place = unsafe fragments.first(in: bytes, from: next) {
      guard let end = chain.visit(place, body) else { return false }
      next = end
    }
    return true
  }

  private var loaded: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count]) }

  /// Reads from offset `first` to the end of the frame at `last`; the first place where one of the fragments stands,
  /// nil where none does, 0 where none is asked for.
  private func load(
    _ segment: LogIndex.Segment, from first: UInt32, to last: UInt32, for fragments: FragmentSet?
  ) throws(StorageError) -> Int? {
    var place = fragments == nil ? 0 : nil
    let start = Int(last - first)
    let available = max(0, Int(segment.end) - Int(first))
    wanted = start + 1
    try fill(segment.id, first, to: min(available, start + FrameHead.longest), fragments, &place)
    let head = unsafe UnsafeRawPointer(buffer.baseAddress.unsafelyUnwrapped) + start
    if let head = unsafe FrameHead(at: head, count - start, in: segment.id) {
      wanted = min(available, start + head.frameSize)
      try fill(segment.id, first, to: wanted, fragments, &place)
    }
    return place
  }

  /// Reads what is missing up to `end`: in pieces that are looked through while the processor has them in its cache,
  /// until one of the fragments is met, and the rest at once.
  private func fill(
    _ segment: SegmentID, _ first: UInt32, to end: Int, _ fragments: FragmentSet?, _ place: inout Int?
  ) throws(StorageError) {
    resizeBuffer(end)
    while count < end {
      let before = count
      let next = place == nil ? min(end, count + Self.piece) : end
      let target = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count..<next])
      count += try unsafe storage.readTwice(segment, at: UInt64(first) + UInt64(count), into: target)
      guard count > before else { return }
      guard place == nil else { continue }
      place = unsafe fragments?.first(in: loaded, from: max(0, before + 1 - FragmentSet.longest))
    }
  }

  /// Gives the buffer at least as many bytes as are wanted, and no more than usual once it is empty.
  private func resizeBuffer(_ wanted: Int) {
    let size = max(wanted, Self.usual)
    let isTooLarge = unsafe buffer.count > Self.usual && size == Self.usual && count == 0
    guard unsafe buffer.count < wanted || isTooLarge else { return }
    let other = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 64)
    unsafe other.copyMemory(from: loaded)
    unsafe buffer.deallocate()
    unsafe buffer = other
  }

  /// Goes on behind a damaged place, with zeros for what the disk cannot read; how many bytes that is.
  private func passOver(
    _ chain: FrameChain, to last: UInt32, _ body: (borrowing LogFrame) -> Void
  ) throws(StorageError) -> Int {
    let window = SegmentWindow(storage: storage, chunk: 64 << 10) { _ in true }
    var walk = chain.walk(window)
    var place = chain.place
    while try walk.resynchronize(from: place, before: UInt64(last) + 1) {
      let stop = try walk.run { frame in
        guard frame.location.offset <= last else { return false }
        if LogFormat.recordKinds.contains(frame.kind) { body(frame) }
        return true
      }
      place = walk.offset
      guard case .bad = stop else { break }
    }
    let sectors = window.unreadableSectors(of: walk.segment, from: chain.place, to: UInt64(last) + 1)
    return sectors * Int(SegmentWindow.sector)
  }
}

/// Frames one behind the other in memory, of which only those that are asked for are checked.
@safe private struct FrameChain {
  let bytes: UnsafeRawBufferPointer
  let count: Int
  let segment: LogIndex.Segment
  /// The offset in the segment of the first byte.
  let base: UInt32
  /// The first number that does not belong to this segment.
  let limit: UInt64
  /// The offset in `bytes` of the next frame that was not passed, and its number; 0: unknown.
  private var next = 0
  private var sequence: UInt64 = 0

  init(bytes: UnsafeRawBufferPointer, _ segment: LogIndex.Segment, base: UInt32, limit: UInt64) {
    unsafe self.bytes = bytes
    count = bytes.count
    (self.segment, self.base, self.limit) = (segment, base, limit)
  }

  /// Hands out the frame that holds the byte at `place`, where it is a record; the end of that frame. Nil where the
  /// frames do not follow one another as they should.
  mutating func visit(_ place: Int, _ body: (borrowing LogFrame) -> Void) -> Int? {
    while let head = head() {
      let start = next
      if next + head.frameSize > place {
        guard isSound(head, at: start) else { return nil }
        step(head)
        hand(head, at: start, to: body)
        return next
      }
      step(head)
    }
    return nil
  }

  /// Hands out all frames, the last one first; false where they do not follow one another as they should, before which
  /// nothing is left out but single ones that are damaged.
  mutating func visitAll(_ body: (borrowing LogFrame) -> Void) -> Bool {
    var places: [UInt32] = []
    while let head = head() {
      places.append(UInt32(next))
      step(head)
    }
    let isWhole = next == count
    // A damaged length leads anywhere: what follows begins where the last sound frame ends.
    while !isWhole, let place = places.last, sound(at: Int(place)) == nil { next = Int(places.removeLast()) }
    for place in places.reversed() {
      if let head = sound(at: Int(place)) { hand(head, at: Int(place), to: body) }
    }
    return isWhole
  }

  /// The head of the next frame; nil where there is none as there should be.
  private func head() -> FrameHead? {
    guard let head = head(at: next), head.kind != 0, head.frameSize <= count - next,
      head.sequence == sequence || sequence == 0, head.sequence < limit
    else { return nil }
    return head
  }

  private func head(at place: Int) -> FrameHead? {
    guard let start = unsafe bytes.baseAddress else { return nil }
    return unsafe FrameHead(at: start + place, count - place, in: segment.id)
  }

  private func hand(_ head: FrameHead, at start: Int, to body: (borrowing LogFrame) -> Void) {
    if LogFormat.recordKinds.contains(head.kind) { body(frame(head, at: start)) }
  }

  private mutating func step(_ head: FrameHead) {
    next += head.frameSize
    sequence = head.sequence + (LogFormat.recordKinds.contains(head.kind) ? 1 : 0)
  }

  private func sound(at place: Int) -> FrameHead? {
    head(at: place).flatMap { isSound($0, at: place) ? $0 : nil }
  }

  private func isSound(_ head: FrameHead, at start: Int) -> Bool {
    unsafe head.isSound(UnsafeRawBufferPointer(rebasing: bytes[start + 4..<start + head.frameSize]))
  }

  private func frame(_ head: FrameHead, at start: Int) -> LogFrame {
    unsafe LogFrame(
      head, at: bytes.baseAddress.unsafelyUnwrapped + start,
      LogLocation(ordinal: segment.ordinal, offset: base + UInt32(start)))
  }

  /// The offset in the segment at which the chain breaks.
  var place: UInt64 { UInt64(base) + UInt64(next) }

  /// A walk from the segment's start, by which it is known which numbers may stand there.
  func walk(_ window: SegmentWindow) -> SegmentWalk {
    SegmentWalk(
      window: window, segment: segment.id, ordinal: segment.ordinal, end: UInt64(segment.end),
      sequenceLimit: limit, offset: UInt64(LogFormat.headerSize), sequence: segment.id.first)
  }
}
