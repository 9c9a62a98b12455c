/// The constants of the log's format, version 3.0: docs/LOG-FORMAT.md explains each.
package enum LogFormat {
  /// The format that we write. A new release raises the major if an older one would misread what it writes
  /// (docs/LOG-FORMAT.md, "Formats"). Segments of another format are read as far as `readable` has it, and not appended
  /// to.
  package static let major: UInt16 = 5
  package static let minor: UInt16 = 0

  /// The majors that we read. A log with a segment of another one is refused.
  package static let readable: ClosedRange<UInt16> = 2...major

  /// The first bytes of every segment: "ConfabL" and a line feed.
  package static let segmentMagic: [UInt8] = Array("ConfabL\n".utf8)

  /// Bytes of a segment's header.
  package static let headerSize = 64

  /// Bytes of a whole batch frame.
  static let batchFrameSize = FrameHead.shortest + 8

  /// The most bytes of a payload, so that a length is bounded before anything is allocated for it. The longest stanza
  /// that we take is 1 MiB.
  package static let maximumPayload = 0xFF_FFFF

  /// Bytes at which a segment is full. A batch that would go over it begins a new one.
  package static let segmentSize: UInt64 = 64 << 20

  /// The kind of the frame that begins a batch.
  package static let batchKind: UInt8 = 0xFF

  /// The kinds of records; what they mean is no business of the log's. Kind 0 is none, so that zeros are no frame;
  /// those above belong to the log itself, have no number of their own, and are passed over where they are not known.
  package static let recordKinds: ClosedRange<UInt8> = 1...0xEF
}

/// A segment, by the sequence number of its first record, after which its file is named.
package struct SegmentID: Hashable, Comparable, Sendable, CustomStringConvertible {
  package var first: UInt64

  package init(first: UInt64) { self.first = first }

  /// The segment of that file name: 20 decimal digits, a number from 1 on and below 2^63, and `.log`; nil for any other
  /// name. So there is no log whose next number does not exist.
  package init?(fileName: String) {
    guard fileName.utf8.count == 24, fileName.hasSuffix(".log") else { return nil }
    let digits = fileName.utf8.prefix(20)
    guard digits.allSatisfy({ (0x30...0x39).contains($0) }), let first = Int64(fileName.prefix(20)), first > 0 else {
      return nil
    }
    self.first = UInt64(first)
  }

  /// The name of its file in the directory of the log.
  package var fileName: String {
    let digits = String(first)
    return String(repeating: "0", count: 20 - digits.utf8.count) + digits + ".log"
  }

  package var description: String { fileName }

  package static func < (left: SegmentID, right: SegmentID) -> Bool { left.first < right.first }
}

/// A place in the log: the ordinal of a segment (which grows from segment to segment) and an offset in its file.
package struct LogLocation: Hashable, Comparable, Sendable, CustomStringConvertible {
  package var ordinal: UInt32
  package var offset: UInt32

  package init(ordinal: UInt32, offset: UInt32) {
    (self.ordinal, self.offset) = (ordinal, offset)
  }

  /// The place that `packed` stands for.
  package init(packed: UInt64) {
    self.init(ordinal: UInt32(packed >> 32), offset: UInt32(truncatingIfNeeded: packed))
  }

  /// Both in one number, which orders as the places do.
  package var packed: UInt64 { UInt64(ordinal) << 32 | UInt64(offset) }

  package var description: String { "\(ordinal):\(offset)" }

  package static func < (left: LogLocation, right: LogLocation) -> Bool { left.packed < right.packed }
}

/// The little-endian numbers of the format.
extension Array where Element == UInt8 {
  /// Puts `value` into the bytes from `offset` on, which must be there.
  mutating func put<T: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(_ value: T, at offset: Int) {
    var span = mutableSpan
    var bytes = unsafe span.mutableBytes
    bytes.storeBytes(of: value.littleEndian, toByteOffset: offset, as: T.self)
  }

  /// The number in the bytes from `offset` on, which must be there.
  func get<T: FixedWidthInteger & UnsignedInteger>(_ type: T.Type, at offset: Int) -> T {
    var value: T = 0
    for index in 0..<MemoryLayout<T>.size { value |= T(self[offset + index]) << T(8 * index) }
    return value
  }
}
