import CBytes

/// An error in tagged fields.
public enum FieldError: Error, Equatable, Sendable {
  /// The bytes end inside a field.
  case truncated
  /// A tag of an unknown wire type or number 0, or a varint of more than 64 bits.
  case malformed
  /// Field `number` is not of the type that was asked for, or its number is out of range.
  case wrongType(number: UInt32)
  /// Field `number` should be text and is not UTF-8.
  case notUTF8(number: UInt32)
}

/// Reads tagged fields in the order in which they were written. Hostile bytes cost nothing but an error.
///
///     while let number = try reader.next() {
///       switch number {
///       case 1: id = try reader.uint()
///       case 2: text = try reader.string()
///       default: break  // of a later version: passed over
///       }
///     }
///
/// It points into memory of its caller, and so lives only inside `FieldReader.read`: it cannot be copied out of there.
@safe public struct FieldReader: ~Copyable {
  enum Value {
    case number(UInt64)
    case fixed(UInt64)
    case bytes(Range<Int>)
  }

  let input: UnsafeRawBufferPointer
  /// The field's offset in the bytes passed to `read`.
  private let start: Int
  var end: Int
  var offset = 0
  /// The fields without tags at the beginning, if `hasLeadingFields`.
  let leading: LeadingFields
  /// A bit for each leading field that is still to come, `last` among them; `unread` as long as nobody knows.
  var toCome: UInt16
  static let last: UInt16 = 0x100
  static let unread: UInt16 = 0x200
  /// The number of the present field.
  public internal(set) var number: UInt32 = 0
  /// True if the caller took the field; set and read by callers only.
  public var isTaken = false
  var value = Value.number(0)
  /// Texts and bytes are looked at and not copied: what is read is empty.
  private let isChecking: Bool

  /// `input` must stay alive and unchanged as long as the reader.
  private init(
    over input: UnsafeRawBufferPointer, _ leading: LeadingFields? = nil, start: Int = 0, isChecking: Bool
  ) {
    unsafe self.input = input
    self.start = start
    end = input.count
    self.leading = leading ?? LeadingFields.none
    hasLeadingFields = leading != nil
    toCome = leading == nil ? 0 : Self.unread
    self.isChecking = isChecking
  }

  /// True if the payload begins with fields that have no tags.
  public let hasLeadingFields: Bool

  /// Calls `body` with a reader over `bytes`.
  ///
  /// - Parameters:
  ///   - leading: the fields without tags that it begins with.
  ///   - checking: `body` wants to know whether all can be read, and nothing of what it says: texts and bytes are checked,
  ///     and come out empty.
  public static func read<R, E: Error>(
    _ bytes: RawSpan, _ leading: LeadingFields? = nil, checking: Bool = false,
    _ body: (inout FieldReader) throws(E) -> R
  ) throws(E) -> R {
    try unsafe bytes.withUnsafeBytes { buffer throws(E) in
      var reader = unsafe FieldReader(over: buffer, leading, isChecking: checking)
      return try body(&reader)
    }
  }

  /// Calls `body` with a reader over `bytes`.
  public static func read<R, E: Error>(
    _ bytes: [UInt8], _ leading: LeadingFields? = nil, _ body: (inout FieldReader) throws(E) -> R
  ) throws(E) -> R {
    try unsafe read(bytes.span.bytes, leading, body)
  }

  /// Gives `body` a reader over `bytes` to keep as long as it lasts.
  public static func lend(
    _ bytes: RawSpan, _ leading: LeadingFields? = nil, _ body: (consuming FieldReader) throws(FieldError) -> Void
  ) throws(FieldError) {
    try unsafe bytes.withUnsafeBytes { buffer throws(FieldError) in
      try body(unsafe FieldReader(over: buffer, leading, isChecking: false))
    }
  }

  /// Goes to the next field, whose number it returns; nil at the end. The value is read by one of the methods below, or
  /// not at all.
  public mutating func next() throws(FieldError) -> UInt32? {
    if toCome != 0 { return try nextLeading() }
    guard offset < end else { return nil }
    let tag = try varint()
    guard let number = UInt32(exactly: tag >> 3), number > 0, let type = WireType(rawValue: UInt8(tag & 7)) else {
      throw .malformed
    }
    self.number = number
    value = try readValue(type)
    return number
  }

  /// How many bytes follow.
  public var bytesLeft: Int { end - offset }

  /// The number that follows, without a tag, as `FieldWriter.leading` wrote it.
  public mutating func untagged() throws(FieldError) -> UInt64 { try varint() }

  /// Reads a signed number without a tag.
  public mutating func untaggedInt() throws(FieldError) -> Int64 { Varint.unzigzag(try varint()) }

  /// The present field as an unsigned number.
  public func uint() throws(FieldError) -> UInt64 {
    guard case .number(let value) = value else { throw .wrongType(number: number) }
    return value
  }

