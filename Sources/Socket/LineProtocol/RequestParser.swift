import JSON

/// Parses one line, in either form, to a request. Pure; what a JID, an account or an id stands for is the engine's.
package enum RequestParser {
  /// - Parameter block: the text of an `until=` block, or what is wrong with it; nil if there was none.
  static func parse(
    line: String, block: Result<String, RequestFailure>?, rights: Rights
  ) -> Result<Request, RequestFailure> {
    if line.utf8.first == UInt8(ascii: "{") { return JSONRequestParser.parse(line, rights) }
    return Result { () throws(RequestFailure) in
      var parser = WordsParser(line: line, block: block, rights: rights)
      return try parser.request()
    }
  }

  /// The row of the verb of that name, or the failure that says there is none, or none for a socket with these rights.
  static func row(named name: String, _ rights: Rights) throws(RequestFailure) -> VerbRow {
    guard let verb = Verb(rawValue: name) else {
      throw RequestFailure(.unknownVerb, "unknown verb '\(shortened(name))'; 'help' lists the verbs")
    }
    let row = VerbTable[verb]
    guard row.rights.contains(rights) else { throw rights.refusal(of: verb) }
    return row
  }

  /// Checks a request as a whole: needed options, conflicts, texts.
  package static func check(_ request: Request) throws(RequestFailure) {
    try checkOptions(of: request)
    try checkArguments(of: request)
    try checkText(of: request)
  }

  private static func checkOptions(of request: Request) throws(RequestFailure) {
    for option in request.row.checkedOptions {
      let value = request.options[option.name]
      if option.isRequired, value == nil {
        throw RequestFailure(
          .badArgument, "\(request.verb.rawValue) needs \(option.name.rawValue)=", argument: option.name.rawValue)
      }
      if option.kind == .text, case .string(let text) = value {
        try XMLText.check(text, argument: option.name.rawValue)
      }
    }
    guard request.options.count > 1 else { return }
    for (one, other) in request.row.conflicts where request.options[one] != nil && request.options[other] != nil {
      throw RequestFailure(
        .badArgument, "\(one.rawValue)= and \(other.rawValue)= cannot be combined", argument: other.rawValue)
    }
  }

  private static func checkArguments(of request: Request) throws(RequestFailure) {
    for argument in request.row.arguments {
      for field in request.fields(argument.name) ?? [] {
        for text in [field.name] + field.values { try XMLText.check(text, argument: argument.name.rawValue) }
      }
      guard let option = argument.excludedBy, request.isSet(option) else { continue }
      guard request.arguments[argument.name] == nil else {
        throw RequestFailure(
          .badArgument, "\(option.rawValue)=yes takes no argument", argument: argument.name.rawValue)
      }
    }
  }

  private static func checkText(of request: Request) throws(RequestFailure) {
    switch (request.row.text, request.text) {
    case (_, .some(let text)):
      try XMLText.check(text, argument: "text")
      if text.isEmpty, case .required = request.row.text { throw missingText(request.verb, "a text that is not empty") }
    case (.required, nil): throw missingText(request.verb, "a text")
    case (.optional, nil), (nil, nil): break
    }
  }

  private static func missingText(_ verb: Verb, _ what: String) -> RequestFailure {
    RequestFailure(.badArgument, "\(verb.rawValue) needs \(what)", argument: "text")
  }

  /// A word of the request as reasons show it: cut at 40 characters.
  static func shortened(_ word: String) -> String {
    word.unicodeScalars.count <= 40 ? word : String(String.UnicodeScalarView(word.unicodeScalars.prefix(40))) + "…"
  }
}
