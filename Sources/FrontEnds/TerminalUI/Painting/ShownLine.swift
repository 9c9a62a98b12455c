import Screen

/// A text for where the terminal shows it by itself: titles, notices.
enum ShownLine {
  static func clean(_ text: String, limit: Int) -> String {
    let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(4 * limit)))
    let line = ShownText.line(start)
    let isCut = line.count > limit || start.utf8.count < text.utf8.count
    return line.prefix(limit) + (isCut ? "…" : "")
  }
}
