import Bytes

/// The first 64 bytes of a segment (docs/LOG-FORMAT.md, "Segments").
package struct SegmentHeader: Equatable, Sendable {
  package var major: UInt16 = LogFormat.major
  package var minor: UInt16 = LogFormat.minor
  /// The segment's place in the order of segments; grows by one or more from each to the next.
  package var ordinal: UInt32
  /// The sequence number of its first record, as in the name of the file.
  package var first: UInt64
  /// The log's UUID when the segment was begun. Older segments keep an older one when a log has moved.
  package var uuid: LogUUID

  package init(ordinal: UInt32, first: UInt64, uuid: LogUUID) {
    (self.ordinal, self.first, self.uuid) = (ordinal, first, uuid)
  }

  /// The header as it stands in the file.
  package var encoded: [UInt8] {
    var bytes = LogFormat.segmentMagic + [UInt8](repeating: 0, count: LogFormat.headerSize - 8)
    bytes.put(major, at: 8)
    bytes.put(minor, at: 10)
    bytes.put(ordinal, at: 12)
    bytes.put(first, at: 16)
    bytes.replaceSubrange(24..<40, with: uuid.bytes)
    bytes.put(CRC32C.checksum(bytes[..<60]), at: 60)
    return bytes
  }

  /// The header decoded from the beginning of a segment; nil if `bytes` holds no whole header or its checksum is wrong.
  /// Each member has the same offset in all major formats.
  package init?(decoding bytes: [UInt8]) {
    guard bytes.count >= LogFormat.headerSize, Array(bytes[..<8]) == LogFormat.segmentMagic,
      CRC32C.checksum(bytes[..<60]) == bytes.get(UInt32.self, at: 60),
      let uuid = LogUUID(bytes: Array(bytes[24..<40]))
    else { return nil }
    major = bytes.get(UInt16.self, at: 8)
    minor = bytes.get(UInt16.self, at: 10)
    ordinal = bytes.get(UInt32.self, at: 12)
    first = bytes.get(UInt64.self, at: 16)
    self.uuid = uuid
  }
}
