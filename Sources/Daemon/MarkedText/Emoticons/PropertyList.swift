import JSON

/// Reads property lists, XML and binary ones, as JSON values: dictionaries are objects, data and dates null. Files of
/// anybody cost bounded time and memory (docs/decisions/0080-property-lists.md).
enum PropertyList {
  /// Values in a list; dictionaries, arrays and keys count.
  static let valueLimit = 400_000
  /// Bytes of all texts together. A binary list can name one text any number of times.
  static let textLimit = 8 << 20
  /// Dictionaries and arrays in each other.
  static let depthLimit = 16

  static func read(_ bytes: [UInt8]) throws(PropertyListError) -> JSONValue {
    if bytes.starts(with: BinaryPropertyList.magic) {
      var list = try BinaryPropertyList(bytes)
      return try list.read()
    }
    return try XMLPropertyList.read(bytes)
  }
}

/// Why a file is no property list that is taken.
struct PropertyListError: Error, Equatable, CustomStringConvertible {
  let description: String

  static let tooLarge = Self("the property list has too many values")
  static let tooDeep = Self("the property list is nested too deeply, or in a cycle")

  init(_ description: String) { self.description = description }
}

/// The number of values and bytes that may still be read.
struct PropertyListBudget {
  private var values = PropertyList.valueLimit
  private var textBytes = PropertyList.textLimit

  mutating func takeValue() throws(PropertyListError) {
    values -= 1
    if values < 0 { throw .tooLarge }
  }

  mutating func takeText(_ count: Int) throws(PropertyListError) {
    textBytes -= count
    if textBytes < 0 { throw .tooLarge }
  }
}
