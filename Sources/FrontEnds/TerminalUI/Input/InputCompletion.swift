/// A word of the input that Tab completes, and each further Tab replaces by the next one that fits: a nick, an emoticon.
struct InputCompletion: Equatable {
  /// The text and its cursor as the last completion left them; others begin anew.
  private let text: String
  private let cursor: Int
  private let start: Int
  private let words: [String]
  /// The text that is put behind a word.
  private let ending: String
  private let index: Int

  /// A nick, with a colon at the beginning of a message. Nil: none begins with the word before the cursor.
  ///
  /// - Parameter nicks: those that are there, the most likely first.
  init?(_ input: TextInput, among nicks: [String]) {
    let before = input.letters[..<input.cursor]
    let start = before.lastIndex(where: \.isWhitespace).map { $0 + 1 } ?? 0
    let word = String(before[start...]).lowercased()
    let found = word.isEmpty ? [] : nicks.filter { $0.lowercased().hasPrefix(word) }
    let isAddressed = Self.areNicks(String(before[..<start]), nicks)
    self.init(input, start, found, ending: isAddressed && input.letters.first != "/" ? ": " : " ")
  }

  /// True if a text is empty or is only nicks, each with a colon: the message is addressed to these.
  private static func areNicks(_ text: String, _ nicks: [String]) -> Bool {
    var rest = text[...]
    while !rest.isEmpty {
      guard let nick = nicks.first(where: { rest.hasPrefix($0 + ": ") }) else { return false }
      rest = rest.dropFirst(nick.count + 2)
    }
    return true
  }

  /// An emoticon of which a part of the name stands before the cursor. Nil: nothing is found.
  init?(_ input: TextInput, emoticons: [String]) {
    guard let start = input.emoticonStart else { return nil }
    self.init(input, start, emoticons, ending: "")
  }

  private init?(_ input: TextInput, _ start: Int, _ words: [String], ending: String) {
    guard !words.isEmpty else { return nil }
    (text, cursor, index) = (input.text, input.cursor, 0)
    (self.start, self.words, self.ending) = (start, words, ending)
  }

  private init(_ last: InputCompletion, _ input: TextInput) {
    (text, cursor, start, words, ending) = (input.text, input.cursor, last.start, last.words, last.ending)
    index = (last.index + 1) % last.words.count
  }

  /// True if the input is as the last completion left it.
  func continues(_ input: TextInput) -> Bool { input.cursor == cursor && input.text == text }

  /// Puts the word into the text.
  ///
  /// - Returns: the completion that the next Tab goes on with.
  func complete(_ input: inout TextInput) -> InputCompletion {
    input.replace(start..<input.cursor, by: words[index] + ending)
    return InputCompletion(self, input)
  }
}

extension TextInput {
  /// The colon of `:rock` before the cursor; nil: there is no such word, or too little of one.
  var emoticonStart: Int? {
    let before = letters[..<cursor]
    let start = before.lastIndex(where: \.isWhitespace).map { $0 + 1 } ?? 0
    let isName = before.count - start > 2 && before[start] == ":" && !before[(start + 1)...].contains(":")
    return isName ? start : nil
  }

  /// The part of an emoticon's name that stands before the cursor.
  var emoticonQuery: String? { emoticonStart.map { String(letters[($0 + 1)..<cursor]) } }
}
