/// An error in a configuration: its place, what was expected and what was found. Never shows a secret.
package struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
  package var file: String
  /// From 1; nil if it is about all of the file.
  package var line: Int?
  /// The section's title without brackets: `daemon`, `account home`.
  package var section: String?
  package var key: String?
  /// The expected value, as a phrase: `auto, starttls or direct`.
  package var expected: String
  /// The value found, as a phrase; nil if it must not be shown.
  package var found: String?

  package init(
    file: String, line: Int? = nil, section: String? = nil, key: String? = nil, expected: String, found: String? = nil
  ) {
    self.file = file
    self.line = line
    self.section = section
    self.key = key
    self.expected = expected
    self.found = found
  }

  /// One line: `/etc/confab/confab.conf:12: [account home] tls: expected auto, starttls or direct, found "no"`.
  package var description: String {
    var place = Printable.text(file)
    if let line { place += ":\(line)" }
    let names = [section.map { "[\(Printable.text($0))]" }, key.map { Printable.text($0, limit: Printable.limit) }]
    let subject = names.compactMap { $0 }.joined(separator: " ")
    let parts = [place, subject, "expected " + expected + (found.map { ", found " + $0 } ?? "")]
    return parts.filter { !$0.isEmpty }.joined(separator: ": ")
  }
}

/// The result of a check of one text; the reader adds its place.
struct Mismatch: Error, Equatable {
  var expected: String
  /// The value found, as in `ConfigurationError`.
  var found: String?
}

/// Text of a file made fit for one line of a terminal or the journal.
enum Printable {
  /// Longest text shown, in characters.
  static let limit = 80

  /// Without control characters, direction marks and line ends (shown as `\u{202E}`), and cut where it is long.
  static func text(_ text: String, limit: Int = .max) -> String {
    var result = ""
    for (index, scalar) in text.unicodeScalars.enumerated() {
      if index == limit { return result + "…" }
      if isPlain(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      }
    }
    return result
  }

  /// Puts a text into double quotes; a long one is cut.
  static func quoted(_ string: String) -> String { "\"" + text(string, limit: limit) + "\"" }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
    default: true
    }
  }
}

/// Phrases made of several words.
enum Phrase {
  /// `a`, `a or b`, `a, b or c`.
  static func oneOf(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "nothing" }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }
}
