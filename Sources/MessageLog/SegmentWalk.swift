import Bytes

/// Goes through the frames of one segment, checking each.
struct SegmentWalk {
  /// Why a walk ended.
  enum Stop: Equatable {
    /// At the end of what there is.
    case end
    /// Before the record whose number belongs to the next segment.
    case limit
    /// The caller had enough. The frame at the present offset is the next one.
    case enough
    /// There is no frame where one should be.
    case bad(BadFrame)
  }

  private(set) var window: SegmentWindow
  let segment: SegmentID
  let ordinal: UInt32
  let form: FrameForm
  /// The offset behind what may be read.
  let end: UInt64
  /// The first number that does not belong to this segment.
  var sequenceLimit: UInt64
  /// Where the next frame should begin.
  var offset: UInt64
  /// The number it should have.
  var sequence: UInt64

  /// The same walk with another window.
  func over(_ window: SegmentWindow) -> SegmentWalk {
    var walk = self
    walk.window = window
    return walk
  }

  /// Calls `body` with each frame, batch frames too, until it returns false (having had that frame) or there is no more.
  mutating func run(_ body: (borrowing LogFrame) -> Bool) throws(StorageError) -> Stop {
    while true {
      if sequence >= sequenceLimit { return .limit }
      var bytes = try unsafe window.bytes(of: segment, at: offset, wanted: form.longest, end: end)
      if bytes.count == 0 { return .end }
      var position = 0
      // The inner loop stays inside what is in memory.
      while true {
        let start = unsafe bytes.baseAddress.unsafelyUnwrapped + position
        guard let head = unsafe FrameHead(at: start, bytes.count - position, form) else {
          if position > 0 { break }
          return .bad(.length)
        }
        if bytes.count - position < head.frameSize {
          if position > 0 { break }
          guard UInt64(head.frameSize) <= end - offset else { return .bad(head.isEmpty(form) ? .empty : .length) }
          unsafe bytes = try unsafe window.bytes(of: segment, at: offset, wanted: head.frameSize, end: end)
          if bytes.count < head.frameSize { return .bad(.length) }
        }
        if let bad = unsafe check(head, bytes, position) { return .bad(bad) }
        let frame = unsafe frame(head, bytes, position)
        let goOn = body(frame)
        position += head.frameSize
        offset += UInt64(head.frameSize)
        if LogFormat.recordKinds.contains(head.kind) { sequence += 1 }
        if !goOn { return .enough }
        if sequence >= sequenceLimit { return .limit }
      }
    }
  }

  /// Looks for the next frame of this segment that begins at or behind `from`, and before `limit`; its number must be one that
  /// it may have there, where `sequence` should stand at `offset`. Leaves `offset` and `sequence` there and returns true, or
  /// leaves them and returns false.
  mutating func resynchronize(from: UInt64, before limit: UInt64 = .max) throws(StorageError) -> Bool {
    var candidate = from
    while candidate < limit, let (place, number) = try nextCandidate(from: candidate, before: limit), place < limit {
      if try isFrame(at: place, number) {
        (offset, sequence) = (place, number)
        return true
      }
      candidate = place + 1
    }
    return false
  }

  /// The first place at or behind `from` where a frame could have a number that it may have; and the number.
  private func nextCandidate(from: UInt64, before limit: UInt64) throws(StorageError) -> (UInt64, UInt64)? {
    var start = from
    while start < limit {
      let bytes = try unsafe window.bytes(of: segment, at: start, wanted: 4096, end: end)
      guard bytes.count >= form.shortest else { return nil }
      let last = bytes.count - form.shortest
      for position in 0...last {
        let place = start + UInt64(position)
        if let number = unsafe number(in: bytes, position, at: place) { return (place, number) }
      }
      start += UInt64(last + 1)
    }
    return nil
  }

