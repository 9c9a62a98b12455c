/// A strict RFC 8259 reader over bytes in memory, without Foundation.
///
/// Stricter than the RFC where it leaves a choice: double names, lone surrogates and numbers no Double holds are
/// errors, a byte order mark is an unexpected byte. Recursion is bounded by `maximumDepth`, memory by the input.
public struct JSONParser {
  /// Objects with more members than this look for doubles in a set instead of along the list.
  private static let listedNames = 16

  let bytes: [UInt8]
  let end: Int
  /// The next byte to look at.
  var index: Int
  private var depthLeft: Int
  let isLenient: Bool

  /// Parses one value that fills the whole of `bytes` but for white space.
  /// - Parameters:
  ///   - maximumDepth: how many arrays and objects may stand inside each other.
  ///   - isLenient: takes double members (a look-up finds the first) and lone surrogates (as U+FFFD), for a reader
  ///     that has refused the text and wants to know whom to tell.
  public static func parse(
    _ bytes: [UInt8], maximumDepth: Int = 16, isLenient: Bool = false
  ) throws(JSONError) -> JSONValue {
    try parse(bytes[...], maximumDepth: maximumDepth, isLenient: isLenient)
  }

  /// Parses a part of an array; offsets in errors count from the start of the part.
  public static func parse(
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
  /// The next byte.
  func peek() throws(JSONError) -> UInt8 {
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
