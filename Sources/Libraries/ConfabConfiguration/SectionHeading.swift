/// The text between the brackets of a header: `daemon`, `account NAME`.
enum SectionHeading {
  /// The kind of section, if this version knows it and its name is right.
  static func kind(of title: String) throws(Mismatch) -> SettingSection {
    let words = title.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard let kind = words.first.flatMap({ SettingSection(rawValue: String($0)) }) else {
      throw Mismatch(expected: headings, found: "an unknown section")
    }
    if !kind.isNamed, words.count > 1 { throw Mismatch(expected: kind.heading, found: "a name") }
    if kind.isNamed, !isName(words.dropFirst().first ?? "") {
      throw Mismatch(
        expected: "\(kind.heading) with a name of 1 to 32 letters, digits, - or _ in ASCII")
    }
    return kind
  }

  /// `home` of `account home`; empty if there is none.
  static func name(in title: String) -> String {
    String(title.split(separator: " ", maxSplits: 1).dropFirst().first ?? "")
  }

  /// The description of a key that the section does not have.
  static func unknownKey(_ name: String, in section: SettingSection) -> Mismatch {
    let other = SettingTable.keys.first { $0.name == name }?.section
    let found = other.map { "a key of \($0.heading)" } ?? "an unknown key"
    return Mismatch(expected: Phrase.oneOf(SettingTable.names(in: section)), found: found)
  }

  private static var headings: String {
    Phrase.oneOf(SettingSection.allCases.map(\.heading))
  }

  private static func isName(_ text: Substring) -> Bool { AccountSettings.isName(text) }
}

extension AccountSettings {
  /// True if a section can have this name: 1 to 32 letters, digits, `-` or `_` in ASCII.
  package static func isName(_ text: some StringProtocol) -> Bool {
    (1...32).contains(text.utf8.count) && text.utf8.allSatisfy(Characters.isNamePart)
  }
}
