/// Writes tagged fields, one after the other, into a buffer: the payload of a log record (docs/LOG-FORMAT.md, "Payloads").
///
/// The shape is that of Protocol Buffers: each field begins with a varint of `number << 3 | wire type`. Nothing is
/// allocated but the buffer. Field numbers are 1 to 2^29 - 1; those up to 15 take one byte of tag.
public struct FieldWriter: Sendable {
  /// The bytes written so far. A caller may hand in a buffer with something in front.
  public var bytes: [UInt8]

  /// A writer that appends to `bytes`.
  public init(appendingTo bytes: [UInt8] = []) { self.bytes = bytes }

  /// Field `number` with an unsigned number (wire type 0).
  public mutating func uint(_ number: UInt32, _ value: UInt64) {
    append(atMost: 0, numbers: 2) { $0.field(number, value) }
  }

  /// Field `number` with a signed number, zigzag-coded so that small negative ones are short too (wire type 0).
  public mutating func int(_ number: UInt32, _ value: Int64) {
    uint(number, Varint.zigzag(value))
  }

  /// Field `number` with 0 or 1 (wire type 0).
  public mutating func bool(_ number: UInt32, _ value: Bool) { uint(number, value ? 1 : 0) }

  /// Field `number` with 8 bytes, little-endian (wire type 1): for what is large and random, such as hashes.
  public mutating func fixed64(_ number: UInt32, _ value: UInt64) {
    tag(number, .fixed64)
    for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift))) }
  }

  /// Field `number` with the UTF-8 bytes of `value` as they are (wire type 2).
  public mutating func string(_ number: UInt32, _ value: String) {
    let text = value.utf8.span
    append(atMost: text.count, numbers: 2) { $0.field(number, text) }
  }

  /// Field `number` with bytes (wire type 2).
  public mutating func bytes(_ number: UInt32, _ value: some Collection<UInt8>) {
    append(atMost: 0, numbers: 2) { $0.begin(number, .bytes, UInt64(value.count)) }
    bytes.append(contentsOf: value)
  }

  /// Field `number` with fields of its own, written by `body` (wire type 2).
  public mutating func message<E: Error>(
    _ number: UInt32, _ body: (inout FieldWriter) throws(E) -> Void
  ) throws(E) {
    tag(number, .bytes)
    try group(body)
  }

  /// Fields written by `body`, behind how many bytes they take.
  public mutating func group<E: Error>(_ body: (inout FieldWriter) throws(E) -> Void) throws(E) {
    bytes.append(0)
    let start = bytes.count
    try body(&self)
    close(start)
  }

  /// A number without a tag, for what is in a fixed order (`FieldReader.untagged`).
  public mutating func untagged(_ value: UInt64) {
    append(atMost: 0, numbers: 1) { $0.varint(value) }
  }

  /// A signed one.
  public mutating func untagged(_ value: Int64) { untagged(Varint.zigzag(value)) }

  /// Writes what takes no more than so many bytes, and 10 for each number, for which room is made at once.
  @inline(__always)
  public mutating func append(atMost count: Int, numbers: Int, _ body: (inout OutputSpan<UInt8>) -> Void) {
    bytes.append(addingCapacity: count + numbers * Self.longestVarint, initializingWith: body)
  }

  /// Puts the length of what stands from `start` on into the byte kept free before it, and moves it up for a longer one.
  private mutating func close(_ start: Int) {
    var length = UInt64(bytes.count - start)
    guard length >= 0x80 else { return bytes[start - 1] = UInt8(length) }
    bytes[start - 1] = UInt8(truncatingIfNeeded: length) | 0x80
    length >>= 7
    var rest = [UInt8]()
    while length >= 0x80 {
      rest.append(UInt8(truncatingIfNeeded: length) | 0x80)
      length >>= 7
    }
    rest.append(UInt8(length))
    bytes.insert(contentsOf: rest, at: start)
  }

  private mutating func tag(_ number: UInt32, _ type: WireType) {
    append(atMost: 0, numbers: 1) { $0.varint(WireType.tag(number, type)) }
  }

  private static let longestVarint = 10
}

/// How the value of a field is laid out, which is all that a reader needs to know to pass over it.
enum WireType: UInt8 {
  /// 1 to 10 bytes of 7 bits each, lowest first; the top bit says that more follow.
  case varint = 0
  /// 8 bytes, little-endian.
  case fixed64 = 1
  /// A varint with the length, then that many bytes.
  case bytes = 2
  /// 4 bytes, little-endian. Not written by us; passed over.
  case fixed32 = 5

  /// The first byte of a field.
  static func tag(_ number: UInt32, _ type: WireType) -> UInt64 { UInt64(number) << 3 | UInt64(type.rawValue) }
}
