/// A code and what it stands for.
package struct Emoticon: Equatable, Sendable {
  package enum Meaning: Equatable, Sendable {
    case text(String)
    /// The path of a picture.
    case picture(String)
  }

  package let code: String
  package let meaning: Meaning
  /// The emoticon's name, in the language of its pack.
  package let name: String

  package init(code: String, meaning: Meaning, name: String? = nil) {
    (self.code, self.meaning) = (code, meaning)
    self.name = name ?? Self.usualName(of: code)
  }

  /// A code says what its emoticon is called: `:short_name:`, `[名称]`.
  static func usualName(of code: String) -> String {
    for (first, last) in [(":", ":"), ("[", "]")] as [(Character, Character)] {
      guard code.count > 2, code.first == first, code.last == last else { continue }
      return String(code.dropFirst().dropLast().replacing("_", with: " "))
    }
    return code
  }
}

/// A pack: emoticons that belong together.
package struct EmoticonPack: Equatable, Sendable {
  package let name: String
  package let title: String
  /// Its entries in the table.
  let entries: Range<Int>

  package var count: Int { entries.count }
}
