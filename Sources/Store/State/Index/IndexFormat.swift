import Bytes
import Timelines
import MessageLog

/// The file of pages beside the log (docs/LOG-FORMAT.md, "Index"). Derived: what it holds can be found again in the
/// log.
package enum IndexFormat {
  package static let fileName = "index"
  /// Bytes of a page, which holds one chunk; the first one is the header.
  package static let pageSize = 16_384
  /// Raised when the meaning of a page changes.
  static let version: UInt32 = 4
  static let headerSize = 64
  private static let magic = Array("ConfabI\n".utf8)

  /// The offset of a page in the file.
  static func offset(ofPage number: UInt32) -> UInt64 { UInt64(number) * UInt64(pageSize) }

  /// The header: whose pages these are, and which checkpoints' (by the last record that each covers).
  static func header(of log: LogUUID, serving checkpoints: (UInt64, UInt64)) -> [UInt8] {
    var bytes = magic
    bytes.append(addingCapacity: headerSize - magic.count) { header in
      header.append(UInt64(version), width: 4)
      header.append(UInt64(pageSize), width: 4)
      for byte in log.bytes { header.append(byte) }
      header.append(checkpoints.0, width: 8)
      header.append(checkpoints.1, width: 8)
      header.append(repeating: 0, count: 12)
    }
    let checksum = CRC32C.checksum(bytes)
    bytes.append(addingCapacity: 4) { $0.append(UInt64(checksum), width: 4) }
    return bytes
  }

  /// True if a header is that of this log, and of pages as of this checkpoint.
  static func isHeader(_ bytes: [UInt8], of log: LogUUID, serving checkpoint: UInt64) -> Bool {
    guard bytes.count == headerSize else { return false }
    let served = (bytes.span.load(at: 32, width: 8), bytes.span.load(at: 40, width: 8))
    return (served.0 == checkpoint || served.1 == checkpoint) && bytes == header(of: log, serving: served)
  }

  /// The page of a chunk's entries; nil where they do not fit on one.
  static func page(_ entries: [Entry]) -> [UInt8]? {
    let packed = PackedEntries(entries).bytes
    return packed.count > pageSize ? nil : packed + Array(repeating: 0, count: pageSize - packed.count)
  }

  /// The entries of a chunk from its page.
  static func entries(_ bytes: [UInt8], of chunk: StoredChunk) throws(FieldError) -> PackedEntries {
    guard let entries = PackedEntries(page: bytes, count: Int(chunk.count)), entries.first?.key == chunk.first else {
      throw .malformed
    }
    return entries
  }
}
