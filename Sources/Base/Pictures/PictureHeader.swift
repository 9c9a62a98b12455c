/// A picture as its own bytes describe it, whatever its name or its sender says. Only headers are read: nothing is decoded,
/// and what stands behind them may be cut off or wrong.
package struct PictureHeader: Equatable, Sendable {
  /// The formats that are read; the raw value is the media type.
  package enum Format: String, CaseIterable, Sendable {
    case png = "image/png"
    case jpeg = "image/jpeg"
    case gif = "image/gif"
    case webp = "image/webp"
  }

  package let format: Format
  /// In pixels, at least 1; at most 2^31 - 1, as PNG has it.
  package let width: Int
  package let height: Int
  /// True if the picture has several frames, as far as the bytes go.
  package let isAnimated: Bool

  package init(_ format: Format, width: Int, height: Int, isAnimated: Bool = false) {
    (self.format, self.width, self.height, self.isAnimated) = (format, width, height, isAnimated)
  }

  /// Reads the beginning of a file, or all of it; nil if it is no picture of these formats, or has no pixels. Takes time
  /// proportional to the bytes, and no memory.
  package init?(_ bytes: [UInt8]) {
    let bytes = PictureBytes(bytes)
    guard let header = Self.png(bytes) ?? Self.jpeg(bytes) ?? Self.gif(bytes) ?? Self.webp(bytes), header.width > 0,
      header.height > 0
    else { return nil }
    self = header
  }

  /// True if the bytes may begin a picture of these formats.
  package static func begins(_ bytes: [UInt8]) -> Bool {
    let bytes = PictureBytes(bytes)
    return bytes.has("PNG", at: 1) || bytes.has("GIF8", at: 0) || bytes.has("WEBP", at: 8)
      || bytes.bigEndian(2, at: 0) == 0xFFD8
  }
}

/// Bytes at places that may be beyond them: nil.
struct PictureBytes {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The byte at a place.
  subscript(_ place: Int) -> Int? { bytes.indices.contains(place) ? Int(bytes[place]) : nil }

  /// True if this text, of ASCII, is at an offset.
  func has(_ text: StaticString, at place: Int) -> Bool {
    guard place >= 0, place <= bytes.count - text.utf8CodeUnitCount else { return false }
    return bytes[place..<place + text.utf8CodeUnitCount].elementsEqual("\(text)".utf8)
  }

  /// An unsigned number of `count` bytes, the most significant first.
  func bigEndian(_ count: Int, at place: Int) -> Int? { number(at: (0..<count).map { place + $0 }) }

  /// Reads a number whose least significant byte is first.
  func littleEndian(_ count: Int, at place: Int) -> Int? { number(at: (0..<count).reversed().map { place + $0 }) }

  private func number(at places: [Int]) -> Int? {
    var number = 0
    for place in places {
      guard let byte = self[place] else { return nil }
      number = number << 8 | byte
    }
    return number
  }
}
