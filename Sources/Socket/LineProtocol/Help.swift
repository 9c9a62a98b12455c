package import JSON

/// The answer to `help`.
package enum Help {
  /// Writes the data lines and the final line; the list has what a socket with these rights may use.
  package static func answer(_ request: Request, rights: Rights = .full, into writer: inout JSONWriter) {
    let whole = request.string(.format) == "json"
    guard let name = request.string(.about) else {
      for row in VerbTable.rows where row.rights.contains(rights) {
        write(row, whole: whole, request.tag, into: &writer)
      }
      Answer.ok(request.tag, into: &writer)
      return
    }
    guard let verb = Verb(rawValue: name) else {
      let reason = "unknown verb '\(RequestParser.shortened(name))'; 'help' lists the verbs"
      Answer.error(RequestFailure(.notFound, reason, argument: "about", tag: request.tag), into: &writer)
      return
    }
    write(VerbTable[verb], whole: whole, request.tag, into: &writer)
    Answer.ok(request.tag, into: &writer)
  }

  private static func write(_ row: VerbRow, whole: Bool, _ tag: RequestTag?, into writer: inout JSONWriter) {
    Answer.data("verb", tag, into: &writer) { writer in
      writer.member("name", row.verb.rawValue)
      writer.member("usage", Usage.words(row))
      writer.member("summary", row.summary)
      if whole { writeRest(of: row, into: &writer) }
    }
  }

  private static func writeRest(of row: VerbRow, into writer: inout JSONWriter) {
    writer.member("details", row.details)
    writer.array("options") { list in
      for option in row.options { write(option, into: &list) }
    }
    writer.array("arguments") { list in
      for argument in row.arguments { write(argument, into: &list) }
    }
    switch row.text {
    case .required: writer.member("text", "required")
    case .optional: writer.member("text", "optional")
    case nil: writer.member("text", "none")
    }
    writer.array("rights") { list in
      for rights in Rights.allCases where row.rights.contains(rights) { list.value(rights.rawValue) }
    }
    writer.member("kind", row.kind.rawValue)
    writer.member("overtakes", row.overtaking.name)
    writer.array("errors") { list in
      for code in row.errors { list.value(code.rawValue) }
    }
    writer.member("example", row.example)
  }

  private static func write(_ option: OptionRow, into writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("name", option.name.rawValue)
    write(option.kind, into: &writer)
    if let text = option.defaultText { writer.member("default", text) }
    writer.member("required", option.isRequired)
    writer.member("meaning", option.meaning)
    writer.endObject()
  }

  private static func write(_ argument: ArgumentRow, into writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("name", argument.name.rawValue)
    write(argument.kind, into: &writer)
    writer.member("required", !argument.isOptional)
    writer.endObject()
  }

  private static func write(_ kind: ValueKind, into writer: inout JSONWriter) {
    writer.member("type", kind.name)
    switch kind {
    case .integer(let range):
      writer.member("min", range.lowerBound)
      if range.upperBound != .max { writer.member("max", range.upperBound) }
    case .choice(let words), .choices(let words):
      writer.array("values") { list in
        for word in words { list.value(word) }
      }
    default: break
    }
  }
}

extension ValueKind {
  /// The type's name in `help format=json` and the reference.
  package var name: String {
    switch self {
    case .integer: "integer"
    case .id: "id"
    case .sequence: "sequence"
    case .duration: "duration"
    case .time: "time"
    case .word: "word"
    case .text: "text"
    case .key: "key"
    case .jid: "jid"
    case .choice: "choice"
    case .choices: "choices"
    case .words: "words"
    case .fields: "fields"
    }
  }
}

extension Overtaking {
  /// `never`, `always`, or the option that makes it so.
  package var name: String {
    switch self {
    case .never: "never"
    case .always: "always"
    case .with(let option): "with \(option.rawValue)="
    }
  }
}
