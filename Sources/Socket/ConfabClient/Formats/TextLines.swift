/// Lines of text for a terminal.
package enum TextLines {
  /// The usual width.
  package static let columns = 80

  /// Wraps a text into lines that leave `indent` columns free on the left. A longer word is not broken.
  package static func wrapped(_ text: String, indent: Int = 0, columns: Int = columns) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + word.count + 1 <= columns - indent {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  /// Joins lines, and indents all but the first.
  package static func indented(_ lines: [String], _ indent: Int) -> String {
    lines.joined(separator: "\n" + String(repeating: " ", count: indent))
  }
}
