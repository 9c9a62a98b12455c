/// A strict RFC 8259 reader over bytes in memory, without Foundation.
///
/// Stricter than the RFC where it leaves a choice: double names, lone surrogates and numbers no Double holds are
/// errors, a byte order mark is an unexpected byte. Recursion is bounded by `maximumDepth`, memory by the input.
package struct JSONParser {
  /// Objects with more members than this look for doubles in a set instead of along the list.
  private static let listedNames = 16

  private let bytes: [UInt8]
  private let end: Int
  private var index: Int
  private var depthLeft: Int
  private let isLenient: Bool

  /// Parses one value that fills the whole of `bytes` but for white space.
  /// - Parameters:
  ///   - maximumDepth: how many arrays and objects may stand inside each other.
  ///   - isLenient: takes double members (a look-up finds the first) and lone surrogates (as U+FFFD), for a reader
  ///     that has refused the text and wants to know whom to tell.
  package static func parse(
    _ bytes: [UInt8], maximumDepth: Int = 16, isLenient: Bool = false
  ) throws(JSONError) -> JSONValue {
    try parse(bytes[...], maximumDepth: maximumDepth, isLenient: isLenient)
  }

  /// The same for a part of an array; offsets in errors count from the start of the part.
  package static func parse(
    _ slice: ArraySlice<UInt8>, maximumDepth: Int = 16, isLenient: Bool = false
  ) throws(JSONError) -> JSONValue {
    var parser = JSONParser(Array(slice), maximumDepth, isLenient)
    let value = try parser.value()
    parser.skipWhiteSpace()
    guard parser.index == parser.end else { throw .trailing(offset: parser.index) }
    return value
  }

  private init(_ bytes: [UInt8], _ depth: Int, _ isLenient: Bool) {
    self.isLenient = isLenient
    self.bytes = bytes
    end = bytes.count
    index = 0
    depthLeft = depth
  }
}

// MARK: - Values