  /// The present field as an unsigned number of 32 bits: not generic, because most numbers of most records are such.
  public func uint(_ type: UInt32.Type) throws(FieldError) -> UInt32 {
    let value = try uint()
    guard value <= UInt32.max else { throw .wrongType(number: number) }
    return UInt32(truncatingIfNeeded: value)
  }

  /// The present field as an unsigned number that fits into `T`.
  public func uint<T: FixedWidthInteger>(_ type: T.Type) throws(FieldError) -> T {
    guard let value = T(exactly: try uint()) else { throw .wrongType(number: number) }
    return value
  }

  /// Returns the present field as 16 bits.
  public func uint(_ type: UInt16.Type) throws(FieldError) -> UInt16 {
    guard let value = UInt16(exactly: try uint()) else { throw .wrongType(number: number) }
    return value
  }

  /// The present field as a signed number (zigzag).
  public func int() throws(FieldError) -> Int64 { Varint.unzigzag(try uint()) }

  /// The present field as 0 or 1.
  public func bool() throws(FieldError) -> Bool {
    switch try uint() {
    case 0: return false
    case 1: return true
    default: throw .wrongType(number: number)
    }
  }

  /// The present field as 8 fixed bytes.
  public func fixed64() throws(FieldError) -> UInt64 {
    guard case .fixed(let value) = value else { throw .wrongType(number: number) }
    return value
  }

  /// The present field as text.
  public func string() throws(FieldError) -> String {
    let range = try text()
    return isChecking ? "" : String(copying: unsafe UTF8Span(unchecked: text(at: range).span))
  }

  /// Returns the range of the present field, which is text; `text(at:)` returns the text at any time.
  public func text() throws(FieldError) -> Range<Int> {
    let range = try range()
    guard isText(at: range) else { throw .notUTF8(number: number) }
    return range
  }

  /// True if the bytes of the range are well-formed UTF-8.
  public func isText(at range: Range<Int>) -> Bool {
    unsafe cbytes_is_utf8(input.baseAddress?.advanced(by: range.lowerBound), range.count) != 0
  }

  /// True if the bytes are well-formed UTF-8, found without the instructions of a processor: the tests compare the two.
  public static func isTextPlainly(_ bytes: [UInt8]) -> Bool {
    unsafe bytes.withUnsafeBytes { unsafe cbytes_is_utf8_plainly($0.baseAddress, $0.count) != 0 }
  }

  /// Returns the text at a range from `text()`, or at a part of it that is text: borrowed as long as the reader's
  /// bytes.
  @unsafe public func text(at place: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    unsafe UnsafeRawBufferPointer(rebasing: input[place]).assumingMemoryBound(to: UInt8.self)
  }

  /// The present field as bytes.
  public func bytes() throws(FieldError) -> [UInt8] {
    let range = try range()
    return isChecking ? [] : unsafe Array(input[range])
  }

  /// Returns the offset of the present field's bytes in the bytes passed to `read`.
  public func place() throws(FieldError) -> Int { start + (try range()).lowerBound }

  /// Calls `body` with the bytes of the present field, without copying them.
  public func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R? {
    guard case .bytes(let range) = value else { return nil }
    return try body(unsafe UnsafeRawBufferPointer(rebasing: input[range]).bytes)
  }

  /// Calls `body` with a reader over the fields inside the present field.
  public func message<R>(
    _ body: (inout FieldReader) throws(FieldError) -> R
  ) throws(FieldError) -> R {
    let range = try range()
    var inner = unsafe FieldReader(
      over: UnsafeRawBufferPointer(rebasing: input[range]), start: start + range.lowerBound, isChecking: isChecking)
    return try body(&inner)
  }

  /// Returns the range of the present field, which is bytes.
  public func range() throws(FieldError) -> Range<Int> {
    guard case .bytes(let range) = value else { throw .wrongType(number: number) }
    return range
  }

  private mutating func readValue(_ type: WireType) throws(FieldError) -> Value {
    switch type {
    case .varint: return .number(try varint())
    case .fixed64: return .fixed(try littleEndian(8))
    case .fixed32: return .fixed(try littleEndian(4))
    case .bytes: return .bytes(try take(try varint()))
    }
  }

  /// The next bytes, so many.
  mutating func take(_ count: UInt64) throws(FieldError) -> Range<Int> {
    guard count <= UInt64(end - offset) else { throw .truncated }
    defer { offset += Int(count) }
    return offset..<offset + Int(count)
  }

  private mutating func littleEndian(_ count: Int) throws(FieldError) -> UInt64 {
    guard count <= end - offset else { throw .truncated }
    var value: UInt64 = 0
    for index in 0..<count { value |= UInt64(unsafe input[offset + index]) << UInt64(8 * index) }
    offset += count
    return value
  }
}
