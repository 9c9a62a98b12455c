/// The editing keys over a `TextInput`, and what was cut.
package struct InputEditor: Equatable, Sendable {
  package var input = TextInput()
  /// The text that was cut last, for yanking.
  private var cut = ""

  package init(_ text: String = "") {
    input = TextInput(text)
  }

  /// Performs an action of editing; false if the action is another one.
  package mutating func edit(_ action: UserAction) -> Bool {
    switch action {
    case .left: input.move(to: input.cursor - 1)
    case .right: input.move(to: input.cursor + 1)
    case .wordLeft: input.move(to: input.wordLeft)
    case .wordRight: input.move(to: input.wordRight)
    case .lineStart: input.move(to: input.lineStart)
    case .lineEnd: input.move(to: input.lineEnd)
    case .undo: input.takeBack()
    case .yank: if !cut.isEmpty { input.insert(cut) }
    default: return delete(action)
    }
    return true
  }

  private mutating func delete(_ action: UserAction) -> Bool {
    let cursor = input.cursor
    switch action {
    case .deleteBack: _ = input.delete(cursor - 1..<cursor)
    case .deleteForward: _ = input.delete(cursor..<cursor + 1)
    case .killWordBack: kill(input.blankLeft..<cursor)
    case .killWordForward: kill(cursor..<input.wordRight)
    case .killToStart: kill(input.lineStart..<cursor)
    // At the end of a line its end is cut, so that the next one joins.
    case .killToEnd: kill(cursor..<(input.lineEnd == cursor ? cursor + 1 : input.lineEnd))
    default: return false
    }
    return true
  }

  mutating func kill(_ range: Range<Int>) {
    let text = input.delete(range)
    if !text.isEmpty { cut = text }
  }
}
