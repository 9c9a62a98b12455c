import Bytes

/// The value of a field.
protocol FieldValue: Sendable {
  static var form: RecordField.Form { get }
  /// The fields inside of it.
  static var members: [RecordField] { get }
  static func read(from reader: borrowing FieldReader) throws(FieldError) -> Self
  func write(_ number: UInt32, into writer: inout FieldWriter)
}

extension FieldValue {
  static var members: [RecordField] { [] }
}

extension FieldValue where Self: UnsignedInteger & FixedWidthInteger {
  static var form: RecordField.Form { .uint }
  static func read(from reader: borrowing FieldReader) throws(FieldError) -> Self { try reader.uint(Self.self) }
  func write(_ number: UInt32, into writer: inout FieldWriter) { writer.uint(number, UInt64(self)) }
}

/// A number with a name for each value.
extension FieldValue where Self: RawRepresentable, RawValue == UInt8 {
  static var form: RecordField.Form { .uint }
  static func read(from reader: borrowing FieldReader) throws(FieldError) -> Self {
    guard let value = Self(rawValue: try reader.uint(UInt8.self)) else { throw .wrongType(number: reader.number) }
    return value
  }
  func write(_ number: UInt32, into writer: inout FieldWriter) { writer.uint(number, UInt64(rawValue)) }
}

extension UInt64: FieldValue {}
extension UInt32: FieldValue {}
extension UInt8: FieldValue {}

extension Bool: FieldValue {
  static var form: RecordField.Form { .uint }
  static func read(from reader: borrowing FieldReader) throws(FieldError) -> Bool { try reader.bool() }
  func write(_ number: UInt32, into writer: inout FieldWriter) { writer.bool(number, self) }
}

extension Int64: FieldValue {
  static var form: RecordField.Form { .int }
  static func read(from reader: borrowing FieldReader) throws(FieldError) -> Int64 { try reader.int() }
  func write(_ number: UInt32, into writer: inout FieldWriter) { writer.int(number, self) }
}

extension String: FieldValue {
  static var form: RecordField.Form { .text }
  static func read(from reader: borrowing FieldReader) throws(FieldError) -> String { try reader.string() }
  func write(_ number: UInt32, into writer: inout FieldWriter) { writer.string(number, self) }
}

extension [UInt8]: FieldValue {
  static var form: RecordField.Form { .bytes }
  static func read(from reader: borrowing FieldReader) throws(FieldError) -> [UInt8] { try reader.bytes() }
  func write(_ number: UInt32, into writer: inout FieldWriter) { writer.bytes(number, self) }
}

/// A hash, which is large and random: a varint would be longer.
struct FieldHash: FieldValue {
  let value: UInt64

  static var form: RecordField.Form { .hash }
  static func read(from reader: borrowing FieldReader) throws(FieldError) -> FieldHash {
    FieldHash(value: try reader.fixed64())
  }
  func write(_ number: UInt32, into writer: inout FieldWriter) { writer.fixed64(number, value) }
}

/// A value that is written unless it is nil.
extension Optional: FieldValue where Wrapped: FieldValue {
  static var form: RecordField.Form { Wrapped.form }
  static func read(from reader: borrowing FieldReader) throws(FieldError) -> Wrapped? {
    try Wrapped.read(from: reader)
  }
  func write(_ number: UInt32, into writer: inout FieldWriter) {
    if let value = self { value.write(number, into: &writer) }
  }
}

extension FieldValue where Self: FieldGroup {
  static var form: RecordField.Form { .fields }
  static var members: [RecordField] { fields }
  static func read(from reader: borrowing FieldReader) throws(FieldError) -> Self {
    try reader.message { inner throws(FieldError) in try Self(from: &inner) }
  }
  func write(_ number: UInt32, into writer: inout FieldWriter) {
    writer.message(number) { encode(into: &$0) }
  }
}
