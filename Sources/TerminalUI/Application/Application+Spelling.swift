/// Spelling of what is typed: words go out to be checked, and come back as right or wrong.
extension Application {
  /// Asks about the words of the input that has the keys.
  func checkSpelling() {
    guard !settings.spelling.isEmpty, !desk.isInList, let key = desk.talk?.key else { return }
    let input = composer[key].editor.input
    guard input.letters.first != "/" || SlashCommand.text(input.text) != nil else { return }
    let words = composer.spelling.unasked(in: input)
    if !words.isEmpty { actions.append(.checkSpelling(words, settings.spelling)) }
  }

  /// Asks for other spellings of the word at the cursor, or of the wrong one before it.
  func suggestSpelling(_ key: ConversationKey) {
    guard !settings.spelling.isEmpty else { return say("Spelling is off: tui.conf(5), spelling = en_US.") }
    let input = composer[key].editor.input
    let wrong = composer.spelling.wrong(in: input)
    guard let range = input.word(of: wrong.isEmpty ? SpellingWords.words(in: input.letters) : wrong) else {
      return say("No word is here.")
    }
    actions.append(.suggestSpelling(String(input.letters[range]), settings.spelling))
  }

  /// The suggestions are here.
  func take(_ suggestions: [String], for word: String) {
    guard desk.popups.isEmpty, !desk.isInList, desk.talk != nil else { return }
    if suggestions.isEmpty { return say("No other spelling of \(word) is known.") }
    push(.spelling(word, suggestions))
  }

  /// Puts another word in the place of the one that was asked about.
  func respell(_ word: String, _ other: String) {
    desk.popups = []
    guard let key = desk.talk?.key else { return }
    let input = composer[key].editor.input
    let same = SpellingWords.words(in: input.letters).filter { String(input.letters[$0]) == word }
    guard let range = input.word(of: same) else { return }
    let offset = input.cursor - range.upperBound
    write(key) { editor in
      editor.input.replace(range, by: other)
      // The cursor stays behind what was typed since.
      if offset > 0 { editor.input.move(to: editor.input.cursor + offset) }
    }
  }
}
