import Bytes
import MessageLog

/// A part of the checkpoint that a start has found, which is left there until somebody needs it.
struct CheckpointPart {
  private let file: any FileVersion
  private let offset: UInt64
  private let count: Int
  private let checksum: UInt32

  /// The bytes of the present field of a reader over the body of a checkpoint.
  init(_ reader: borrowing FieldReader, of file: any FileVersion) throws(FieldError) {
    let bytes = try reader.bytes()
    offset = UInt64(Checkpoint.headSize + (try reader.place()))
    (self.file, count, checksum) = (file, bytes.count, CRC32C.checksum(bytes))
  }

  /// Reads the part again; throws if its bytes have changed.
  func bytes() throws(StorageError) -> [UInt8] {
    let bytes = try file.read(at: offset, count: count)
    guard CRC32C.checksum(bytes) == checksum else { throw StorageError(.unreadable, "it is not as it was read before") }
    return bytes
  }
}
