import Bytes

/// Records that are written and synced together. Made by `LogWriter`, performed on the writer's thread, and handed back
/// to the same `LogWriter`.
package struct LogBatch: Sendable {
  /// The segment it goes to.
  package let segment: SegmentID
  package let ordinal: UInt32
  /// True if the batch begins that segment.
  package let createsSegment: Bool
  /// True if the batch begins a segment other than the log's first.
  package var beginsLaterSegment: Bool { createsSegment && ordinal > 1 }
  /// The offset of the batch in the segment.
  let offset: UInt32
  /// The older segment that this batch, or one that failed before it, goes to or went to, and its durable end.
  private(set) var tainted: LogIndex.Segment?
  /// True if an earlier batch failed and may have left bytes on the disk.
  package private(set) var isBehindDoubt = false
  /// Bytes to keep for a segment that it begins.
  let segmentSize: UInt64
  /// The number of its first record.
  let first: UInt64
  /// Its bytes: the header of a segment that it begins, the batch frame, the records.
  var content: FieldWriter
  /// The offsets of its records in `content`.
  private(set) var offsets: [UInt32]

  /// Capacity that a batch is expected to need, reserved at once.
  struct Capacity: Sendable {
    var bytes = 0
    var records = 0
    /// The buffers of a durable batch, for reuse by the batch that follows.
    var spent: (bytes: [UInt8], offsets: [UInt32])?
  }

  /// An empty batch.
  init(
    segment: SegmentID, ordinal: UInt32, header: [UInt8], offset: UInt32, segmentSize: UInt64, first: UInt64,
    capacity: inout Capacity
  ) {
    (self.segment, self.ordinal) = (segment, ordinal)
    createsSegment = !header.isEmpty
    (self.offset, self.segmentSize, self.first) = (offset, segmentSize, first)
    (content, offsets) = capacity.take()
    content.bytes.append(contentsOf: header)
    content.bytes.append(contentsOf: repeatElement(0, count: LogFormat.batchFrameSize))
  }

  /// The numbers of its records.
  package var sequences: Range<UInt64> { first..<first + UInt64(offsets.count) }

  /// Bytes that it writes.
  package var byteCount: Int { content.bytes.count }

  /// The location of record `sequence`, which must be in the batch.
  package func location(of sequence: UInt64) -> LogLocation {
    LogLocation(ordinal: ordinal, offset: offset + offsets[Int(sequence - first)])
  }

  /// Calls `body` with each of its records, in their order.
  package func forEachRecord<E: Error>(_ body: (borrowing LogFrame) throws(E) -> Void) throws(E) {
    for sequence in sequences { try withRecord(sequence, body) }
  }

  /// Calls `body` with record `sequence`, which must be in it.
  package func withRecord<E: Error>(_ sequence: UInt64, _ body: (borrowing LogFrame) throws(E) -> Void) throws(E) {
    let index = Int(sequence - first)
    let start = Int(offsets[index])
    let end = index + 1 < offsets.count ? Int(offsets[index + 1]) : content.bytes.count
    try unsafe content.bytes.span.bytes.withUnsafeBytes { buffer throws(E) in
      let bytes = unsafe UnsafeRawBufferPointer(rebasing: buffer[start..<end])
      guard let frame = unsafe frame(of: bytes, sequence: sequence) else { return }
      try body(frame)
    }
  }

  /// The offset behind the batch, where the next one would go.
  var end: UInt32 { offset + UInt32(byteCount) }

  /// Appends one record; its number is the next.
  mutating func append(kind: UInt8, _ body: (inout FieldWriter) -> Void) {
    if offsets.count == Self.many { reserveForBurst() }
    let start = content.bytes.count
    content.bytes.append(addingCapacity: FrameHead.usual) { $0.append(repeating: 0, count: FrameHead.usual) }
    body(&content)
    FrameHead.close(&content.bytes, from: start, kind: kind, sequence: first + UInt64(offsets.count))
    offsets.append(UInt32(start))
  }

  /// Appends one whole frame as it is; its number must be the next.
  mutating func append(frame: ArraySlice<UInt8>) {
    offsets.append(UInt32(content.bytes.count))
    content.bytes.append(contentsOf: frame)
  }

  /// The bytes of the record at `index`.
  func frame(at index: Int) -> ArraySlice<UInt8> {
    content.bytes[Int(offsets[index])..<(index + 1 < offsets.count ? Int(offsets[index + 1]) : content.bytes.count)]
  }

  /// Takes the last record out again and returns its bytes.
  mutating func removeLast() -> [UInt8] {
    let frame = Array(frame(at: offsets.count - 1))
    content.bytes.removeLast(frame.count)
    offsets.removeLast()
    return frame
  }

  /// Fills in the batch frame: what was durable before it.
  mutating func close(durable: LogLocation, tainted: LogIndex.Segment?, isInDoubt: Bool) {
    (self.tainted, isBehindDoubt) = (tainted, isInDoubt)
    var frame = [UInt8](repeating: 0, count: FrameHead.usual + 8)
    frame.put(durable.packed, at: FrameHead.usual)
    FrameHead.close(&frame, from: 0, kind: LogFormat.batchKind, sequence: first)
    let start = createsSegment ? LogFormat.headerSize : 0
    content.bytes.replaceSubrange(start..<start + frame.count, with: frame)
  }

  /// A capacity for as much as this one has, and a little more: its own buffers, where another batch follows at once or
  /// a burst has made it so large, whose next part may come soon.
  func capacityOfNext(isFollowed: Bool) -> Capacity {
    let (present, most) = (content.bytes.capacity, Self.burstCapacity)
    let isKept = isFollowed ? present < 4 * most : (most..<2 * most).contains(present)
    return Capacity(
      bytes: offsets.count >= Self.many ? most : byteCount * 5 / 4, records: offsets.count * 5 / 4,
      spent: isKept ? (content.bytes, offsets) : nil)
  }

  /// It is one of a burst, and grows to many times its size: at once, so that it is not copied again and again.
  private mutating func reserveForBurst() {
    content.bytes.reserveCapacity(Self.burstCapacity)
    offsets.reserveCapacity(4 * Self.many)
  }

  /// Records of a batch that is one of a burst.
  private static let many = 256

  /// No more than this is kept ready: what a batch of a burst takes.
  private static let burstCapacity = 2 << 20

  private func frame(of bytes: UnsafeRawBufferPointer, sequence: UInt64) -> LogFrame? {
    guard let start = bytes.baseAddress, let head = unsafe FrameHead(at: start, bytes.count, in: segment) else {
      return nil
    }
    return unsafe LogFrame(head, at: start, location(of: sequence))
  }
}

extension LogBatch.Capacity {
  /// Nothing, with the capacity for what is expected.
  fileprivate mutating func take() -> (FieldWriter, [UInt32]) {
    var (bytes, offsets) = spent.take() ?? ([], [])
    bytes.removeAll(keepingCapacity: true)
    offsets.removeAll(keepingCapacity: true)
    bytes.reserveCapacity(self.bytes)
    offsets.reserveCapacity(records)
    return (FieldWriter(appendingTo: bytes), offsets)
  }
}
