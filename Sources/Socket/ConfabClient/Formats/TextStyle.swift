/// How texts for people are written: in columns with marks, for eyes, or in words with commas, for a screen reader.
package struct TextStyle: Sendable {
  /// True if the terminal has colours and the environment allows them.
  package var hasColour: Bool
  /// True if a screen reader or a braille line gets the text: no marks, no columns, who comes first.
  package var isSpoken = false

  package init(hasColour: Bool) {
    self.hasColour = hasColour
  }

  package static let spoken: TextStyle = {
    var style = TextStyle(hasColour: false)
    style.isSpoken = true
    return style
  }()

  /// Colour on a terminal that is not `dumb`, unless `NO_COLOR` is set (https://no-color.org).
  package init(isTerminal: Bool, environment: @autoclosure () -> [String: String]) {
    hasColour = isTerminal && Self.isWanted(environment())
  }

  private static func isWanted(_ environment: [String: String]) -> Bool {
    let refused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    let isDumb = environment["TERM"].map { $0.isEmpty || $0 == "dumb" } ?? true
    return !refused && !isDumb
  }

  /// Select Graphic Rendition, by number (ECMA-48 §8.3.117).
  package enum Ink: String, Sendable {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case blue = "34"
    case cyan = "36"
  }

  /// `text`, which must be clean already, in a colour.
  package func paint(_ text: String, _ ink: Ink) -> String {
    hasColour ? "\u{1B}[\(ink.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// A text of the network on one line, cut to `limit` characters; nil: all of it.
  func clean(_ text: String, limit: Int? = nil) -> String {
    TerminalText.clean(isSpoken ? String(text.map { $0.isNewline ? " " : $0 }) : text, limit: limit)
  }

  /// The parts of a row that are there, in columns or with commas.
  func row(_ parts: [String?]) -> String {
    parts.compactMap { $0.flatMap { $0.isEmpty ? nil : $0 } }.joined(separator: isSpoken ? ", " : "  ")
  }
}
