package import Screen

/// One key, or two one after the other, as they are written in help and in `tui.conf`: `Ctrl-E`, `Alt-A`, `F4`, `Tab`, `C-x e`.
package struct KeySequence: Hashable, Sendable {
  package let keys: [Key]

  package init(_ keys: [Key]) {
    self.keys = keys
  }

  /// The sequence as it is written; nil if a word of it is no key.
  package init?(_ text: String) {
    let words = text.split(separator: " ")
    let keys = words.compactMap { Key(written: $0) }
    guard !keys.isEmpty, keys.count == words.count else { return nil }
    self.keys = keys
  }

  /// The sequence in text: a single key with its modifiers in words, several in the short form.
  package var text: String {
    keys.count == 1 ? keys[0].text : keys.map(\.shortText).joined(separator: " ")
  }
}

extension Key {
  /// Names of keys that give no text.
  private static let names: [(Code, String)] = [
    (.enter, "Enter"), (.tab, "Tab"), (.backspace, "Backspace"), (.delete, "Delete"), (.insert, "Insert"),
    (.escape, "Esc"), (.up, "Up"), (.down, "Down"), (.left, "Left"), (.right, "Right"), (.home, "Home"), (.end, "End"),
    (.pageUp, "PageUp"), (.pageDown, "PageDown"), (.character(" "), "Space"),
  ]

  private static let prefixes: [(String, Modifiers)] = [
    ("Ctrl-", .control), ("Alt-", .alt), ("Shift-", .shift), ("C-", .control), ("M-", .alt), ("S-", .shift),
  ]

  /// nil if the word names no key.
  init?(written word: Substring) {
    var rest = word
    var modifiers: Modifiers = []
    while let (prefix, modifier) = Self.prefixes.first(where: { rest.hasPrefix($0.0) && rest.count > $0.0.count }) {
      rest = rest.dropFirst(prefix.count)
      modifiers.insert(modifier)
    }
    guard let code = Self.code(rest, modifiers) else { return nil }
    self.init(code, modifiers)
  }

  private static func code(_ word: Substring, _ modifiers: Modifiers) -> Code? {
    if let named = names.first(where: { $0.1 == word }) { return named.0 }
    if word.count > 1, word.first == "F", let number = Int(word.dropFirst()), (1...24).contains(number) {
      return .function(number)
    }
    guard word.count == 1, let character = word.first else { return nil }
    let isCommand = !modifiers.isDisjoint(with: [.control, .alt])
    return .character(isCommand ? Character(character.lowercased()) : character)
  }

  /// `Ctrl-E`, `Alt-A`, `F4`, `Shift-Tab`.
  var text: String {
    let words: [(Modifiers, String)] = [(.control, "Ctrl-"), (.alt, "Alt-"), (.shift, "Shift-")]
    let prefix = words.filter { modifiers.contains($0.0) }.map(\.1).joined()
    return prefix + (prefix.isEmpty ? name : name.count == 1 ? name.uppercased() : name)
  }

  /// `C-x`, `e`.
  var shortText: String {
    let words: [(Modifiers, String)] = [(.control, "C-"), (.alt, "M-"), (.shift, "S-")]
    return words.filter { modifiers.contains($0.0) }.map(\.1).joined() + name
  }

  private var name: String {
    if let named = Self.names.first(where: { $0.0 == code }) { return named.1 }
    switch code {
    case .function(let number): return "F\(number)"
    case .character(let character): return String(character)
    default: return "?"
    }
  }
}
