import Bytes
import Conversations
import MessageLog

/// The file of pages beside the log (docs/LOG-FORMAT.md, "Index"). Derived: what it holds can be found again in the log.
package enum IndexFormat {
  package static let fileName = "index"
  /// Bytes of a page, which holds one chunk; the first one is the header.
  package static let pageSize = 16_384
  /// Raised when the meaning of a page changes.
  static let version: UInt32 = 4
  static let headerSize = 64
  private static let magic = Array("ConfabI\n".utf8)

  /// Where a page stands in the file.
  static func offset(ofPage number: UInt32) -> UInt64 { UInt64(number) * UInt64(pageSize) }

  /// The header: whose pages these are, and which checkpoints' (by the last record that each covers).
  static func header(of log: LogUUID, serving checkpoints: (UInt64, UInt64)) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: headerSize)
    bytes.replaceSubrange(0..<8, with: magic)
    unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe buffer.storeBytes(of: version.littleEndian, toByteOffset: 8, as: UInt32.self)
      unsafe buffer.storeBytes(of: UInt32(pageSize).littleEndian, toByteOffset: 12, as: UInt32.self)
      unsafe buffer.storeBytes(of: checkpoints.0.littleEndian, toByteOffset: 32, as: UInt64.self)
      unsafe buffer.storeBytes(of: checkpoints.1.littleEndian, toByteOffset: 40, as: UInt64.self)
    }
    bytes.replaceSubrange(16..<32, with: log.bytes)
    let checksum = CRC32C.checksum(bytes[..<60])
    unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe buffer.storeBytes(of: checksum.littleEndian, toByteOffset: 60, as: UInt32.self)
    }
    return bytes
  }

  /// Whether a header is that of this log, and of pages as of this checkpoint.
  static func isHeader(_ bytes: [UInt8], of log: LogUUID, serving checkpoint: UInt64) -> Bool {
    guard bytes.count == headerSize else { return false }
    let served = unsafe bytes.withUnsafeBytes { buffer in
      unsafe (
        UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: 32, as: UInt64.self)),
        UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: 40, as: UInt64.self))
      )
    }
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
