/// Makes binary property lists out of their parts, right ones and wrong ones.
struct BinaryList {
  var values: [[UInt8]] = []

  static func text(_ text: String) -> [UInt8] {
    text.utf8.allSatisfy { $0 < 0x80 }
      ? head(5, text.utf8.count) + text.utf8
      : head(6, text.utf16.count) + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
  }

  static func array(_ references: [UInt8]) -> [UInt8] { head(0xA, references.count) + references }
  static func dictionary(_ keys: [UInt8], _ values: [UInt8]) -> [UInt8] { head(0xD, keys.count) + keys + values }

  private static func head(_ kind: UInt8, _ count: Int) -> [UInt8] {
    count < 15 ? [kind << 4 | UInt8(count)] : [kind << 4 | 0xF, 0x11, UInt8(count >> 8), UInt8(count & 0xFF)]
  }

  /// The file; the root is the first value.
  var bytes: [UInt8] {
    var (bytes, offsets) = (Array("bplist00".utf8), [UInt8]())
    for value in values {
      offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
      bytes += value
    }
    let table = bytes.count
    return bytes + offsets + [0, 0, 0, 0, 0, 0, 2, 1] + Self.number(values.count) + Self.number(0) + Self.number(table)
  }

  private static func number(_ value: Int) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
  }
}
