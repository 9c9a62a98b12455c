import JSON

/// The lines of an answer that has no view of its own, for people: `jid: bob@example.org, name: Bob`.
enum AnswerText {
  static func lines(_ object: JSONValue) -> [String] {
    let members = (object.members ?? []).filter { $0.name != "tag" && $0.name != "ok" }
    return members.map { member in
      guard let inner = member.value.members else { return "\(member.name): \(text(member.value))" }
      return inner.map { "\($0.name): \(text($0.value))" }.joined(separator: ", ")
    }
  }

  private static func text(_ value: JSONValue) -> String {
    switch value {
    case .null: "-"
    case .bool(let flag): flag ? "yes" : "no"
    case .integer(let number): String(number)
    case .number(let number): String(number)
    case .string(let text): text
    case .array(let elements): elements.map(text).joined(separator: " ")
    case .object(let members): members.map { "\($0.name) \(text($0.value))" }.joined(separator: " ")
    }
  }
}
