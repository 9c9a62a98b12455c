import CBytes

// For what is compared or looked up for each message: byte by byte it costs several times as much.
extension Span<UInt8> {
  /// True if both have the same bytes.
  public func hasBytes(of other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    return unsafe withUnsafeBufferPointer { mine in
      unsafe other.withUnsafeBufferPointer { unsafe cbytes_equal(mine.baseAddress, $0.baseAddress, mine.count) != 0 }
    }
  }

  public func contains(_ byte: UInt8) -> Bool {
    unsafe withUnsafeBufferPointer { unsafe cbytes_contains($0.baseAddress, $0.count, byte) != 0 }
  }

  /// A number for a place in a cache, where whoever meets another one there only takes its place: no hash to rely on where
  /// others choose the bytes.
  @inline(__always) public var cacheHash: UInt32 {
    unsafe withUnsafeBufferPointer { unsafe cbytes_cache_hash($0.baseAddress, $0.count) }
  }
}

extension [UInt8] {
  /// True if both have the same bytes.
  public func hasBytes(of other: Span<UInt8>) -> Bool { span.hasBytes(of: other) }
}
