import Clocks
import JSON

extension Request {
  /// The request as it goes over the socket, ending in LF: JSON, or words with an `until=` block where the escapes of
  /// JSON would make its line too long. `LineReader` reads the same request from it.
  package func encoded() -> [UInt8] {
    var writer = JSONWriter()
    write(into: &writer)
    guard writer.count > Limits.line + 1, let text else { return writer.bytes }
    return words(text: text)
  }

  private func write(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("verb", verb.rawValue)
    for option in row.options {
      guard let value = options[option.name] else { continue }
      writer.key(escaping: option.name.rawValue)
      value.write(into: &writer)
    }
    for argument in row.arguments {
      guard let value = arguments[argument.name] else { continue }
      writer.key(escaping: argument.name.rawValue)
      value.write(into: &writer)
    }
    if let text { writer.member("text", text) }
    if let account { writer.member("account", account) }
    switch tag {
    case .string(let text): writer.member("tag", text)
    case .integer(let number): writer.member("tag", number)
    case nil: break
    }
    writer.endObject()
    writer.endLine()
  }
}

// MARK: - Words

extension Request {
  /// In words, for long texts only: their other values are short and without spaces.
  private func words(text: String) -> [UInt8] {
    var words = [verb.rawValue, "until=" + Self.lineNotIn(text)]
    for option in row.options {
      if let value = options[option.name] { words.append("\(option.name.rawValue)=\(value.word)") }
    }
    if let account { words.append("account=\(account)") }
    switch tag {
    case .string(let text): words.append("tag=\(text)")
    case .integer(let number): words.append("tag=\(number)")
    case nil: break
    }
    words.append("--")
    words += row.arguments.compactMap { arguments[$0.name]?.word }
    return Array((words.joined(separator: " ") + "\n" + text + "\n" + Self.lineNotIn(text) + "\n").utf8)
  }

  /// `END`, or `END1` and so on: the first that is no line of the text, with or without a CR.
  private static func lineNotIn(_ text: String) -> String {
    let lines = Set(text.utf8.split(separator: 0x0A).filter { $0.count < 12 }.map { Array($0.filter { $0 != 0x0D }) })
    var number = 0
    while true {
      let candidate = number == 0 ? "END" : "END\(number)"
      if !lines.contains(Array(candidate.utf8)) { return candidate }
      number += 1
    }
  }
}

extension Value {
  /// Writes the value as JSON.
  fileprivate func write(into writer: inout JSONWriter) {
    switch self {
    case .integer(let number): writer.value(number)
    case .id(let id): writer.value(id)
    case .list(let words):
      writer.beginArray()
      for word in words { writer.value(word) }
      writer.endArray()
    case .fields(let fields):
      writer.beginObject()
      for field in fields {
        writer.key(escaping: field.name)
        Value.list(field.values).write(into: &writer)
      }
      writer.endObject()
    default: writer.value(word)
    }
  }

  /// The value as one word; the items of a list are separated by commas.
  package var word: String {
    switch self {
    case .integer(let number): String(number)
    case .id(let id): String(id)
    case .now: "now"
    case .duration(let interval): interval.description
    case .time(let time): time.rfc3339
    case .string(let text): text
    case .list(let words): words.joined(separator: ",")
    case .fields(let fields):
      fields.flatMap { field in field.values.map { "\(field.name)=\($0)" } }.joined(separator: " ")
    }
  }
}
