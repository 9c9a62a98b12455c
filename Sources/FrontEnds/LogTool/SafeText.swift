/// Text from the network as a terminal may get it. It is cleaned for other outputs too, so that a file is as safe with
/// `cat` later.
enum SafeText {
  /// True for characters that can steer a terminal or change the reading order: controls, line and paragraph
  /// separators, bidi marks, embeddings, overrides and isolates.
  static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029: true
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// The text on one line, what is forbidden or not seen as U+FFFD.
  static func clean(_ text: some StringProtocol) -> String {
    guard text.unicodeScalars.contains(where: { isForbidden($0) || InvisibleCharacters.has($0) }) else {
      return String(text)
    }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isMarked = isForbidden(scalar) || InvisibleCharacters.isMarked(scalar, behind: result.last)
      result.append(isMarked ? "\u{FFFD}" : scalar)
    }
    return String(result)
  }

  /// Cleans a text, but keeps its tabs.
  static func cleanBetweenTabs(_ text: some StringProtocol) -> String {
    text.split(separator: "\t", omittingEmptySubsequences: false).map { clean($0) }.joined(separator: "\t")
  }

  /// The text in quotes, what is forbidden escaped as in JSON.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" {
        result += "\\\(scalar)"
      } else if scalar == "\n" {
        result += "\\n"
      } else if isForbidden(scalar) {
        result += escape(scalar)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// A line of JSON with the same meaning and nothing forbidden in it. JSON text has such characters in strings only.
  static func json(_ line: [UInt8]) -> [UInt8] {
    // Every forbidden character has a byte above 0x7F in UTF-8, or is a C0 control, which JSON never holds.
    guard line.contains(where: { $0 >= 0x80 }) else { return line }
    let text = String(decoding: line, as: UTF8.self)
    guard text.unicodeScalars.contains(where: { isForbidden($0) }) else { return line }
    return text.unicodeScalars.flatMap { isForbidden($0) ? Array(escape($0).utf8) : Array(String($0).utf8) }
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }
}