extension JSONParser {
  private mutating func value() throws(JSONError) -> JSONValue {
    skipWhiteSpace()
    switch try peek() {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try literal("true", .bool(true))
    case UInt8(ascii: "f"): return try literal("false", .bool(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    default: return try number()
    }
  }

  private mutating func literal(_ text: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
    for expected in text.description.utf8 { try expect(expected) }
    return value
  }

  private mutating func array() throws(JSONError) -> JSONValue {
    try descend()
    var elements: [JSONValue] = []
    skipWhiteSpace()
    if try peek() != UInt8(ascii: "]") {
      elements.append(try value())
      while try another(before: UInt8(ascii: "]")) { elements.append(try value()) }
    }
    ascend()
    return .array(elements)
  }

  private mutating func object() throws(JSONError) -> JSONValue {
    try descend()
    var members: [JSONMember] = []
    var names: Set<[UInt8]> = []
    skipWhiteSpace()
    if try peek() != UInt8(ascii: "}") {
      try member(into: &members, &names)
      while try another(before: UInt8(ascii: "}")) { try member(into: &members, &names) }
    }
    ascend()
    return .object(members)
  }

  /// One `"name": value`, unless the name is there already: names are compared as bytes, never as characters.
  private mutating func member(
    into members: inout [JSONMember], _ names: inout Set<[UInt8]>
  ) throws(JSONError) {
    skipWhiteSpace()
    guard try peek() == UInt8(ascii: "\"") else { throw .unexpected(offset: index) }
    let name = try string()
    guard isLenient || Self.isNew(name, among: members, &names) else { throw .duplicateMember(name) }
    skipWhiteSpace()
    try expect(UInt8(ascii: ":"))
    members.append(JSONMember(name, try value()))
  }

  private static func isNew(_ name: String, among members: [JSONMember], _ names: inout Set<[UInt8]>) -> Bool {
    guard members.count >= listedNames else {
      return !members.contains { $0.name.utf8.elementsEqual(name.utf8) }
    }
    if names.isEmpty { names = Set(members.map { Array($0.name.utf8) }) }
    return names.insert(Array(name.utf8)).inserted
  }

  /// After an element: true when a comma announces another one, false at `close` (left for `ascend`).
  private mutating func another(before close: UInt8) throws(JSONError) -> Bool {
    skipWhiteSpace()
    switch try peek() {
    case UInt8(ascii: ","):
      index += 1
      return true
    case close: return false
    default: throw .unexpected(offset: index)
    }
  }

  private mutating func descend() throws(JSONError) {
    guard depthLeft > 0 else { throw .tooDeep(offset: index) }
    depthLeft -= 1
    index += 1
  }

  private mutating func ascend() {
    depthLeft += 1
    index += 1
  }
}

// MARK: - Bytes

extension JSONParser {
  private func peek() throws(JSONError) -> UInt8 {
    guard index < end else { throw .truncated }
    return bytes[index]
  }

  private mutating func expect(_ byte: UInt8) throws(JSONError) {
    guard try peek() == byte else { throw .unexpected(offset: index) }
    index += 1
  }

  private mutating func skipWhiteSpace() {
    while index < end, bytes[index] == 0x20 || bytes[index] == 0x0A || bytes[index] == 0x0D || bytes[index] == 0x09 {
      index += 1
    }
  }
}

// MARK: - Numbers

extension JSONParser {
  private mutating func number() throws(JSONError) -> JSONValue {
    let start = index
    if try peek() == UInt8(ascii: "-") { index += 1 }
    try integerPart()
    let isWhole = try !fractionAndExponent()
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    if isWhole, let integer = Int64(text) { return .integer(integer) }
    guard let number = Double(text), number.isFinite else { throw .numberOutOfRange(offset: start) }
    return .number(number)
  }

  private mutating func integerPart() throws(JSONError) {
    if try peek() == UInt8(ascii: "0") {
      index += 1
    } else {
      try digits()
    }
  }

  /// True when there was a fraction or an exponent.
  private mutating func fractionAndExponent() throws(JSONError) -> Bool {
    let start = index
    if index < end, bytes[index] == UInt8(ascii: ".") {
      index += 1
      try digits()
    }
    if index < end, bytes[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      let sign = try peek()
      if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { index += 1 }
      try digits()
    }
    return index > start
  }

  /// One digit at least.
  private mutating func digits() throws(JSONError) {
    guard (0x30...0x39).contains(try peek()) else { throw .unexpected(offset: index) }
    while index < end, (0x30...0x39).contains(bytes[index]) { index += 1 }
  }
}

// MARK: - Strings

extension JSONParser {
  /// A string from its opening quote to its closing one; one copy where nothing is escaped.
  private mutating func string() throws(JSONError) -> String {
    index += 1
    var start = index
    var decoded: [UInt8] = []
    while true {
      switch try peek() {
      case UInt8(ascii: "\""):
        let text = try text(decoded, start..<index)
        index += 1
        return text
      case UInt8(ascii: "\\"):
        decoded.append(contentsOf: bytes[start..<index])
        try escape(into: &decoded)
        start = index
      case 0..<0x20: throw .unexpected(offset: index)
      default: index += 1
      }
    }
  }

  private func text(_ decoded: [UInt8], _ rest: Range<Int>) throws(JSONError) -> String {
    let text =
      decoded.isEmpty
      ? String(validating: bytes[rest], as: UTF8.self) : String(validating: decoded + bytes[rest], as: UTF8.self)
    guard let text else { throw .invalidUTF8(offset: rest.lowerBound) }
    return text
  }

  private mutating func escape(into decoded: inout [UInt8]) throws(JSONError) {
    index += 1
    let byte = try peek()
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): decoded.append(byte)
    case UInt8(ascii: "b"): decoded.append(0x08)
    case UInt8(ascii: "f"): decoded.append(0x0C)
    case UInt8(ascii: "n"): decoded.append(0x0A)
    case UInt8(ascii: "r"): decoded.append(0x0D)
    case UInt8(ascii: "t"): decoded.append(0x09)
    case UInt8(ascii: "u"): decoded.append(contentsOf: Array(String(try escapedScalar()).utf8))
    default: throw .unexpected(offset: index - 1)
    }
  }

  /// After `\u`: four digits, and a second escape where they are a high surrogate.
  private mutating func escapedScalar() throws(JSONError) -> Unicode.Scalar {
    let start = index - 2
    let unit = try fourHexDigits()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    let afterHigh = index
    if unit < 0xDC00, let low = try escapedUnit(), (0xDC00...0xDFFF).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    {
      return scalar
    }
    guard isLenient else { throw .loneSurrogate(offset: start) }
    index = afterHigh
    return "\u{FFFD}"
  }

  /// The unit of a `\u` escape, nil where none follows.
  private mutating func escapedUnit() throws(JSONError) -> UInt32? {
    guard try peek() == UInt8(ascii: "\\") else { return nil }
    index += 1
    guard try peek() == UInt8(ascii: "u") else { return nil }
    index += 1
    return try fourHexDigits()
  }

  private mutating func fourHexDigits() throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      let byte = try peek()
      switch byte {
      case 0x30...0x39: value = value << 4 | UInt32(byte - 0x30)
      case 0x41...0x46: value = value << 4 | UInt32(byte - 0x41 + 10)
      case 0x61...0x66: value = value << 4 | UInt32(byte - 0x61 + 10)
      default: throw .unexpected(offset: index)
      }
      index += 1
    }
    return value
  }
}
