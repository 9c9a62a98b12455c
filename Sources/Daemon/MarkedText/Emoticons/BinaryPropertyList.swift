import JSON

/// A binary property list (`bplist00`): values that name each other by number, a table of where they stand, and a
/// trailer that says where the table does. A value that is named often is read as often, within the budget.
struct BinaryPropertyList {
  static let magic = Array("bplist00".utf8)
  private static let trailerCount = 32

  private let bytes: [UInt8]
  private let offsetSize: Int
  private let referenceSize: Int
  private let valueCount: Int
  private let root: Int
  private let table: Int
  private var budget = PropertyListBudget()

  init(_ bytes: [UInt8]) throws(PropertyListError) {
    self.bytes = bytes
    let trailer = bytes.count - Self.trailerCount
    guard trailer >= Self.magic.count else { throw Self.damaged }
    (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let valueCount = Self.integer(bytes, at: trailer + 8, size: 8),
      let root = Self.integer(bytes, at: trailer + 16, size: 8),
      let table = Self.integer(bytes, at: trailer + 24, size: 8),
      root < valueCount, table <= trailer, valueCount <= (trailer - table) / offsetSize
    else { throw Self.damaged }
    (self.valueCount, self.root, self.table) = (valueCount, root, table)
  }

  mutating func read() throws(PropertyListError) -> JSONValue { try value(root, depth: 0) }

  private static let damaged = PropertyListError("the binary property list is damaged")

  private mutating func value(_ number: Int, depth: Int) throws(PropertyListError) -> JSONValue {
    try budget.takeValue()
    guard depth < PropertyList.depthLimit else { throw .tooDeep }
    guard number < valueCount, let start = Self.integer(bytes, at: table + number * offsetSize, size: offsetSize),
      start < table
    else { throw Self.damaged }
    let (kind, low) = (bytes[start] >> 4, Int(bytes[start] & 0xF))
    switch kind {
    case 0x0 where low == 8 || low == 9: return .bool(low == 9)
    case 0x1: return integer(at: start + 1, exponent: low)
    case 0x5, 0x6: return .string(try text(at: start, isWide: kind == 6))
    case 0xA, 0xB, 0xC: return .array(try values(at: start, depth))
    case 0xD: return .object(try members(at: start, depth))
    default: return .null
    }
  }

  private func integer(at start: Int, exponent: Int) -> JSONValue {
    guard exponent <= 3, let value = Self.integer(bytes, at: start, size: 1 << exponent) else { return .null }
    return .integer(Int64(value))
  }

  private mutating func text(at start: Int, isWide: Bool) throws(PropertyListError) -> String {
    let (count, first) = try count(at: start)
    let size = isWide ? 2 : 1
    guard count <= (table - first) / size else { throw Self.damaged }
    try budget.takeText(count * size)
    guard isWide else { return String(decoding: bytes[first..<first + count], as: UTF8.self) }
    let units = (0..<count).map { UInt16(bytes[first + 2 * $0]) << 8 | UInt16(bytes[first + 2 * $0 + 1]) }
    return String(decoding: units, as: UTF16.self)
  }

  private mutating func values(at start: Int, _ depth: Int) throws(PropertyListError) -> [JSONValue] {
    let (count, first) = try count(at: start)
    try checkReferences(count, at: first)
    var values: [JSONValue] = []
    for index in 0..<count { values.append(try value(reference(index, at: first), depth: depth + 1)) }
    return values
  }

  private mutating func members(at start: Int, _ depth: Int) throws(PropertyListError) -> [JSONMember] {
    let (count, first) = try count(at: start)
    try checkReferences(count, at: first, each: 2)
    var members: [JSONMember] = []
    for index in 0..<count {
      guard case .string(let key) = try value(reference(index, at: first), depth: depth + 1) else { throw Self.damaged }
      members.append(JSONMember(key, try value(reference(count + index, at: first), depth: depth + 1)))
    }
    return members
  }

  /// How many elements a value has, and where they begin: 15 says that an integer follows.
  private func count(at start: Int) throws(PropertyListError) -> (count: Int, first: Int) {
    let low = Int(bytes[start] & 0xF)
    if low < 15 { return (low, start + 1) }
    guard start + 1 < table, bytes[start + 1] >> 4 == 1, bytes[start + 1] & 0xF <= 3 else { throw Self.damaged }
    let size = 1 << Int(bytes[start + 1] & 0xF)
    guard let count = Self.integer(bytes, at: start + 2, size: size), start + 2 + size <= table else {
      throw Self.damaged
    }
    return (count, start + 2 + size)
  }

  private func checkReferences(_ count: Int, at first: Int, each: Int = 1) throws(PropertyListError) {
    guard count <= (table - first) / (referenceSize * each) else { throw Self.damaged }
  }

  /// A reference that lies before the table.
  private func reference(_ index: Int, at first: Int) -> Int {
    Self.integer(bytes, at: first + index * referenceSize, size: referenceSize) ?? .max
  }

  /// A big-endian integer; nil if it is not within the bytes, or does not fit.
  private static func integer(_ bytes: [UInt8], at start: Int, size: Int) -> Int? {
    guard start >= 0, start <= bytes.count - size else { return nil }
    let value = bytes[start..<start + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int(exactly: value)
  }
}
