/// A text as UTF-8, which is valid, with its scalars forward and backward from any of their starts.
struct TextBytes {
  let bytes: [UInt8]
  var count: Int { bytes.count }

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  @inline(__always)
  subscript(index: Int) -> UInt8 { bytes[index] }

  /// The byte, if there is one.
  func byte(_ index: Int) -> UInt8? { bytes.indices.contains(index) ? bytes[index] : nil }

  func hasByte(_ byte: Unicode.Scalar, at index: Int) -> Bool { self.byte(index) == UInt8(ascii: byte) }

  /// The scalar that begins here, and where the next one does.
  func scalar(at index: Int) -> (scalar: Unicode.Scalar, end: Int)? {
    guard let first = byte(index) else { return nil }
    if first < 0x80 { return (Unicode.Scalar(first), index + 1) }
    let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    guard index + length <= count else { return nil }
    var value = UInt32(first) & (0x7F >> UInt32(length))
    for offset in 1..<length { value = value << 6 | UInt32(bytes[index + offset] & 0x3F) }
    return Unicode.Scalar(value).map { ($0, index + length) }
  }

  /// The scalar before this place, and where it begins.
  func scalar(before end: Int) -> (scalar: Unicode.Scalar, start: Int)? {
    var start = end - 1
    while start > 0, bytes[start] & 0xC0 == 0x80 { start -= 1 }
    return scalar(at: start).map { ($0.scalar, start) }
  }

  /// True if white space precedes this place.
  func hasSpace(before end: Int) -> Bool { scalar(before: end)?.scalar.properties.isWhitespace ?? false }

  /// True if white space begins at this place.
  func hasSpace(at start: Int) -> Bool { scalar(at: start)?.scalar.properties.isWhitespace ?? false }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// True if a range consists of exactly these bytes.
  func equals(_ expected: StaticString, at range: Range<Int>) -> Bool {
    expected.withUTF8Buffer { unsafe bytes[range].elementsEqual($0) }
  }

  /// The end of the line that begins here.
  func lineEnd(_ start: Int) -> Int { bytes[start...].firstIndex(of: 0x0A) ?? count }
}

/// Converts offsets in bytes of a text to Unicode scalars.
struct ScalarPositions {
  private static let stride = 64

  private let text: TextBytes
  /// Scalars before each piece of the text.
  private var before: [Int] = []

  init(_ text: TextBytes) {
    self.text = text
    var sum = 0
    for start in Swift.stride(from: 0, through: text.count, by: Self.stride) {
      before.append(sum)
      sum += Self.count(text.bytes[start..<min(start + Self.stride, text.count)])
    }
  }

  func scalars(before index: Int) -> Int {
    let piece = index / Self.stride
    return before[piece] + Self.count(text.bytes[piece * Self.stride..<index])
  }

  private static func count(_ bytes: ArraySlice<UInt8>) -> Int { bytes.count { $0 & 0xC0 != 0x80 } }
}
