/// The text form of random UUIDs. The random bytes are the caller's: whoever must be deterministic brings its own.
public enum UUIDText {
  /// How many random bytes one UUID takes.
  public static let byteCount = 16

  /// A version 4 UUID (RFC 9562, section 5.4) in its 36 lower-case characters from 16 random bytes, six bits of which
  /// are overwritten by version and variant; nil if `random` is not 16 bytes.
  public static func version4(random: [UInt8]) -> String? {
    guard random.count == byteCount else { return nil }
    var bytes = random
    bytes[6] = bytes[6] & 0x0f | 0x40
    bytes[8] = bytes[8] & 0x3f | 0x80
    let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16]
    return groups.map { Hex.encode(bytes[$0]) }.joined(separator: "-")
  }
}