  /// The number that a frame at `position` would have, where it may have that. Three bytes of a number are soon the right
  /// ones by chance: so it must be one that as many frames lead to as there is room for.
  @inline(__always)
  private func number(in bytes: UnsafeRawBufferPointer, _ position: Int, at place: UInt64) -> UInt64? {
    if form.isOld {
      let number = UInt64(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: position + 8, as: UInt64.self))
      return number >= sequence && number < sequenceLimit ? number : nil
    }
    let word = UInt32(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: position + 4, as: UInt32.self))
    let number = form.sequence(low: word >> 8)
    guard word & 0xFF != 0, number >= sequence, number < sequenceLimit else { return nil }
    return number - sequence <= (place - min(place, offset)) / UInt64(form.shortest) ? number : nil
  }

  /// The offset of the last byte at or behind `offset` that is not zero.
  func lastNonZero() throws(StorageError) -> UInt64? {
    var position = offset
    var last: UInt64?
    while true {
      let bytes = try unsafe window.bytes(of: segment, at: position, wanted: 4096, end: end)
      if bytes.count == 0 { return last }
      if let index = unsafe bytes.lastIndex(where: { $0 != 0 }) { last = position + UInt64(index) }
      position += UInt64(bytes.count)
    }
  }

  /// Whether a sound frame with this number begins at `place`.
  private func isFrame(at place: UInt64, _ number: UInt64) throws(StorageError) -> Bool {
    var bytes = try unsafe window.bytes(of: segment, at: place, wanted: form.longest, end: end)
    guard let start = bytes.baseAddress, let head = unsafe FrameHead(at: start, bytes.count, form), head.kind != 0,
      UInt64(head.frameSize) <= end - place
    else { return false }
    unsafe bytes = try unsafe window.bytes(of: segment, at: place, wanted: head.frameSize, end: end)
    guard bytes.count >= head.frameSize else { return false }
    return unsafe Self.isSound(head, bytes, 0)
  }

  @inline(__always)
  private func check(_ head: FrameHead, _ bytes: UnsafeRawBufferPointer, _ position: Int) -> BadFrame? {
    if head.kind == 0 { return head.isEmpty(form) ? .empty : .checksum }
    guard unsafe Self.isSound(head, bytes, position) else { return .checksum }
    return head.sequence == sequence ? nil : .sequence(head.sequence)
  }

  @inline(__always)
  private static func isSound(_ head: FrameHead, _ bytes: UnsafeRawBufferPointer, _ position: Int) -> Bool {
    unsafe head.isSound(UnsafeRawBufferPointer(rebasing: bytes[position + 4..<position + head.frameSize]))
  }

  @inline(__always)
  private func frame(_ head: FrameHead, _ bytes: UnsafeRawBufferPointer, _ position: Int) -> LogFrame {
    unsafe LogFrame(
      head, at: bytes.baseAddress.unsafelyUnwrapped + position,
      LogLocation(ordinal: ordinal, offset: UInt32(truncatingIfNeeded: offset)))
  }
}

extension SegmentWalk {
  /// Calls `body` with the record at `offset`; false where there is none with the walk's number.
  ///
  /// - Parameter ahead: so many bytes are worth reading at once.
  func one(ahead: Int, _ body: (borrowing LogFrame) -> Void) throws(StorageError) -> Bool {
    var bytes = try unsafe window.bytes(of: segment, at: offset, wanted: form.longest, end: end, ahead: ahead)
    guard let start = bytes.baseAddress, let head = unsafe FrameHead(at: start, bytes.count, form),
      LogFormat.recordKinds.contains(head.kind), head.sequence == sequence, sequence < sequenceLimit
    else { return false }
    if bytes.count < head.frameSize {
      guard UInt64(head.frameSize) <= end - offset else { return false }
      unsafe bytes = try unsafe window.bytes(of: segment, at: offset, wanted: head.frameSize, end: end, ahead: ahead)
    }
    guard bytes.count >= head.frameSize, unsafe Self.isSound(head, bytes, 0) else { return false }
    let frame = unsafe frame(head, bytes, 0)
    body(frame)
    return true
  }
}
