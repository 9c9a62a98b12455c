import JSON

/// Reads typed values; an error names the option or argument, what it must be and what it was.
enum ValueReader {
  static func read(_ text: String, _ kind: ValueKind, _ name: String) throws(RequestFailure) -> Value {
    guard let value = kind.read(text) else { throw unexpected(kind, name, ", not '\(RequestParser.shortened(text))'") }
    return value
  }

  /// From several words.
  static func read(_ words: [String], _ kind: ValueKind, _ name: String) throws(RequestFailure) -> Value {
    guard let value = kind.readList(words) else { throw unexpected(kind, name) }
    return value
  }

  /// From JSON: strings as in words, whole numbers where the kind is one, arrays where it is a list.
  static func read(_ json: JSONValue, _ kind: ValueKind, _ name: String) throws(RequestFailure) -> Value {
    switch (json, kind) {
    case (.string(let text), _): return try read(text, kind, name)
    case (.integer(let number), .integer), (.integer(let number), .id), (.integer(let number), .sequence):
      return try read(String(number), kind, name)
    case (.array(let elements), .choices), (.array(let elements), .words):
      let words = elements.compactMap(\.string)
      guard words.count == elements.count else { throw unexpected(kind, name) }
      return try read(words, kind, name)
    case (.object(let members), .fields):
      let fields = members.compactMap(FieldValues.init)
      guard fields.count == members.count, !fields.isEmpty else { throw unexpected(kind, name) }
      return .fields(fields)
    default: throw unexpected(kind, name)
    }
  }

  /// `account=`, of any verb.
  static func account(_ name: String) throws(RequestFailure) -> String {
    guard !name.isEmpty else { throw RequestFailure(.badArgument, "account= is empty", argument: "account") }
    return name
  }

  private static func unexpected(_ kind: ValueKind, _ name: String, _ found: String = "") -> RequestFailure {
    RequestFailure(.badArgument, "\(name) must be \(kind.expectation)\(found)", argument: name)
  }
}

extension RequestTag {
  /// A tag of the words form, or a string of the JSON form.
  init(checking text: String) throws(RequestFailure) {
    guard text.utf8.count <= Limits.tag else {
      throw RequestFailure(.badArgument, "the tag is longer than \(Limits.tag) bytes", argument: "tag")
    }
    self = .string(text)
  }

  /// Reads the JSON form; nil if it is no tag.
  init?(_ json: JSONValue) {
    switch json {
    case .string(let text) where text.utf8.count <= Limits.tag: self = .string(text)
    case .integer(let number): self = .integer(number)
    default: return nil
    }
  }
}

extension FieldValues {
  /// Reads a member of an object: a string, a truth value or a whole number, or an array of strings.
  init?(_ member: JSONMember) {
    let values: [String]? =
      switch member.value {
      case .string(let text): [text]
      case .bool(let isSet): [isSet ? "true" : "false"]
      case .integer(let number): [String(number)]
      case .array(let elements):
        elements.compactMap(\.string).count == elements.count ? elements.compactMap(\.string) : nil
      default: nil
      }
    guard let values, !member.name.isEmpty else { return nil }
    self.init(member.name, values)
  }
}
