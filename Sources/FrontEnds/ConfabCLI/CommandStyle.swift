/// Colours, if the terminal has them and the environment allows them.
package struct CommandStyle: Sendable {
  package var hasColour: Bool

  package init(hasColour: Bool) {
    self.hasColour = hasColour
  }

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
}
