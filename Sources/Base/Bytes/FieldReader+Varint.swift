extension FieldReader {
  /// The number that begins at `offset`, behind which it goes (`Varint`).
  @inline(__always)
  mutating func varint() throws(FieldError) -> UInt64 {
    guard offset < end, unsafe input[offset] < 0x80 else { return try longVarint() }
    defer { offset += 1 }
    return UInt64(unsafe input[offset])
  }

  private mutating func longVarint() throws(FieldError) -> UInt64 {
    guard end - offset >= 8 else { return try varintByBytes() }
    let word = UInt64(littleEndian: unsafe input.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    // The first byte without the top bit is the last one of the number.
    let ends = ~word & 0x8080_8080_8080_8080
    guard ends != 0 else { return try varintByBytes() }
    offset += ends.trailingZeroBitCount / 8 + 1
    return Self.joined(word & (ends ^ (ends &- 1)) & 0x7F7F_7F7F_7F7F_7F7F)
  }

  /// Eight times seven bits, joined to pairs, fours and all.
  @inline(__always)
  private static func joined(_ sevens: UInt64) -> UInt64 {
    let pairs = sevens & 0x007F_007F_007F_007F | (sevens & 0x7F00_7F00_7F00_7F00) &>> 1
    let fours = pairs & 0x0000_3FFF_0000_3FFF | (pairs & 0x3FFF_0000_3FFF_0000) &>> 2
    return fours & 0x0FFF_FFFF | (fours & 0x0FFF_FFFF_0000_0000) &>> 4
  }

  private mutating func varintByBytes() throws(FieldError) -> UInt64 {
    // Counted where it costs least: most of what is read is this.
    var place = offset
    var (value, shift) = (UInt64(0), UInt64(0))
    while place < end {
      let byte = unsafe input[place]
      place += 1
      guard shift < 63 || byte <= 1 else { throw .malformed }
      value |= UInt64(byte & 0x7F) &<< shift
      if byte < 0x80 {
        offset = place
        return value
      }
      shift += 7
    }
    throw .truncated
  }
}
