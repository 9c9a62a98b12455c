/// A text that is being typed, with readline's ways of changing it.
package struct TextInput: Equatable, Sendable {
  /// One letter each: a grapheme cluster.
  package private(set) var letters: [Character] = []
  /// The letter before which the cursor is; `letters.count` at the end.
  package private(set) var cursor = 0
  private var changes = InputChanges()
  private var isTyping = false

  package init(_ text: String = "") {
    letters = Array(text)
    cursor = letters.count
  }

  package var text: String { String(letters) }
  package var isEmpty: Bool { letters.isEmpty }
  /// Letters that are kept so that changes can be taken back; for tests.
  var keptLetterCount: Int { changes.letterCount }

  // MARK: Changing

  package mutating func insert(_ text: String) {
    // A run of typed letters is taken back as one, up to a space.
    let goesOn = isTyping && text != " " && text.count == 1
    splice(cursor..<cursor, text, goesOn: goesOn)
    isTyping = text.count == 1
  }

  /// Deletes a range of letters.
  package mutating func delete(_ range: Range<Int>) -> String {
    let range = range.clamped(to: 0..<letters.count)
    guard !range.isEmpty else { return "" }
    let cut = String(letters[range])
    change(range, to: [])
    cursor = cursor > range.lowerBound ? max(range.lowerBound, cursor - range.count) : cursor
    return cut
  }

  package mutating func replace(_ range: Range<Int>, by text: String) { splice(range, text) }

  /// Another text in place of all of it; can be taken back.
  package mutating func set(_ text: String) {
    guard text != self.text else { return }
    change(0..<letters.count, to: Array(text))
    cursor = letters.count
  }

  package mutating func takeBack() {
    guard let last = changes.takeLast() else { return }
    letters.replaceSubrange(last.range, with: last.letters)
    (cursor, isTyping) = (last.cursor, false)
  }

  /// Puts a text in place of a range, and the cursor behind it.
  private mutating func splice(_ range: Range<Int>, _ text: String, goesOn: Bool = false) {
    // A combining mark belongs to the letter before the range, and may join what is behind.
    let start = max(0, range.lowerBound - 1)
    let head = String(letters[start..<range.lowerBound]) + text
    var end = min(range.upperBound + 1, letters.count)
    var joined = Array(head + String(letters[range.upperBound..<end]))
    // Flags and some Indic letters are others by what is before them; from one that is the same on, all are.
    while end < letters.count, joined.last != letters[end - 1] {
      end = min(letters.count, range.upperBound + 2 * (end - range.upperBound))
      joined = Array(head + String(letters[range.upperBound..<end]))
    }
    change(start..<end, to: joined, goesOn: goesOn)
    cursor = start + min(head.count, joined.count)
  }

  /// The only way in which letters are changed, but for taking back.
  ///
  /// - Parameter goesOn: whether it is taken back together with the change before.
  private mutating func change(_ range: Range<Int>, to new: [Character], goesOn: Bool = false) {
    changes.add(range, of: letters, count: new.count, cursor: cursor, goesOn: goesOn)
    isTyping = false
    letters.replaceSubrange(range, with: new)
  }

  // MARK: Moving

  package mutating func move(to position: Int) {
    cursor = min(max(0, position), letters.count)
    isTyping = false
  }

  /// A line up or down, in the same column if there is one.
  mutating func moveLine(_ step: Int) {
    let column = cursor - lineStart
    move(to: step < 0 ? lineStart - 1 : lineEnd + 1)
    move(to: min(lineStart + column, lineEnd))
  }

  package var wordLeft: Int {
    var position = cursor
    while position > 0, !Self.isWord(letters[position - 1]) { position -= 1 }
    while position > 0, Self.isWord(letters[position - 1]) { position -= 1 }
    return position
  }

  package var wordRight: Int {
    var position = cursor
    while position < letters.count, !Self.isWord(letters[position]) { position += 1 }
    while position < letters.count, Self.isWord(letters[position]) { position += 1 }
    return position
  }

  /// vi's `w`: the next word's first letter.
  var nextWord: Int {
    let rest = letters[cursor...].drop(while: Self.isWord)
    return rest.firstIndex(where: Self.isWord) ?? letters.count
  }

  /// Readline's Ctrl-W: to the white space before.
  package var blankLeft: Int {
    var position = cursor
    while position > 0, letters[position - 1].isWhitespace { position -= 1 }
    while position > 0, !letters[position - 1].isWhitespace { position -= 1 }
    return position
  }

  package var lineStart: Int { letters[..<cursor].lastIndex(where: \.isNewline).map { $0 + 1 } ?? 0 }
  package var lineEnd: Int { letters[cursor...].firstIndex(where: \.isNewline) ?? letters.count }

  private static func isWord(_ letter: Character) -> Bool { letter.isLetter || letter.isNumber || letter == "_" }
}
