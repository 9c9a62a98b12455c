import LineProtocol

extension Check {
  /// Whether it is about the way to a login.
  var isOfLogin: Bool { [.dns, .port, .certificate, .login].contains(kind) }

  /// Calls a file by another name.
  mutating func rename(_ path: String, _ name: String) {
    text = text.replacing(path, with: name)
    advice = advice?.replacing(path, with: name)
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
    let words = style.paint(Self.padded(word, 9), ink) + Self.padded(kind.rawValue, 15)
    let line = words + subject + TerminalText.clean(text)
    guard let advice else { return line }
    return line + "\n" + Self.padded("", 9) + style.paint("→ " + TerminalText.clean(advice), .bold)
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
}
