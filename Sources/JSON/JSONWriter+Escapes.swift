extension JSONWriter {
  /// Appends `text` with its escapes, runs of harmless bytes at once.
  mutating func appendEscaped(_ text: String) {
    var copy = text
    copy.withUTF8 { unsafe Self.escape($0, into: &bytes) }
  }

  private static func escape(_ source: UnsafeBufferPointer<UInt8>, into bytes: inout [UInt8]) {
    var start = 0
    var index = 0
    while index < source.count {
      let length = unsafe escapedLength(in: source, at: index)
      guard length > 0 else {
        index += 1
        continue
      }
      unsafe bytes.append(contentsOf: source[start..<index])
      unsafe appendEscape(of: source, at: index, length: length, into: &bytes)
      index += length
      start = index
    }
    unsafe bytes.append(contentsOf: source[start..<index])
  }

  /// How many bytes at `index` must be escaped together: 0 for none, 2 for C1 controls, 3 for U+2028 and U+2029.
  private static func escapedLength(in source: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    let byte = unsafe source[index]
    switch byte {
    case 0..<0x20, 0x22, 0x5C, 0x7F: return 1
    case 0xC2 where index + 1 < source.count:
      return unsafe source[index + 1] < 0xA0 ? 2 : 0
    case 0xE2 where index + 2 < source.count:
      return unsafe source[index + 1] == 0x80 && source[index + 2] | 1 == 0xA9 ? 3 : 0
    default: return 0
    }
  }

  private static func appendEscape(
    of source: UnsafeBufferPointer<UInt8>, at index: Int, length: Int, into bytes: inout [UInt8]
  ) {
    bytes.append(UInt8(ascii: "\\"))
    switch (length, unsafe source[index]) {
    case (1, 0x22), (1, 0x5C): unsafe bytes.append(source[index])
    case (1, 0x08): bytes.append(UInt8(ascii: "b"))
    case (1, 0x09): bytes.append(UInt8(ascii: "t"))
    case (1, 0x0A): bytes.append(UInt8(ascii: "n"))
    case (1, 0x0C): bytes.append(UInt8(ascii: "f"))
    case (1, 0x0D): bytes.append(UInt8(ascii: "r"))
    case (1, let control): appendUnicodeEscape(UInt16(control), into: &bytes)
    case (2, _): unsafe appendUnicodeEscape(UInt16(source[index + 1]), into: &bytes)
    default: unsafe appendUnicodeEscape(0x2000 | UInt16(source[index + 2] & 0x3F), into: &bytes)
    }
  }

  private static func appendUnicodeEscape(_ unit: UInt16, into bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "u"))
    for shift in stride(from: 12, through: 0, by: -4) {
      let digit = UInt8(truncatingIfNeeded: unit >> UInt16(shift)) & 0xF
      bytes.append(digit < 10 ? 0x30 + digit : 0x61 + digit - 10)
    }
  }
}
