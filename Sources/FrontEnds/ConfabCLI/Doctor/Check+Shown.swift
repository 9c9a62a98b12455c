import ConfabClient
import LineProtocol

extension Check {
  /// True if the check concerns a step towards a login.
  var isOfLogin: Bool { [.dns, .port, .certificate, .login].contains(kind) }

  /// Calls a file by another name.
  mutating func rename(_ path: String, _ name: String) {
    text = text.replacing(path, with: name)
    advice = advice?.replacing(path, with: name)
  }

  /// For people: `ok       dns            home: …`, and below it what to do.
  ///
  /// - Parameter columns: of the terminal, whose lines then end between words; nil: there is none.
  func shown(_ style: TextStyle, columns: Int? = nil) -> String {
    let (word, ink): (String, TextStyle.Ink) =
      switch outcome {
      case .ok: ("ok", .green)
      case .warning: ("warning", .yellow)
      case .wrong: ("WRONG", .red)
      }
    let subject = account.map { TerminalText.clean($0) + ": " } ?? ""
    let words = style.paint(Self.padded(word, 9), ink) + Self.padded(kind.rawValue, 15)
    let line = words + Self.lines(subject + TerminalText.clean(text), 24, columns)
    guard let advice else { return line }
    return line + "\n" + Self.padded("", 9)
      + style.paint("→ " + Self.lines(TerminalText.clean(advice), 11, columns), .bold)
  }

  /// A text from the column `indent` on.
  private static func lines(_ text: String, _ indent: Int, _ columns: Int?) -> String {
    guard let columns, columns >= 2 * indent else { return text }
    return TextLines.indented(TextLines.wrapped(text, indent: indent, columns: columns), indent)
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
}
