/// Writes JSON straight into bytes, on one line, whatever is in it.
///
/// Commas are its own business; balance and names are the caller's: inside an object each value follows a `key` (or
/// comes with `member`). Names given as StaticString are written as they are: ASCII without quote and backslash.
/// Every other string has C0, DEL, C1, U+2028, U+2029, quotes and backslashes escaped, so that no text can end a
/// line or reach a terminal as a control.
package struct JSONWriter: Sendable {
  /// What has been written; may be appended to between whole values.
  package var bytes: [UInt8]
  private var needsComma = false

  /// A writer that appends to `bytes`.
  package init(into bytes: [UInt8] = []) {
    self.bytes = bytes
  }

  /// Ends a line and starts the next one, where a value may stand anew.
  package mutating func endLine() {
    bytes.append(0x0A)
    needsComma = false
  }
}

// MARK: - Structure

extension JSONWriter {
  package mutating func beginObject() { begin(UInt8(ascii: "{")) }
  package mutating func endObject() { end(UInt8(ascii: "}")) }
  package mutating func beginArray() { begin(UInt8(ascii: "[")) }
  package mutating func endArray() { end(UInt8(ascii: "]")) }

  private mutating func begin(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func end(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  /// The name of the next value.
  package mutating func key(_ name: StaticString) {
    let isNext = needsComma
    put(name.utf8CodeUnitCount + 4) { $0.name(name, afterComma: isNext) }
    needsComma = false
  }

  /// The name of the next value, from anywhere: escaped.
  package mutating func key(escaping name: String) {
    value(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }
}

// MARK: - Values

extension JSONWriter {
  package mutating func value(_ text: String) { value(text.utf8Span) }

  package mutating func value(_ text: UTF8Span) {
    separate()
    appendQuoted(text)
  }

  package mutating func value(_ flag: Bool) {
    separate()
    put(5) { $0.flag(flag) }
  }

  package mutating func value(_ number: some BinaryInteger) {
    separate()
    guard let magnitude = UInt64(exactly: number.magnitude) else {
      return bytes.append(contentsOf: String(number).utf8)
    }
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    appendDigits(of: magnitude)
  }

  package mutating func value(_ number: UInt64) {
    separate()
    appendDigits(of: number)
  }

  private mutating func appendDigits(of number: UInt64) {
    put(20) { $0.digits(of: number) }
  }

  /// A number; what is not finite has no JSON form and becomes null.
  package mutating func value(_ number: Double) {
    separate()
    bytes.append(contentsOf: (number.isFinite ? number.description : "null").utf8)
  }

  package mutating func null() {
    separate()
    bytes.append(contentsOf: "null".utf8)
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
  package mutating func raw(_ json: some Collection<UInt8>) {
    separate()
    bytes.append(contentsOf: json)
  }
}

// MARK: - Members

extension JSONWriter {
  package mutating func member(_ name: StaticString, _ text: String) { member(name, text.utf8Span) }

  package mutating func member(_ name: StaticString, _ text: UTF8Span) {
    let isNext = needsComma
    unsafe text.span.withUnsafeBufferPointer { text in
      let harmless = unsafe Self.harmlessCount(text)
      guard harmless == text.count else {
        key(name)
        separate()
        return unsafe Self.quote(text, into: &bytes)
      }
      // Room is made once for all of it: there are a dozen in each message.
      put(name.utf8CodeUnitCount + 6 + text.count) {
        $0.name(name, afterComma: isNext)
        unsafe $0.quoted(text)
      }
      needsComma = true
    }
  }

  /// A string that `write` appends: ASCII without quotes, backslashes and controls.
  package mutating func member(_ name: StaticString, plain write: (inout [UInt8]) -> Void) {
    key(name)
    bytes.append(UInt8(ascii: "\""))
    write(&bytes)
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  package mutating func member(_ name: StaticString, _ flag: Bool) {
    let isNext = needsComma
    put(name.utf8CodeUnitCount + 9) {
      $0.name(name, afterComma: isNext)
      $0.flag(flag)
    }
    needsComma = true
  }

  package mutating func member(_ name: StaticString, _ number: UInt64) {
    let isNext = needsComma
    put(name.utf8CodeUnitCount + 24) {
      $0.name(name, afterComma: isNext)
      $0.digits(of: number)
    }
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
