import XML

/// Puts what a server wrote into sentences of ours.
enum Wording {
  /// `text` on one line: control and format characters become spaces, and it is cut after `limit` scalars.
  static func line(_ text: String, limit: Int = 200) -> String {
    var out = String.UnicodeScalarView()
    for (count, scalar) in text.unicodeScalars.enumerated() {
      guard count < limit else {
        out.append("…")
        break
      }
      out.append(isPlain(scalar) ? scalar : " ")
    }
    return String(out)
  }

  /// The name of an element, as in `<name/>`.
  static func name(_ element: Element) -> String {
    "<\(line(element.local, limit: 40))/>"
  }

  /// A condition with the server's own words behind it, where it gave any.
  static func condition(_ condition: String, _ text: String?) -> String {
    let words = text.map { line($0) } ?? ""
    return words.isEmpty ? "(\(line(condition)))" : "(\(line(condition)): \(words)" + ")"
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
    default: true
    }
  }
}
