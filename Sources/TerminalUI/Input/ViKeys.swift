package import Screen

/// vi's keys over an input (`editing = vi`): the usual ones of its command mode.
package struct ViKeys: Equatable, Sendable {
  /// Whether letters are commands.
  package private(set) var isCommanding = false
  /// `d` or `c`, before its motion.
  private var operation: Character?

  package init() {}

  /// Takes a key; false if it is none of vi's, and means what it means otherwise.
  package mutating func press(_ key: Key, _ editor: inout InputEditor) -> Bool {
    if !isCommanding {
      guard key == Key(.escape) else { return false }
      isCommanding = true
      return editor.edit(.left)
    }
    guard case .character(let letter) = key.code, key.modifiers.isEmpty else {
      operation = nil
      return false
    }
    if let operation {
      self.operation = nil
      operate(operation, letter, &editor)
    } else {
      command(letter, &editor)
    }
    if isCommanding { stepOntoLetter(&editor) }
    return true
  }

  /// In command mode the cursor stands on a letter, where the line has one.
  private func stepOntoLetter(_ editor: inout InputEditor) {
    let input = editor.input
    if input.cursor == input.lineEnd, input.cursor > input.lineStart { _ = editor.edit(.left) }
  }

  /// A new text is begun: letters are letters again.
  package mutating func reset() { self = ViKeys() }

  private mutating func command(_ letter: Character, _ editor: inout InputEditor) {
    switch letter {
    case "d", "c": operation = letter
    case "i": isCommanding = false
    case "a": insert(after: .right, &editor)
    case "I": insert(after: .lineStart, &editor)
    case "A": insert(after: .lineEnd, &editor)
    case "o": insert(after: .lineEnd, &editor, text: "\n")
    case "D": _ = editor.edit(.killToEnd)
    case "C":
      _ = editor.edit(.killToEnd)
      isCommanding = false
    case "w": editor.input.move(to: editor.input.nextWord)
    case "e":
      editor.input.move(to: editor.input.cursor + 1)
      editor.input.move(to: editor.input.wordRight - 1)
    default: if let action = Self.actions[letter] { _ = editor.edit(action) }
    }
  }

  private static let actions: [Character: Action] = [
    "h": .left, "l": .right, " ": .right, "0": .lineStart, "^": .lineStart, "$": .lineEnd, "b": .wordLeft,
    "x": .deleteForward, "X": .deleteBack, "u": .undo, "p": .yank, "P": .yank,
  ]

  private mutating func insert(after action: Action, _ editor: inout InputEditor, text: String = "") {
    _ = editor.edit(action)
    if !text.isEmpty { editor.input.insert(text) }
    isCommanding = false
  }

  private mutating func operate(_ operation: Character, _ motion: Character, _ editor: inout InputEditor) {
    switch motion {
    case operation:
      _ = editor.edit(.lineStart)
      _ = editor.edit(.killToEnd)
    case "w" where operation == "d":
      let input = editor.input
      editor.kill(input.cursor..<max(input.cursor, min(input.nextWord, input.lineEnd)))
    // `cw` leaves the space behind the word.
    case "w", "e": _ = editor.edit(.killWordForward)
    case "b": _ = editor.edit(.killWordBack)
    case "$": _ = editor.edit(.killToEnd)
    case "0", "^": _ = editor.edit(.killToStart)
    default: return
    }
    if operation == "c" { isCommanding = false }
  }
}
