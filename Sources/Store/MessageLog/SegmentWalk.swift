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
  /// The offset behind what may be read.
  var end: UInt64
  /// The first number that does not belong to this segment.
  var sequenceLimit: UInt64
  /// The offset at which the next frame should begin.
  var offset: UInt64
  /// The number it should have.
  var sequence: UInt64

  /// Bytes of long frames that may be looked at where nobody knows whether there are any.
  var effort = 1 << 30

  /// A copy of this walk that reads through another window.
  func over(_ window: SegmentWindow) -> SegmentWalk {
    var walk = self
    walk.window = window
    return walk
  }

  /// Calls `body` with each frame, batch frames too, until it returns false (having had that frame) or there is no
  /// more.
  mutating func run(_ body: (borrowing LogFrame) -> Bool) throws(StorageError) -> Stop {
    while true {
      if sequence >= sequenceLimit { return .limit }
      var bytes = try unsafe window.bytes(of: segment, at: offset, wanted: FrameHead.longest, end: end)
      if bytes.count == 0 { return .end }
      var position = 0
      // The inner loop stays inside what is in memory.
      while true {
        let start = unsafe bytes.baseAddress.unsafelyUnwrapped + position
        guard let head = unsafe FrameHead(at: start, bytes.count - position, in: segment) else {
          if position > 0 { break }
          return .bad(.length)
        }
        if bytes.count - position < head.frameSize {
          if position > 0 { break }
          guard UInt64(head.frameSize) <= end - offset else {
            return .bad(head.isEmpty(in: segment) ? .empty : .length)
          }
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

  @inline(__always)
  private func check(_ head: FrameHead, _ bytes: UnsafeRawBufferPointer, _ position: Int) -> BadFrame? {
    if head.kind == 0 { return head.isEmpty(in: segment) ? .empty : .checksum }
    guard unsafe Self.isSound(head, bytes, position) else { return .checksum }
    return head.sequence == sequence ? nil : .sequence(head.sequence)
  }

  @inline(__always)
  static func isSound(_ head: FrameHead, _ bytes: UnsafeRawBufferPointer, _ position: Int) -> Bool {
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
  /// True if the storage now has a sound frame at `offset`; a window keeps the bytes from when it was filled.
  func isSound(in storage: any LogStorage) throws(StorageError) -> Bool {
    var walk = over(SegmentWindow(storage: storage, chunk: 4096) { _ in true })
    return try walk.run { _ in false } == .enough
  }

  /// Calls `body` with the record at `offset`; false where there is none with the walk's number, or at all if that is
  /// 0.
  ///
  /// - Parameter ahead: so many bytes are worth reading at once.
  func one(ahead: Int, _ body: (borrowing LogFrame) -> Void) throws(StorageError) -> Bool {
    var bytes = try unsafe window.bytes(of: segment, at: offset, wanted: FrameHead.longest, end: end, ahead: ahead)
    guard let start = bytes.baseAddress, let head = unsafe FrameHead(at: start, bytes.count, in: segment),
      LogFormat.recordKinds.contains(head.kind), sequence == 0 || head.sequence == sequence,
      head.sequence < sequenceLimit
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
