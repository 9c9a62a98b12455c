/// One JSON value (RFC 8259), read or to be written.
public enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  /// A number without fraction and exponent that fits; `-0` is 0.
  case integer(Int64)
  /// Any other number; always finite.
  case number(Double)
  case string(String)
  case array([JSONValue])
  /// Members in the order they came; names are unique (the parser refuses doubles).
  case object([JSONMember])

  /// The member of an object by its name, compared byte by byte; nil for other values and absent members.
  public subscript(_ name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  /// The text of a string; nil for other values.
  public var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The value of an integer; nil for other values, also for `1.0`.
  public var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  /// The value of `true` or `false`; nil for other values.
  public var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The elements of an array; nil for other values.
  public var array: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The members of an object; nil for other values.
  public var members: [JSONMember]? {
    if case .object(let members) = self { members } else { nil }
  }
}

/// A name and its value inside an object.
public struct JSONMember: Equatable, Sendable {
  public var name: String
  public var value: JSONValue

  public init(_ name: String, _ value: JSONValue) {
    self.name = name
    self.value = value
  }
}

/// Why a text is not the JSON we take; offsets count bytes from the start of what was parsed.
public enum JSONError: Error, Equatable, Sendable {
  /// The text ends inside a value (or is empty).
  case truncated
  /// A byte that cannot stand here.
  case unexpected(offset: Int)
  /// Bytes inside a string that are not UTF-8.
  case invalidUTF8(offset: Int)
  /// An escaped surrogate without its other half.
  case loneSurrogate(offset: Int)
  /// An object has two members of this name.
  case duplicateMember(String)
  /// Arrays and objects nested deeper than the caller allows.
  case tooDeep(offset: Int)
  /// A number that no Double holds.
  case numberOutOfRange(offset: Int)
  /// Something other than white space follows the value.
  case trailing(offset: Int)

  /// A sentence part for people, without the text itself.
  public var reason: String {
    switch self {
    case .truncated: "the JSON text ends too early"
    case .unexpected(let offset): "unexpected byte at \(offset) of the JSON text"
    case .invalidUTF8(let offset): "invalid UTF-8 at byte \(offset) of the JSON text"
    case .loneSurrogate(let offset): "lone surrogate at byte \(offset) of the JSON text"
    case .duplicateMember(let name): "member '\(name)' is there twice"
    case .tooDeep(let offset): "nested too deeply at byte \(offset) of the JSON text"
    case .numberOutOfRange(let offset): "number out of range at byte \(offset) of the JSON text"
    case .trailing(let offset): "something follows the JSON value at byte \(offset)"
    }
  }
}
