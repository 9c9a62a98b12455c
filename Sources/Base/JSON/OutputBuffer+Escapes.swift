import CBytes

extension OutputBuffer {
  /// A text between quotes with its escapes, runs of harmless bytes at once.
  @usableFromInline
  mutating func quoted(_ text: UnsafeBufferPointer<UInt8>) {
    reserve(text.count + 2)
    unsafe place = place.byte(UInt8(ascii: "\""))
    let count = unsafe harmless(of: text)
    if count < text.count { unsafe escape(text, from: count) }
    byte(UInt8(ascii: "\""))
  }

  /// Copies from the front of a text, for which there is room, what has no byte in it with which something begins that must
  /// be escaped.
  ///
  /// - Returns: how many bytes that are.
  @inline(__always)
  private mutating func harmless(of text: UnsafeBufferPointer<UInt8>) -> Int {
    let count = unsafe cbytes_copy_harmless(place, text.baseAddress, text.count)
    unsafe place += count
    return count
  }

  /// The rest of a text.
  private mutating func escape(_ text: UnsafeBufferPointer<UInt8>, from first: Int) {
    var index = first
    while index < text.count {
      let length = unsafe Self.escapedLength(in: text, at: index)
      if length == 0 { unsafe byte(text[index]) } else { unsafe escape(text, at: index, length: length) }
      index += max(1, length)
      reserve(text.count - index)
      unsafe index += harmless(of: UnsafeBufferPointer(rebasing: text[index...]))
    }
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

  private mutating func escape(_ source: UnsafeBufferPointer<UInt8>, at index: Int, length: Int) {
    byte(UInt8(ascii: "\\"))
    switch (length, unsafe source[index]) {
    case (1, 0x22), (1, 0x5C): unsafe byte(source[index])
    case (1, 0x08): byte(UInt8(ascii: "b"))
    case (1, 0x09): byte(UInt8(ascii: "t"))
    case (1, 0x0A): byte(UInt8(ascii: "n"))
    case (1, 0x0C): byte(UInt8(ascii: "f"))
    case (1, 0x0D): byte(UInt8(ascii: "r"))
    case (1, let control): unicodeEscape(UInt16(control))
    case (2, _): unsafe unicodeEscape(UInt16(source[index + 1]))
    default: unsafe unicodeEscape(0x2000 | UInt16(source[index + 2] & 0x3F))
    }
  }

  private mutating func unicodeEscape(_ unit: UInt16) {
    byte(UInt8(ascii: "u"))
    for shift in stride(from: 12, through: 0, by: -4) {
      let digit = UInt8(truncatingIfNeeded: unit >> UInt16(shift)) & 0xF
      byte(digit < 10 ? 0x30 + digit : 0x61 + digit - 10)
    }
  }
}
