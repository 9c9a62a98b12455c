extension InputEditor {
  /// Deletes the letter before the cursor, or the whole code of an emoticon.
  mutating func deleteBack(_ codes: [String]) {
    guard let range = input.range(endingWith: codes) else { return _ = edit(.deleteBack) }
    _ = input.delete(range)
  }

  /// Deletes the letter at the cursor, or the whole code of an emoticon.
  mutating func deleteForward(_ codes: [String]) {
    guard let range = input.range(beginningWith: codes) else { return _ = edit(.deleteForward) }
    _ = input.delete(range)
  }
}

/// Codes of emoticons beside the cursor.
extension TextInput {
  /// The letters before the cursor, if they are one of these codes.
  func range(endingWith codes: [String]) -> Range<Int>? {
    codes.lazy.map(Array.init).compactMap { code in
      let start = cursor - code.count
      return start >= 0 && letters[start..<cursor].elementsEqual(code) ? start..<cursor : nil
    }.first
  }

  /// The letters behind the cursor, if they are one of these codes.
  func range(beginningWith codes: [String]) -> Range<Int>? {
    codes.lazy.map(\.count).first { count in
      cursor + count <= letters.count && codes.contains(String(letters[cursor..<cursor + count]))
    }.map { cursor..<cursor + $0 }
  }

  /// A word before the cursor, or else behind it, with the marks of a code: `:name:` or `[name]`.
  var possibleCode: String? {
    for (open, close) in [(":", ":"), ("[", "]")] as [(Character, Character)] {
      if cursor > 0, letters[cursor - 1] == close {
        let name = letters[..<(cursor - 1)].suffix(Self.longestCode)
        if let start = name.lastIndex(of: open), let code = code(start..<cursor) { return code }
      }
      if cursor < letters.count, letters[cursor] == open {
        let name = letters[(cursor + 1)...].prefix(Self.longestCode)
        if let end = name.firstIndex(of: close), let code = code(cursor..<end + 1) { return code }
      }
    }
    return nil
  }

  private static let longestCode = 64

  private func code(_ range: Range<Int>) -> String? {
    let code = letters[range]
    return code.count > 2 && !code.contains(where: \.isWhitespace) ? String(code) : nil
  }
}
