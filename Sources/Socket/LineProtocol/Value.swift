package import Clocks

/// The types of options and arguments.
package enum ValueKind: Equatable, Sendable {
  /// A whole number within a range.
  case integer(ClosedRange<Int>)
  /// The `id` of a message.
  case id
  /// A sequence number, or `now`.
  case sequence
  /// `1500ms`, `90s`, `30m`, `24h`, `7d`.
  case duration
  /// RFC 3339.
  case time
  /// Any string but the empty one; the verb says what it must be.
  case word
  /// A string that goes out as XML: what XML cannot carry is refused.
  case text
  /// An idempotency key: 1 to 64 printable ASCII bytes.
  case key
  /// A JID; only its presence is checked here.
  case jid
  /// One of these words.
  case choice([String])
  /// Some of these words: separated by commas, in JSON an array as well.
  case choices([String])
  /// Any number of words, the last argument: all that follow; in JSON an array.
  case words
  /// Fields and their new values, the last argument: all words that follow, each `KEY=VALUE`; in JSON an object.
  case fields
}

/// A value of an option or argument, read according to its kind.
package enum Value: Equatable, Sendable {
  /// The value of `.integer`.
  case integer(Int)
  /// The value of `.id`, and of `.sequence` if it is a number.
  case id(UInt64)
  /// The value `now` of `.sequence`.
  case now
  /// The value of `.duration`; never negative.
  case duration(Interval)
  /// The value of `.time`.
  case time(Timestamp)
  /// The value of `.word`, `.text`, `.key`, `.jid` and `.choice`.
  case string(String)
  /// The values of `.choices`, at least one, or of `.words`.
  case list([String])
  /// The values of `.fields`, at least one.
  case fields([FieldValues])
}

/// One field of a form, and the values that it is to have.
package struct FieldValues: Equatable, Sendable {
  package let name: String
  package var values: [String]

  package init(_ name: String, _ values: [String]) { (self.name, self.values) = (name, values) }

  /// Bytes of its texts.
  var byteCount: Int { values.reduce(name.utf8.count) { $0 + $1.utf8.count } }

  /// Reads `KEY=VALUE` each; a key that comes again has several values. Nil: one is something else.
  static func read(_ words: [String]) -> [FieldValues]? {
    var fields: [FieldValues] = []
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, !parts[0].isEmpty else { return nil }
      if let index = fields.firstIndex(where: { $0.name == parts[0] }) {
        fields[index].values.append(parts[1])
      } else {
        fields.append(FieldValues(parts[0], [parts[1]]))
      }
    }
    return fields.isEmpty ? nil : fields
  }
}

extension ValueKind {
  /// The form of a value, for error reasons and the reference.
  package var expectation: String {
    switch self {
    case .integer(let range) where range.upperBound == .max: "a whole number from \(range.lowerBound)"
    case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .id: "the id of a message, a whole number"
    case .sequence: "a sequence number or 'now'"
    case .duration: "a duration such as 1500ms, 90s, 30m, 24h or 7d"
    case .time: "a time such as 2026-11-20T09:10:00Z"
    case .word: "a word that is not empty"
    case .text: "a text that is not empty and that XML can carry"
    case .key: "1 to \(Limits.key) printable ASCII bytes"
    case .jid: "a JID"
    case .choice(let words): words.joined(separator: ", ")
    case .words: "words, in JSON an array of strings"
    case .fields: "KEY=VALUE each, in JSON an object"
    case .choices(let words): "one or more of \(words.joined(separator: ", "))"
    }
  }

  /// True if it takes all words that follow.
  package var takesRest: Bool { self == .words || self == .fields }

  /// True if the value is `yes` or `no`, or can only be `yes`; on the command line the option alone means yes.
  package var isSwitch: Bool { self == Self.yesOrNo || self == .choice(["yes"]) }

  package static let yesOrNo = ValueKind.choice(["yes", "no"])

  /// Reads a word of the words form, or a string of the JSON form; nil if it does not fit.
  package func read(_ text: String) -> Value? {
    switch self {
    case .integer(let range):
      Self.decimal(text).flatMap { Int(exactly: $0) }.flatMap { range.contains($0) ? .integer($0) : nil }
    case .id: Self.decimal(text).map(Value.id)
    case .sequence: text == "now" ? .now : Self.decimal(text).map(Value.id)
    case .duration: Interval(text).map(Value.duration)
    // All are bounds: what is finer than a message's time is between two of them.
    case .time: Timestamp(rfc3339: text, roundsUp: true).map(Value.time)
    case .word, .jid, .text: text.isEmpty ? nil : .string(text)
    case .key: Self.isKey(text) ? .string(text) : nil
    case .choice(let words): words.contains(text) ? .string(text) : nil
    case .words, .fields: text.isEmpty ? nil : readList([text])
    case .choices: readList(text.split(separator: ",", omittingEmptySubsequences: false).map(String.init))
    }
  }

  /// Reads some of `.choices`; nil if one is none of them, or none is given.
  package func readList(_ elements: [String]) -> Value? {
    if self == .words { return elements.contains("") ? nil : .list(elements) }
    if self == .fields { return FieldValues.read(elements).map(Value.fields) }
    guard case .choices(let words) = self, !elements.isEmpty, elements.allSatisfy(words.contains) else { return nil }
    return .list(elements)
  }

  /// ASCII digits only: no sign, no space; up to `Int64.max`, which is the most the log numbers.
  private static func decimal(_ text: String) -> UInt64? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int64(text) else { return nil }
    return UInt64(value)
  }

  private static func isKey(_ text: String) -> Bool {
    (1...Limits.key).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}
