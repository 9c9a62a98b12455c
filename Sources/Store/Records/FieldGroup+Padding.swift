import Bytes

extension FieldGroup {
  /// The payload of exactly so many bytes, the last of which are a field of bytes with this number that mean nothing;
  /// nil where it takes more, or so many less that no such field fits.
  func padded(to count: Int, by number: UInt32) -> [UInt8]? {
    var writer = FieldWriter()
    encode(into: &writer)
    var bytes = writer.bytes
    let rest = count - bytes.count
    if rest == 0 { return bytes }
    let tag = Self.varint(Int(number << 3 | 2), bytes: number < 16 ? 1 : 2)
    guard rest > tag.count else { return nil }
    // The field's length takes as many bytes as there have to be, with leading zeros where fewer would do.
    let lengthBytes = min(rest - tag.count, 4)
    let length = rest - tag.count - lengthBytes
    bytes += tag + Self.varint(length, bytes: lengthBytes)
    return bytes + [UInt8](repeating: 0, count: length)
  }

  /// A number as a varint of exactly so many bytes.
  private static func varint(_ value: Int, bytes count: Int) -> [UInt8] {
    (0..<count).map { index in
      UInt8(truncatingIfNeeded: value >> (7 * index)) & 0x7F | (index < count - 1 ? 0x80 : 0)
    }
  }
}
