package import Screen

/// The keymap, and the first key of two while the second is awaited.
package struct PendingKeys: Sendable {
  package let map: KeyMap
  package private(set) var keys: [Key] = []

  package init(_ map: KeyMap) {
    self.map = map
  }

  /// Returns the meaning of a key press; none for the first of two, or if the two together mean nothing.
  package mutating func press(_ key: Key, in context: KeyContext) -> KeyMap.Match {
    let sequence = keys + [key.normal]
    let match = map.match(sequence, in: context)
    switch match {
    case .prefix: keys = sequence
    case .action: keys = []
    case .none:
      guard !keys.isEmpty else { return .none }
      keys = []
      // The second of two that mean nothing is not typed either.
      return .prefix
    }
    return match
  }
}

extension Key {
  /// A capital letter with Ctrl or Alt is the letter with Shift as well, however the terminal sends it.
  var normal: Key {
    guard case .character(let letter) = code, !modifiers.isDisjoint(with: [.control, .alt]), letter.isUppercase else {
      return self
    }
    return Key(.character(Character(letter.lowercased())), modifiers.union(.shift))
  }
}
