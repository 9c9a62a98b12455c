/// Another record in the place of one, with a payload of the same size.
package struct Replacement: Sendable {
  package var kind: UInt8
  package var payload: [UInt8]

  package init(kind: UInt8, payload: [UInt8]) { (self.kind, self.payload) = (kind, payload) }
}

/// The one exception to a log that is only appended to: a segment with other records in the place of some, each with
/// the same number and of the same size, so that every place in the log stays what it is.
package struct SegmentErasure {
  private let storage: any LogStorage
  private let index: LogIndex
  private let window: SegmentWindow

  package init(_ storage: any LogStorage, _ index: LogIndex) {
    (self.storage, self.index) = (storage, index)
    window = SegmentWindow(storage: storage, chunk: 1 << 20)
  }

  /// The bytes of a segment's file after the replacements; nil if they change nothing. Damaged ranges are kept as they
  /// are.
  ///
  /// - Parameter clearsRest: true: bytes behind the segment's last record become zeros: they were never acknowledged,
  ///   or were written again elsewhere.
  package func content(
    of segment: LogIndex.Segment, clearsRest: Bool, replacing body: (borrowing LogFrame) -> Replacement?
  ) throws(StorageError) -> [UInt8]? {
    // First of all, so that nothing has been asked for where the disk does not give it.
    var bytes = try file(segment.id)
    var changes: [(place: Int, head: Int, sequence: UInt64, other: Replacement)] = []
    let end = try walk(segment) { frame in
      guard let replacement = body(frame), replacement.payload.count == frame.payloadCount else { return }
      changes.append((Int(frame.location.offset), frame.headSize, frame.sequence, replacement))
    }
    let rest = min(Int(clamping: end), bytes.count)
    let isClear = !clearsRest || bytes[rest...].allSatisfy { $0 == 0 }
    guard !changes.isEmpty || !isClear else { return nil }
    for (place, head, sequence, other) in changes {
      // Number and length stay what they are.
      var frame = Array(bytes[place..<place + head]) + other.payload
      frame[FrameHead.kindOffset] = other.kind
      FrameHead.seal(&frame, from: 0, sequence: sequence)
      bytes.replaceSubrange(place..<place + frame.count, with: frame)
    }
    if !isClear { bytes.replaceSubrange(rest..., with: repeatElement(0, count: bytes.count - rest)) }
    return bytes
  }

  /// Goes through the records of a segment; where they end.
  private func walk(
    _ segment: LogIndex.Segment, _ body: (borrowing LogFrame) -> Void
  ) throws(StorageError) -> UInt64 {
    guard let position = index.position(ofOrdinal: segment.ordinal) else { return UInt64(segment.end) }
    var walk = SegmentWalk(
      window: window, segment: segment.id, ordinal: segment.ordinal, end: UInt64(segment.end),
      sequenceLimit: index.sequenceLimit(at: position), offset: UInt64(LogFormat.headerSize),
      sequence: segment.id.first)
    while true {
      let stop = try walk.run { frame in
        if LogFormat.recordKinds.contains(frame.kind) { body(frame) }
        return true
      }
      guard case .bad = stop, try walk.passOver() else { return walk.offset }
    }
  }

  private func file(_ id: SegmentID) throws(StorageError) -> [UInt8] {
    guard let size = try storage.segments().first(where: { $0.id == id })?.size else { return [] }
    var bytes = [UInt8](repeating: 0, count: Int(size))
    let result = unsafe bytes.withUnsafeMutableBytes { buffer -> Result<Int, StorageError> in
      do throws(StorageError) {
        return .success(try unsafe storage.read(id, at: 0, into: buffer))
      } catch {
        return .failure(error)
      }
    }
    guard try result.get() == bytes.count else { throw StorageError(.failed, "read \(id.fileName): it became shorter") }
    return bytes
  }
}
