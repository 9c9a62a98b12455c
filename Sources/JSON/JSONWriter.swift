/// Writes JSON straight into bytes, on one line, whatever is in it.
///
/// Commas are its own business; balance and names are the caller's: inside an object each value follows a `key` (or
/// comes with `member`). Names given as StaticString are written as they are: ASCII without quote and backslash.
/// Every other string has C0, DEL, C1, U+2028, U+2029, quotes and backslashes escaped, so that no text can end a
/// line or reach a terminal as a control.
package struct JSONWriter: ~Copyable {
  var room: Room
  var needsComma = false

  /// A writer that goes on behind `bytes`.
  ///
  /// - Parameter capacity: so many bytes, about, will be written.
  package init(into bytes: [UInt8] = [], capacity: Int = 256) {
    room = Room(bytes.count + capacity)
    lines(bytes)
  }

  /// What has been written.
  package var bytes: [UInt8] { room.bytes }

  /// How many bytes have been written.
  package var count: Int { room.count }

  /// Ends a line and starts the next one, where a value may stand anew.
  package mutating func endLine() {
    room.byte(0x0A)
    needsComma = false
  }

  /// Appends whole lines, where one may begin.
  package mutating func lines(_ lines: [UInt8]) { unsafe lines.withUnsafeBufferPointer { unsafe room.bytes($0) } }
}

// MARK: - Structure

extension JSONWriter {
  package mutating func beginObject() { begin(UInt8(ascii: "{")) }
  package mutating func endObject() { end(UInt8(ascii: "}")) }
  package mutating func beginArray() { begin(UInt8(ascii: "[")) }
  package mutating func endArray() { end(UInt8(ascii: "]")) }

  private mutating func begin(_ bracket: UInt8) {
    separate()
    room.byte(bracket)
    needsComma = false
  }

  private mutating func end(_ bracket: UInt8) {
    room.byte(bracket)
    needsComma = true
  }

  /// The name of the next value.
  package mutating func key(_ name: StaticString) {
    room.name(name, afterComma: needsComma)
    needsComma = false
  }

  /// The name of the next value, from anywhere: escaped.
  package mutating func key(escaping name: String) {
    value(name)
    room.byte(UInt8(ascii: ":"))
    needsComma = false
  }

  private mutating func separate() {
    if needsComma { room.byte(UInt8(ascii: ",")) }
    needsComma = true
  }
}

// MARK: - Values

extension JSONWriter {
  package mutating func value(_ text: String) { value(text.utf8Span) }

  package mutating func value(_ text: UTF8Span) {
    separate()
    unsafe text.span.withUnsafeBufferPointer { unsafe room.quoted($0) }
  }

  package mutating func value(_ flag: Bool) {
    separate()
    room.word(flag ? "true" : "false")
  }

  package mutating func value(_ number: some BinaryInteger) {
    separate()
    guard let magnitude = UInt64(exactly: number.magnitude) else { return word(String(number)) }
    if number < 0 { room.byte(UInt8(ascii: "-")) }
    room.digits(of: magnitude)
  }

  package mutating func value(_ number: UInt64) {
    separate()
    room.digits(of: number)
  }

  /// A number; what is not finite has no JSON form and becomes null.
  package mutating func value(_ number: Double) {
    separate()
    word(number.isFinite ? number.description : "null")
  }

  package mutating func null() {
    separate()
    room.word("null")
  }

  package mutating func value(_ value: JSONValue) {
    switch value {
    case .null: null()
    case .bool(let flag): self.value(flag)
    case .integer(let number): self.value(number)
    case .number(let number): self.value(number)
    case .string(let text): self.value(text)
    case .array(let elements):
      beginArray()
      for element in elements { self.value(element) }
      endArray()
    case .object(let members):
      beginObject()
      for member in members {
        key(escaping: member.name)
        self.value(member.value)
      }
      endObject()
    }
  }

  /// Bytes that are one whole JSON value already, taken as they are.
  package mutating func raw(_ json: [UInt8]) {
    separate()
    lines(json)
  }

  private mutating func word(_ word: String) { lines(Array(word.utf8)) }
}

// MARK: - Members

extension JSONWriter {
  package mutating func member(_ name: StaticString, _ text: String) { member(name, text.utf8Span) }

  package mutating func member(_ name: StaticString, _ text: UTF8Span) {
    unsafe text.span.withUnsafeBufferPointer { unsafe member(name, utf8: $0) }
  }

  /// The same where `text` is well-formed UTF-8.
  package mutating func member(_ name: StaticString, utf8 text: UnsafeBufferPointer<UInt8>) {
    room.name(name, afterComma: needsComma)
    unsafe room.quoted(text)
    needsComma = true
  }

  /// A string that `write` appends, of at most `most` bytes: ASCII without quotes, backslashes and controls.
  @inline(__always)
  package mutating func member(_ name: StaticString, plain most: Int, _ write: (inout OutputSpan<UInt8>) -> Void) {
    room.name(name, afterComma: needsComma)
    room.byte(UInt8(ascii: "\""))
    room.bytes(atMost: most, write)
    room.byte(UInt8(ascii: "\""))
    needsComma = true
  }

  package mutating func member(_ name: StaticString, _ flag: Bool) {
    room.reserve(name.utf8CodeUnitCount + 9)
    unsafe room.place = room.place.name(name, afterComma: needsComma).flag(flag)
    needsComma = true
  }

  package mutating func member(_ name: StaticString, _ number: UInt64) {
    room.reserve(name.utf8CodeUnitCount + 24)
    unsafe room.place = room.place.name(name, afterComma: needsComma).digits(of: number)
    needsComma = true
  }

  package mutating func member(_ name: StaticString, _ number: some BinaryInteger) {
    key(name)
    value(number)
  }

  package mutating func member(_ name: StaticString, _ value: JSONValue) {
    key(name)
    self.value(value)
  }

  /// An object; `write` adds its members.
  package mutating func object(_ name: StaticString, _ write: (inout JSONWriter) -> Void) {
    key(name)
    beginObject()
    write(&self)
    endObject()
  }

  /// An array; `write` adds its elements.
  package mutating func array(_ name: StaticString, _ write: (inout JSONWriter) -> Void) {
    key(name)
    beginArray()
    write(&self)
    endArray()
  }
}
