package import Screen

/// vi's keys over an input (`editing = vi`): the usual ones of its command mode.
package struct ViKeys: Equatable, Sendable {
  /// True if letters are commands.
  package private(set) var isCommanding = false
  /// `d` or `c`, before its motion.
  private var operation: Character?
  /// How often the next command is done; 0: once.
  private var count = 0
  /// `r`, before its letter.
  private var isReplacing = false

  private static let largestCount = 999

  package init() {}

  /// Takes a key; false if it is none of vi's, and means what it means otherwise.
  package mutating func press(_ key: Key, _ editor: inout InputEditor) -> Bool {
    if !isCommanding {
      guard key == Key(.escape) else { return false }
      isCommanding = true
      return editor.edit(.left)
    }
    guard case .character(let letter) = key.code, key.modifiers.isEmpty else {
      (operation, count, isReplacing) = (nil, 0, false)
      return false
    }
    take(letter, &editor)
    if isCommanding { stepOntoLetter(&editor) }
    return true
  }

  private mutating func take(_ letter: Character, _ editor: inout InputEditor) {
    if isReplacing {
      replace(with: letter, &editor)
    } else if let digit = letter.wholeNumberValue, letter.isASCII, digit + count > 0 {
      return count = min(Self.largestCount, 10 * count + digit)
    } else if let operation = operation.take() {
      for _ in 0..<max(1, count) { operate(operation, letter, &editor) }
    } else if letter == "d" || letter == "c" {
      return operation = letter
    } else if letter == "r" {
      return isReplacing = true
    } else {
      for _ in 0..<max(1, count) where isCommanding { command(letter, &editor) }
    }
    count = 0
  }

  /// Replaces as many letters as the count says, if the line has them.
  private mutating func replace(with letter: Character, _ editor: inout InputEditor) {
    isReplacing = false
    let (cursor, number) = (editor.input.cursor, max(1, count))
    guard cursor + number <= editor.input.lineEnd else { return }
    _ = editor.input.delete(cursor..<cursor + number)
    editor.input.insert(String(repeating: letter, count: number))
    _ = editor.edit(.left)
  }

  /// A line down or up, in the same column if it is long enough.
  private func moveLine(_ step: Int, _ editor: inout InputEditor) {
    let input = editor.input
    let column = input.cursor - input.lineStart
    guard step < 0 ? input.lineStart > 0 : input.lineEnd < input.letters.count else { return }
    editor.input.move(to: step < 0 ? input.lineStart - 1 : input.lineEnd + 1)
    editor.input.move(to: min(editor.input.lineStart + column, editor.input.lineEnd))
  }

  /// In command mode the cursor is on a letter, where the line has one.
  private func stepOntoLetter(_ editor: inout InputEditor) {
    let input = editor.input
    if input.cursor == input.lineEnd, input.cursor > input.lineStart { _ = editor.edit(.left) }
  }

  /// A new text is begun: letters are letters again.
  package mutating func reset() { self = ViKeys() }

  private mutating func command(_ letter: Character, _ editor: inout InputEditor) {
    switch letter {
    case "i": isCommanding = false
    case "a": insert(after: .right, &editor)
    case "I": insert(after: .lineStart, &editor)
    case "A": insert(after: .lineEnd, &editor)
    case "o": insert(after: .lineEnd, &editor, text: "\n")
    case "D": _ = editor.edit(.killToEnd)
    case "C":
      _ = editor.edit(.killToEnd)
      isCommanding = false
    case "j": moveLine(1, &editor)
    case "k": moveLine(-1, &editor)
    case "w": editor.input.move(to: editor.input.nextWord)
    case "e":
      editor.input.move(to: editor.input.cursor + 1)
      editor.input.move(to: editor.input.wordRight - 1)
    default: if let action = Self.actions[letter] { _ = editor.edit(action) }
    }
  }

  private static let actions: [Character: UserAction] = [
    "h": .left, "l": .right, " ": .right, "0": .lineStart, "^": .lineStart, "$": .lineEnd, "b": .wordLeft,
    "x": .deleteForward, "X": .deleteBack, "u": .undo, "p": .yank, "P": .yank,
  ]

  private mutating func insert(after action: UserAction, _ editor: inout InputEditor, text: String = "") {
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
