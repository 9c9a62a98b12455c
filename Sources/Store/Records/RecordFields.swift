import Bytes

/// The fields of a record of one kind, or of a part of one.
protocol RecordPart: Sendable, Equatable {
  /// Its fields, in the order in which they are written.
  static var fields: [RecordField] { get }

  init(from reader: inout FieldReader) throws(FieldError)
  func encode(into writer: inout FieldWriter)

  /// Throws where reading throws, and keeps nothing. The reader checks texts and bytes in place.
  static func check(_ reader: inout FieldReader) throws(FieldError)
}

extension RecordPart {
  static func check(_ reader: inout FieldReader) throws(FieldError) { _ = try Self(from: &reader) }
}

/// A part of which `visit` names each field once: from it come the codec, what `confab log dump` shows, and the table
/// in docs/LOG-FORMAT.md.
protocol FieldGroup: RecordPart {
  /// A value of which no field is known.
  init()

  /// Shows each field to a visitor, in the order in which they are written.
  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure)
}

extension FieldGroup {
  static var fields: [RecordField] {
    var (list, blank) = (FieldList(), Self())
    blank.visit(&list)
    return list.fields
  }

  init(from reader: inout FieldReader) throws(FieldError) {
    self.init()
    while try reader.next() != nil { try visit(&reader) }
  }

  func encode(into writer: inout FieldWriter) {
    var copy = self
    copy.visit(&writer)
  }
}

/// A pass over the fields of a record: to write them, to read the one at which a reader stands, or to list them.
protocol FieldVisitor: ~Copyable {
  associatedtype Failure: Error

  /// - Parameters:
  ///   - name: as `confab log dump` shows it.
  ///   - isStated: whether it is written.
  ///   - meaning: what the name does not say, for docs/LOG-FORMAT.md.
  mutating func field<Value: FieldValue>(
    _ number: UInt32, _ name: StaticString, isStated: Bool, _ value: inout Value, _ meaning: StaticString
  ) throws(Failure)

  /// Fields that come together, or not at all.
  mutating func part<Part: FieldGroup>(_ part: inout Part?) throws(Failure)

  /// A field that may come several times.
  mutating func fields<Value: FieldValue>(
    _ number: UInt32, _ name: StaticString, _ values: inout [Value], _ meaning: StaticString
  ) throws(Failure)
}

extension FieldVisitor where Self: ~Copyable {
  mutating func one<Value: FieldValue>(
    _ number: UInt32, _ name: StaticString, if isStated: Bool = true, _ value: inout Value, _ meaning: StaticString = ""
  ) throws(Failure) {
    try field(number, name, isStated: isStated, &value, meaning)
  }

  mutating func many<Value: FieldValue>(
    _ number: UInt32, _ name: StaticString, _ values: inout [Value], _ meaning: StaticString = ""
  ) throws(Failure) {
    try fields(number, name, &values, meaning)
  }

  /// A field that is only written if it is set.
  mutating func flag(
    _ number: UInt32, _ name: StaticString, _ value: inout Bool, _ meaning: StaticString = ""
  ) throws(Failure) {
    try one(number, name, if: value, &value, meaning)
  }

  /// A hash, of 8 bytes as they are.
  mutating func hash(
    _ number: UInt32, _ name: StaticString, _ value: inout UInt64?, _ meaning: StaticString = ""
  ) throws(Failure) {
    var hash = value.map(FieldHash.init)
    try one(number, name, &hash, meaning)
    value = hash?.value
  }
}

extension FieldWriter: FieldVisitor {
  mutating func part<Part: FieldGroup>(_ part: inout Part?) { part?.visit(&self) }

  mutating func field<Value: FieldValue>(
    _ number: UInt32, _ name: StaticString, isStated: Bool, _ value: inout Value, _ meaning: StaticString
  ) {
    if isStated { value.write(number, into: &self) }
  }

  mutating func fields<Value: FieldValue>(
    _ number: UInt32, _ name: StaticString, _ values: inout [Value], _ meaning: StaticString
  ) {
    for value in values { value.write(number, into: &self) }
  }
}

extension FieldReader: FieldVisitor {
  mutating func field<Value: FieldValue>(
    _ number: UInt32, _ name: StaticString, isStated: Bool, _ value: inout Value, _ meaning: StaticString
  ) throws(FieldError) {
    guard number == self.number else { return }
    value = try Value.read(from: self)
    isTaken = true
  }

  mutating func part<Part: FieldGroup>(_ part: inout Part?) throws(FieldError) {
    var present = part ?? Part()
    isTaken = false
    try present.visit(&self)
    if isTaken { part = present }
  }

  mutating func fields<Value: FieldValue>(
    _ number: UInt32, _ name: StaticString, _ values: inout [Value], _ meaning: StaticString
  ) throws(FieldError) {
    if number == self.number { values.append(try Value.read(from: self)) }
  }
}

/// One field, as it is listed.
package struct RecordField: Sendable {
  /// The form of its value (docs/LOG-FORMAT.md, "Payloads").
  package enum Form: String, Sendable { case uint, int, hash, text, bytes, fields }

  package let number: UInt32
  package let name: String
  package let form: Form
  package let isMany: Bool
  package let meaning: String

  init(_ number: UInt32, _ name: String, _ form: Form, many isMany: Bool = false, _ meaning: String = "") {
    (self.number, self.name, self.form, self.isMany, self.meaning) = (number, name, form, isMany, meaning)
  }

  /// The field's line in docs/LOG-FORMAT.md.
  fileprivate var description: String {
    let head = "\(number) `\(name)` \(form)" + (isMany ? " *(many)*" : "")
    return meaning.isEmpty ? head : "\(head): \(meaning)"
  }
}

extension [RecordField] {
  package var description: String { map(\.description).joined(separator: "; ") }

  /// The meaning of the field that they are inside of.
  func inside(behind meaning: String) -> String { meaning + inside }

  /// Behind the meaning of the field that they are inside of.
  fileprivate var inside: String { isEmpty ? "" : " (\(map(\.description).joined(separator: ", ")))" }
}

private struct FieldList: FieldVisitor {
  var fields: [RecordField] = []

  mutating func part<Part: FieldGroup>(_ part: inout Part?) { fields += Part.fields }

  mutating func field<Value: FieldValue>(
    _ number: UInt32, _ name: StaticString, isStated: Bool, _ value: inout Value, _ meaning: StaticString
  ) {
    fields.append(RecordField(number, "\(name)", Value.form, "\(meaning)" + Value.members.inside))
  }

  mutating func fields<Value: FieldValue>(
    _ number: UInt32, _ name: StaticString, _ values: inout [Value], _ meaning: StaticString
  ) {
    fields.append(RecordField(number, "\(name)", Value.form, many: true, "\(meaning)" + Value.members.inside))
  }
}
