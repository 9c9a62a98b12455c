import ConfabClient

extension TerminalText {
  /// Cleans a text, but keeps its tabs.
  static func cleanBetweenTabs(_ text: some StringProtocol) -> String {
    text.split(separator: "\t", omittingEmptySubsequences: false).map { clean(String($0)) }.joined(separator: "\t")
  }

  /// The text in quotes, what is forbidden escaped as in JSON.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\n": result += "\\n"
      default: result += isForbidden(scalar) ? escape(scalar) : String(scalar)
      }
    }
    return result + "\""
  }
}
