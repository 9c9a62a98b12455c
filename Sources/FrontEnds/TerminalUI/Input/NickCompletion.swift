/// A nick in a text that Tab completes, and each further Tab replaces by the next one that fits.
struct NickCompletion: Equatable {
  /// The text and its cursor as the last completion left them; others begin anew.
  private let text: String
  private let cursor: Int
  private let start: Int
  private let nicks: [String]
  private let index: Int

  /// Nil: no nick begins with the word before the cursor.
  ///
  /// - Parameter nicks: those that are there, the most likely first.
  init?(_ input: TextInput, among nicks: [String]) {
    let before = input.letters[..<input.cursor]
    start = before.lastIndex(where: \.isWhitespace).map { $0 + 1 } ?? 0
    let word = String(before[start...]).lowercased()
    self.nicks = word.isEmpty ? [] : nicks.filter { $0.lowercased().hasPrefix(word) }
    guard !self.nicks.isEmpty else { return nil }
    (text, cursor, index) = (input.text, input.cursor, 0)
  }

  private init(_ last: NickCompletion, _ input: TextInput, index: Int) {
    (text, cursor, start, nicks, self.index) = (input.text, input.cursor, last.start, last.nicks, index)
  }

  /// True if the input is as the last completion left it.
  func continues(_ input: TextInput) -> Bool { input.cursor == cursor && input.text == text }

  /// Puts the nick into the text: with a colon at the beginning of a message.
  ///
  /// - Returns: the completion that the next Tab goes on with.
  func complete(_ input: inout TextInput) -> NickCompletion {
    let isCommand = input.letters.first == "/"
    let ending = start == 0 && !isCommand ? ": " : " "
    input.replace(start..<input.cursor, by: nicks[index] + ending)
    return NickCompletion(self, input, index: (index + 1) % nicks.count)
  }
}
