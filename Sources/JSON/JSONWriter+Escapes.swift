extension JSONWriter {
  /// Appends `text` between quotes with its escapes, runs of harmless bytes at once.
  mutating func appendQuoted(_ text: UTF8Span) {
    unsafe text.span.withUnsafeBufferPointer { unsafe Self.quote($0, into: &bytes) }
  }

  static func quote(_ source: UnsafeBufferPointer<UInt8>, into bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    let harmless = unsafe harmlessCount(source)
    unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: source[..<harmless]))
    if harmless < source.count { unsafe escape(source, from: harmless, into: &bytes) }
    bytes.append(UInt8(ascii: "\""))
  }

  /// How many bytes at the front have nothing among them that begins what must be escaped.
  static func harmlessCount(_ source: UnsafeBufferPointer<UInt8>) -> Int {
    guard source.count >= 8 else { return unsafe source.firstIndex(where: mayBeEscaped) ?? source.count }
    var index = 0
    while unsafe isHarmless(source, at: index) { index += 8 }
    if index + 8 <= source.count { return index }
    // The last eight bytes, some of which have been looked at.
    return unsafe isHarmless(source, at: source.count - 8) ? source.count : index
  }

  private static func mayBeEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0x7F || byte == 0xC2 || byte == 0xE2
  }

  private static func escape(_ source: UnsafeBufferPointer<UInt8>, from first: Int, into bytes: inout [UInt8]) {
    var start = first
    var index = first
    while index < source.count {
      if unsafe isHarmless(source, at: index) {
        index += 8
        continue
      }
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

  /// Whether there are eight bytes at `index`, none of which begins what must be escaped: looked at all at once.
  private static func isHarmless(_ source: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
    guard index + 8 <= source.count else { return false }
    let word = unsafe UnsafeRawBufferPointer(source).loadUnaligned(fromByteOffset: index, as: UInt64.self)
    let ones: UInt64 = 0x0101_0101_0101_0101
    // Bit 7 of the lowest byte below a bound of at most 0x80 is set, and of none where there is no such byte.
    func below(_ bound: UInt64, _ word: UInt64) -> UInt64 { (word &- ones &* bound) & ~word }
    func equal(_ byte: UInt64) -> UInt64 { below(1, word ^ (ones &* byte)) }
    let found = below(0x20, word) | equal(0x22) | equal(0x5C) | equal(0x7F) | equal(0xC2) | equal(0xE2)
    return found & (ones << 7) == 0
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
