import CBytes

/// CRC-32C (Castagnoli; RFC 3720, appendix B.4): what guards the records of the log.
public enum CRC32C {
  /// The checksum of `bytes`; of what `crc` covers followed by `bytes` if that is not 0.
  public static func checksum(_ bytes: UnsafeRawBufferPointer, continuing crc: UInt32 = 0) -> UInt32 {
    unsafe cbytes_crc32c(crc, bytes.baseAddress, bytes.count)
  }

  /// The checksum of `bytes`; of what `crc` covers followed by `bytes` if that is not 0.
  public static func checksum(_ bytes: RawSpan, continuing crc: UInt32 = 0) -> UInt32 {
    unsafe bytes.withUnsafeBytes { buffer in unsafe checksum(buffer, continuing: crc) }
  }

  /// The checksum of `bytes`; of what `crc` covers followed by `bytes` if that is not 0.
  public static func checksum(_ bytes: [UInt8], continuing crc: UInt32 = 0) -> UInt32 {
    unsafe bytes.withUnsafeBytes { buffer in unsafe checksum(buffer, continuing: crc) }
  }

  /// The checksum of `bytes`; of what `crc` covers followed by `bytes` if that is not 0.
  public static func checksum(_ bytes: ArraySlice<UInt8>, continuing crc: UInt32 = 0) -> UInt32 {
    unsafe bytes.withUnsafeBytes { buffer in unsafe checksum(buffer, continuing: crc) }
  }
}

extension CRC32C {
  /// Computes the checksum by tables, even if the processor has an instruction: the tests compare the two.
  public static func checksumByTables(_ bytes: [UInt8], continuing crc: UInt32 = 0) -> UInt32 {
    unsafe bytes.withUnsafeBytes { buffer in unsafe cbytes_crc32c_tables(crc, buffer.baseAddress, buffer.count) }
  }
}
