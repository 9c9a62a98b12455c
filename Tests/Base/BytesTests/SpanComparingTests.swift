import Bytes
import Testing

@Suite struct SpanComparingTests {
  // Macros take no spans.
  private func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.hasBytes(of: other.span) && one.span.hasBytes(of: other.span)
  }

  private func holds(_ bytes: [UInt8], _ byte: UInt8) -> Bool { bytes.span.contains(byte) }

  private func hash(_ bytes: [UInt8]) -> UInt32 { bytes.span.cacheHash }

  @Test func bytesAreComparedWhateverTheirNumber() {
    for count in 0..<40 {
      let bytes = (0..<count).map { UInt8($0) }
      #expect(areEqual(bytes, Array(0..<UInt8(count))))
      #expect(!areEqual(bytes, bytes + [0]))
      #expect(!holds(bytes, 255))
      for index in bytes.indices {
        var other = bytes
        other[index] ^= 0x80
        #expect(!areEqual(bytes, other))
        #expect(holds(bytes, bytes[index]))
      }
    }
  }

  /// Each byte counts, wherever it stands; the same bytes have the same number.
  @Test func aCacheHashIsOfAllBytes() {
    for count in 0..<40 {
      let bytes = (0..<count).map { UInt8($0) }
      #expect(hash(bytes) == hash(Array(0..<UInt8(count))))
      for index in bytes.indices {
        var other = bytes
        other[index] ^= 0x41
        #expect(hash(other) != hash(bytes))
      }
    }
  }

  /// Addresses that differ in a digit fall into many places.
  @Test func similarBytesHaveDifferentPlaces() {
    let places = Set((0..<20).map { hash(Array("contact\($0 / 10)\($0 % 10)@example.test".utf8)) & 127 })
    #expect(places.count >= 14)
  }
}
