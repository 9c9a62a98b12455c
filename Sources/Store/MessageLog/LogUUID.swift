/// The name of a log, in which its sequence numbers mean something: a UUID (RFC 9562) of random bytes.
package struct LogUUID: Hashable, Sendable, CustomStringConvertible {
  /// Its 16 bytes in the order in which they are written.
  package let bytes: [UInt8]

  /// A version 4 UUID of 16 random bytes; nil for another count of them.
  package init?(random bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    var marked = bytes
    marked[6] = marked[6] & 0x0F | 0x40
    marked[8] = marked[8] & 0x3F | 0x80
    self.bytes = marked
  }

  /// The UUID of these 16 bytes; nil for another count of them.
  package init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// The nil UUID (RFC 9562, section 5.9): no log has it.
  package static let nobody = LogUUID()

  private init() { bytes = [UInt8](repeating: 0, count: 16) }

  /// The UUID that is written so: 32 hexadecimal digits in five groups; nil for any other text.
  package init?(_ text: String) {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12] else { return nil }
    let digits = groups.joined().utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue.map(UInt8.init) }
    guard digits.count == 32 else { return nil }
    bytes = (0..<16).map { digits[2 * $0] << 4 | digits[2 * $0 + 1] }
  }

  package var description: String {
    let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }
    return groups.joined(separator: "-")
  }
}
