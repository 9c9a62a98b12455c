/// Base64 of RFC 4648: the standard alphabet with padding both ways, the URL alphabet without padding one way.
public enum Base64 {
  /// The standard alphabet (RFC 4648, section 4), padded to a multiple of four characters.
  public static func encode(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: characters(of: bytes, alphabet: standard, padded: true), as: UTF8.self)
  }

  /// The alphabet for URLs and file names (RFC 4648, section 5), without padding.
  public static func encodeURL(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: characters(of: bytes, alphabet: url, padded: false), as: UTF8.self)
  }

  /// The bytes that `text` stands for, or nil if it is not exactly what `encode` writes: no character outside the
  /// alphabet (white space included), padding present and only at the end, no bit set behind the last byte
  /// (RFC 4648, sections 3.2, 3.3 and 3.5). The empty text is no bytes.
  public static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var group = Group()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.underestimatedCount / 4 * 3)
    for character in text {
      guard group.take(character, into: &bytes) else { return nil }
    }
    return group.count == 0 ? bytes : nil
  }

  /// Decodes a String.
  public static func decode(_ text: String) -> [UInt8]? {
    decode(text.utf8)
  }

  private static let standard = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let url = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  private static func characters(of bytes: some Sequence<UInt8>, alphabet: [UInt8], padded: Bool) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity((bytes.underestimatedCount + 2) / 3 * 4)
    var bits: UInt32 = 0
    var count = 0
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      count += 8
      while count >= 6 {
        count -= 6
        out.append(alphabet[Int(bits >> UInt32(count) & 63)])
      }
    }
    if count > 0 { out.append(alphabet[Int(bits << UInt32(6 - count) & 63)]) }
    while padded && out.count % 4 != 0 { out.append(UInt8(ascii: "=")) }
    return out
  }

  /// A group of up to four characters that stand for up to three bytes.
  private struct Group {
    /// Characters taken, padding included.
    private(set) var count = 0
    private var bits: UInt32 = 0
    private var padding = 0
    private var isLast = false

    /// Takes one character and appends the bytes of a group that it completes. False: the text is not base64.
    mutating func take(_ character: UInt8, into bytes: inout [UInt8]) -> Bool {
      guard !isLast else { return false }
      if character == UInt8(ascii: "=") {
        guard count >= 2 else { return false }
        padding += 1
        bits <<= 6
      } else {
        guard padding == 0, let value = Base64.value(of: character) else { return false }
        bits = bits << 6 | UInt32(value)
      }
      count += 1
      return count < 4 || finish(into: &bytes)
    }

    private mutating func finish(into bytes: inout [UInt8]) -> Bool {
      let kept = 3 - padding
      let unused = bits & (1 << UInt32(8 * padding) - 1)
      guard unused == 0 else { return false }
      for index in 0..<kept { bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(16 - 8 * index))) }
      isLast = padding > 0
      (count, bits, padding) = (0, 0, 0)
      return true
    }
  }

  /// The six bits that a character of the standard alphabet stands for.
  private static func value(of character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
