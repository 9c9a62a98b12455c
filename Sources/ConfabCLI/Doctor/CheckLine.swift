import JSON

/// What was looked at, and how it is: a line of `confab doctor`.
struct CheckLine {
  enum Outcome: String { case ok, warning, wrong }

  var check: String
  var account: String?
  var outcome: Outcome
  var text: String
  /// How to mend it.
  var advice: String?

  init(_ check: String, _ outcome: Outcome, _ text: String, account: String? = nil, mend advice: String? = nil) {
    (self.check, self.account, self.outcome, self.text, self.advice) = (check, account, outcome, text, advice)
  }

  /// A line of `confabd --doctor`; nil where it is none.
  init?(_ object: JSONValue) {
    guard let check = object["check"]?.string, let text = object["text"]?.string,
      let outcome = object["result"]?.string.flatMap(Outcome.init)
    else { return nil }
    self.init(check, outcome, text, account: object["account"]?.string, mend: object["advice"]?.string)
  }

  /// Of the way to a login.
  var isOfLogin: Bool { ["dns", "port", "certificate", "login"].contains(check) }

  /// Calls a file by another name.
  mutating func rename(_ path: String, _ name: String) {
    text = text.replacing(path, with: name)
    advice = advice?.replacing(path, with: name)
  }

  /// One line of JSON.
  var json: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("check", check)
    if let account { writer.member("account", account) }
    writer.member("result", outcome.rawValue)
    writer.member("text", text)
    if let advice { writer.member("advice", advice) }
    writer.endObject()
    writer.endLine()
    return writer.bytes
  }

  /// For people: `ok       dns            home: …`, and below it what to do.
  func shown(_ style: Style) -> String {
    let (word, ink): (String, Style.Ink) =
      switch outcome {
      case .ok: ("ok", .green)
      case .warning: ("warning", .yellow)
      case .wrong: ("WRONG", .red)
      }
    let subject = account.map { TerminalText.clean($0) + ": " } ?? ""
    let line = style.paint(Self.padded(word, 9), ink) + Self.padded(check, 15) + subject + TerminalText.clean(text)
    guard let advice else { return line }
    return line + "\n" + Self.padded("", 9) + style.paint("→ " + TerminalText.clean(advice), .bold)
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
}
