extension OutputSpan<UInt8> {
  /// Appends the lowest bytes of a value, the lowest first.
  mutating func append(_ value: UInt64, width: Int) {
    for shift in 0..<width { append(UInt8(truncatingIfNeeded: value >> UInt64(8 * shift))) }
  }
}

extension Span<UInt8> {
  /// The value in so many bytes, the lowest first.
  func load(at offset: Int, width: Int) -> UInt64 {
    var value: UInt64 = 0
    for shift in 0..<width { value |= UInt64(self[offset + shift]) << UInt64(8 * shift) }
    return value
  }
}
