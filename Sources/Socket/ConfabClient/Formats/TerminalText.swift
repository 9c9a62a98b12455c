package import JSON

/// Makes text from the network harmless for a terminal: what could steer it, or turn the order of what is read
/// around, is shown as U+FFFD instead.
package enum TerminalText {
  /// How line breaks of a text are shown.
  package enum LineBreaks: Sendable {
    /// They stay, less a CR in front; what follows is indented by so many spaces.
    case kept(indent: Int)
    /// They are shown as `↵`: for output of which each line means something.
    case shown
  }

  /// Controls (C0, DEL, C1), line and paragraph separators, and bidi marks, embeddings, overrides and isolates.
  package static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F: true
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    case 0x2028, 0x2029: true
    default: false
    }
  }

  /// The text as it may be shown. A tab becomes four spaces.
  package static func clean(_ text: String, _ lineBreaks: LineBreaks = .shown) -> String {
    guard text.unicodeScalars.contains(where: { isForbidden($0) || InvisibleCharacters.has($0) }) else { return text }
    var result = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\r" where rest.first == "\n": break
      case "\n": result.append(contentsOf: lineBreak(lineBreaks).unicodeScalars)
      case "\t": result.append(contentsOf: "    ".unicodeScalars)
      default:
        let isMarked = isForbidden(scalar) || InvisibleCharacters.isMarked(scalar, behind: result.last)
        result.append(isMarked ? "\u{FFFD}" : scalar)
      }
    }
    return String(result)
  }

  /// The text on one line, cut to `limit` characters before it is cleaned; nil: not cut.
  package static func clean(_ text: String, limit: Int?) -> String {
    guard let limit else { return clean(text) }
    let start = shortened(text, to: limit)
    return clean(start) + (start.utf8.count < text.utf8.count ? "…" : "")
  }

  /// The beginning of a text: at most `limit` characters, and at most eight bytes per character on average. Emoji need
  /// little more, but one letter can carry any number of combining marks.
  package static func shortened(_ text: String, to limit: Int) -> String {
    var left = 8 * limit
    let scalars = text.unicodeScalars.prefix { scalar in
      left -= UTF8.width(scalar)
      return left >= 0
    }
    return String(String(scalars).prefix(limit))
  }

  private static func lineBreak(_ lineBreaks: LineBreaks) -> String {
    switch lineBreaks {
    case .kept(let indent): "\n" + String(repeating: " ", count: indent)
    case .shown: "↵"
    }
  }

  /// One line of JSON as it may be shown: the same value, with what is forbidden escaped.
  package static func cleanJSON(_ line: [UInt8]) -> [UInt8] {
    // What is forbidden has a byte above 0x7F in UTF-8, or is a control, which JSON never holds but for DEL.
    guard line.contains(where: { $0 >= 0x7F }) else { return line }
    let text = String(decoding: line, as: UTF8.self)
    guard text.unicodeScalars.contains(where: isForbidden) else { return line }
    return text.unicodeScalars.flatMap { Array((isForbidden($0) ? escape($0) : String($0)).utf8) }
  }

  /// `\u202e`, as in JSON.
  package static func escape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }
}

extension JSONValue {
  /// The name of somebody; empty if nothing of it can be seen.
  package var personName: String {
    guard let name = string else { return "" }
    let seen = TerminalText.clean(name.filter { !$0.isWhitespace })
    return seen.unicodeScalars.allSatisfy { $0 == "\u{FFFD}" || $0.properties.isDefaultIgnorableCodePoint } ? "" : name
  }
}
