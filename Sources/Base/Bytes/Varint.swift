/// Numbers of 1 to 10 bytes: 7 bits each, the lowest first; the top bit says that more follow. Records' fields have
/// tags besides; these have none, because many numbers of one shape follow each other.
public enum Varint {
  public static func append(_ value: UInt64, to bytes: inout [UInt8]) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// How a number is written that is as often below zero as above: small ones of both kinds are short.
  public static func zigzag(_ value: Int64) -> UInt64 { UInt64(bitPattern: (value << 1) ^ (value >> 63)) }

  public static func unzigzag(_ coded: UInt64) -> Int64 {
    Int64(bitPattern: coded >> 1) ^ -Int64(bitPattern: coded & 1)
  }

  /// Reads the number at `offset`, and goes behind it; nil if it does not end, or has more than 64 bits.
  public static func read(_ bytes: Span<UInt8>, at offset: inout Int) -> UInt64? {
    var (value, shift): (UInt64, UInt64) = (0, 0)
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      guard shift < 63 || byte <= 1 else { return nil }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }
}
