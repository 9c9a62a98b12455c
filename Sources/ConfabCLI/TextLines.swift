/// Lines of text for a terminal of the usual width.
enum TextLines {
  static let columns = 80

  /// Lines that leave room for so many spaces in front of each, where words allow it.
  static func wrapped(_ text: String, indent: Int = 0) -> [String] {
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

  /// Joins lines, all but the first behind so many spaces.
  static func indented(_ lines: [String], _ indent: Int) -> String {
    lines.joined(separator: "\n" + String(repeating: " ", count: indent))
  }
}
