/// Verdicts on the spelling of typed words; each word is asked about once.
struct SpellingWords: Equatable, Sendable {
  private var verdicts: [String: Bool] = [:]
  private var asked: Set<String> = []

  /// Longer texts are not checked: they are pasted, and each key would cost.
  private static let longestText = 4000
  /// Words that are kept.
  private static let capacity = 5000

  init() {}

  /// The words of an input of which nothing is known yet; the one that is being typed waits for its end.
  mutating func unasked(in input: TextInput) -> [String] {
    let words = Self.words(of: input).map { String(input.letters[$0]) }
    let new = Set(words).subtracting(asked)
    if asked.count > Self.capacity { (verdicts, asked) = ([:], []) }
    asked.formUnion(new)
    return new.sorted()
  }

  mutating func take(_ verdicts: [String: Bool]) { self.verdicts.merge(verdicts) { $1 } }

  /// Other dictionaries: nothing is known any more.
  mutating func forget() { self = SpellingWords() }

  /// The wrong words of an input, by their letters.
  func wrong(in input: TextInput) -> [Range<Int>] {
    guard !verdicts.isEmpty else { return [] }
    return Self.words(of: input).filter { verdicts[String(input.letters[$0])] == false }
  }

  /// The wrong word at the cursor or before it, or any word there; nil: no word is there.
  func word(in input: TextInput) -> String? {
    let wrong = wrong(in: input)
    return input.word(of: wrong.isEmpty ? Self.words(in: input.letters) : wrong).map { String(input.letters[$0]) }
  }

  // MARK: Words

  private static func words(of input: TextInput) -> [Range<Int>] {
    guard input.letters.count <= longestText else { return [] }
    return words(in: input.letters).filter { $0.upperBound != input.cursor }
  }

  /// Runs of letters that may be words of a language; no part of an address, a command, a `#topic` or a number.
  static func words(in letters: [Character]) -> [Range<Int>] {
    var words: [Range<Int>] = []
    for token in letters.indices.split(whereSeparator: { letters[$0].isWhitespace }) {
      let range = token[token.startIndex]..<token[token.endIndex - 1] + 1
      if isProse(letters[range]) { words += runs(in: letters, range) }
    }
    return words
  }

  private static func isProse(_ token: ArraySlice<Character>) -> Bool {
    !token.contains { $0 == "@" || $0 == "/" || $0 == "_" || $0 == "\\" || $0.isNumber || isIdeograph($0) }
      && token.first != "#" && token.first != ":"
  }

  /// Scripts without spaces between words; dictionaries know nothing of them.
  private static func isIdeograph(_ letter: Character) -> Bool {
    letter.unicodeScalars.contains { (0x2E80...0xABFF).contains($0.value) || $0.value >= 0x20000 }
  }

  /// Letters, and apostrophes between letters; two of them at least.
  private static func runs(in letters: [Character], _ range: Range<Int>) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var start: Int?
    for index in range.lowerBound...range.upperBound {
      if index < range.upperBound, belongs(letters, index, range) {
        start = start ?? index
      } else if let first = start.take(), index - first > 1 {
        runs.append(first..<index)
      }
    }
    return runs
  }

  private static func belongs(_ letters: [Character], _ index: Int, _ range: Range<Int>) -> Bool {
    guard letters[index] == "'" || letters[index] == "’" else { return letters[index].isLetter }
    return index > range.lowerBound && index + 1 < range.upperBound && letters[index - 1].isLetter
      && letters[index + 1].isLetter
  }
}

extension TextInput {
  /// Puts another word in the place of one; the cursor stays behind what was typed since.
  mutating func respell(_ word: String, _ other: String) {
    let same = SpellingWords.words(in: letters).filter { String(letters[$0]) == word }
    guard let range = self.word(of: same) else { return }
    let offset = cursor - range.upperBound
    replace(range, by: other)
    if offset > 0 { move(to: cursor + offset) }
  }

  /// The word at the cursor or right before it; else the last of these words before it, else the first.
  func word(of ranges: [Range<Int>]) -> Range<Int>? {
    ranges.first { $0.lowerBound <= cursor && cursor <= $0.upperBound } ?? ranges.last { $0.upperBound <= cursor }
      ?? ranges.first
  }
}
