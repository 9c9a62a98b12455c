/// Writes JSON straight into bytes, on one line, whatever is in it.
///
/// Commas are its own business; balance and names are the caller's: inside an object each value follows a `key` (or
/// comes with `member`). Names given as StaticString are written as they are: ASCII without quote and backslash.
/// Every other string has C0, DEL, C1, U+2028, U+2029, quotes and backslashes escaped, so that no text can end a
/// line or reach a terminal as a control.
public struct JSONWriter: ~Copyable {
  @usableFromInline var buffer: OutputBuffer
  @usableFromInline var needsComma = false

  /// A writer that goes on behind `bytes`.
  ///
  /// - Parameter capacity: so many bytes, about, will be written.
  public init(into bytes: [UInt8] = [], capacity: Int = 256) {
    buffer = OutputBuffer(bytes.count + capacity)
    lines(bytes)
  }

  /// The bytes written so far.
  public var bytes: [UInt8] { buffer.bytes }

  /// How many bytes have been written.
  public var count: Int { buffer.count }

  /// Ends a line and starts the next one, where a value may stand anew.
  @inlinable @inline(__always)
  public mutating func endLine() {
    buffer.byte(0x0A)
    needsComma = false
  }

  /// Appends whole lines, where one may begin.
  public mutating func lines(_ lines: [UInt8]) { unsafe lines.withUnsafeBufferPointer { unsafe buffer.bytes($0) } }
}

// MARK: - Structure

extension JSONWriter {
  @inlinable public mutating func beginObject() { begin(UInt8(ascii: "{")) }
  @inlinable public mutating func endObject() { end(UInt8(ascii: "}")) }
  public mutating func beginArray() { begin(UInt8(ascii: "[")) }
  public mutating func endArray() { end(UInt8(ascii: "]")) }

  @inlinable @inline(__always)
  mutating func begin(_ bracket: UInt8) {
    separate()
    buffer.byte(bracket)
    needsComma = false
  }

  @inlinable @inline(__always)
  mutating func end(_ bracket: UInt8) {
    buffer.byte(bracket)
    needsComma = true
  }

  /// The name of the next value.
  @inlinable public mutating func key(_ name: StaticString) {
    buffer.name(name, afterComma: needsComma)
    needsComma = false
  }

  /// The name of the next value, from anywhere: escaped.
  public mutating func key(escaping name: String) {
    value(name)
    buffer.byte(UInt8(ascii: ":"))
    needsComma = false
  }

  @inlinable @inline(__always)
  mutating func separate() {
    if needsComma { buffer.byte(UInt8(ascii: ",")) }
    needsComma = true
  }
}

// MARK: - Values

extension JSONWriter {
  public mutating func value(_ text: String) { value(text.utf8Span) }

  public mutating func value(_ text: UTF8Span) {
    separate()
    unsafe text.span.withUnsafeBufferPointer { unsafe buffer.quoted($0) }
  }

  /// Writes a string, given as well-formed UTF-8.
  public mutating func value(utf8 text: UnsafeBufferPointer<UInt8>) {
    separate()
    unsafe buffer.quoted(text)
  }

  public mutating func value(_ flag: Bool) {
    separate()
    buffer.word(flag ? "true" : "false")
  }

  public mutating func value(_ number: some BinaryInteger) {
    separate()
    guard let magnitude = UInt64(exactly: number.magnitude) else { return word(String(number)) }
    if number < 0 { buffer.byte(UInt8(ascii: "-")) }
    buffer.digits(of: magnitude)
  }

  public mutating func value(_ number: UInt64) {
    separate()
    buffer.digits(of: number)
  }

  /// A number; what is not finite has no JSON form and becomes null.
  public mutating func value(_ number: Double) {
    separate()
    word(number.isFinite ? number.description : "null")
  }

  public mutating func null() {
    separate()
    buffer.word("null")
  }

  public mutating func value(_ value: JSONValue) {
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

  private mutating func word(_ word: String) { lines(Array(word.utf8)) }
}

// MARK: - Members

extension JSONWriter {
  public mutating func member(_ name: StaticString, _ text: String) { member(name, text.utf8Span) }

  public mutating func member(_ name: StaticString, _ text: UTF8Span) {
    unsafe text.span.withUnsafeBufferPointer { unsafe member(name, utf8: $0) }
  }

  /// Writes a member with a string, given as well-formed UTF-8.
  @inlinable @inline(__always)
  public mutating func member(_ name: StaticString, utf8 text: UnsafeBufferPointer<UInt8>) {
    buffer.name(name, afterComma: needsComma)
    unsafe buffer.quoted(text)
    needsComma = true
  }

  /// A word of ASCII without quotes, backslashes and controls.
  @inlinable @inline(__always)
  public mutating func member(_ name: StaticString, plain word: StaticString) {
    buffer.reserve(name.utf8CodeUnitCount + word.utf8CodeUnitCount + 6)
    unsafe buffer.place = buffer.place.name(name, afterComma: needsComma).quoted(word)
    needsComma = true
  }

  /// A string that `write` appends, of at most `most` bytes: ASCII without quotes, backslashes and controls.
  @inlinable @inline(__always)
  public mutating func member(_ name: StaticString, plain most: Int, _ write: (inout OutputSpan<UInt8>) -> Void) {
    buffer.name(name, afterComma: needsComma)
    buffer.byte(UInt8(ascii: "\""))
    buffer.bytes(atMost: most, write)
    buffer.byte(UInt8(ascii: "\""))
    needsComma = true
  }

  @inlinable @inline(__always)
  public mutating func member(_ name: StaticString, _ flag: Bool) {
    buffer.reserve(name.utf8CodeUnitCount + 9)
    unsafe buffer.place = buffer.place.name(name, afterComma: needsComma).flag(flag)
    needsComma = true
  }

  @inlinable @inline(__always)
  public mutating func member(_ name: StaticString, _ number: UInt64) {
    buffer.reserve(name.utf8CodeUnitCount + 24)
    unsafe buffer.place = buffer.place.name(name, afterComma: needsComma).digits(of: number)
    needsComma = true
  }

  public mutating func member(_ name: StaticString, _ number: some BinaryInteger) {
    key(name)
    value(number)
  }

  /// An object; `write` adds its members.
  public mutating func object(_ name: StaticString, _ write: (inout JSONWriter) -> Void) {
    key(name)
    beginObject()
    write(&self)
    endObject()
  }

  /// The beginning of an array that is a member.
  public mutating func beginArray(_ name: StaticString) {
    key(name)
    beginArray()
  }

  /// An array; `write` adds its elements.
  public mutating func array(_ name: StaticString, _ write: (inout JSONWriter) -> Void) {
    key(name)
    beginArray()
    write(&self)
    endArray()
  }
}
