/// Finds what somebody means by a few letters of it.
package enum Fuzzy {
  /// How well a name fits; nil if the letters are not in it in that order. Whole parts count more than scattered letters, and
  /// beginnings of words more than their middles.
  package static func score(_ query: String, in name: String) -> Int? {
    let wanted = Array(query.lowercased())
    let letters = Array(name.lowercased())
    guard !wanted.isEmpty else { return 0 }
    if let whole = position(of: wanted, in: letters) { return 1000 - whole + (isStart(whole, letters) ? 500 : 0) }
    return scattered(wanted, letters)
  }

  private static func position(of wanted: [Character], in letters: [Character]) -> Int? {
    guard wanted.count <= letters.count else { return nil }
    return (0...(letters.count - wanted.count)).first { letters[$0..<($0 + wanted.count)].elementsEqual(wanted) }
  }

  private static func scattered(_ wanted: [Character], _ letters: [Character]) -> Int? {
    var score = 0
    var position = 0
    for letter in wanted {
      guard let next = letters[position...].firstIndex(of: letter) else { return nil }
      score += isStart(next, letters) ? 10 : next == position ? 5 : 0
      position = next + 1
    }
    return score
  }

  private static func isStart(_ position: Int, _ letters: [Character]) -> Bool {
    position == 0 || !(letters[position - 1].isLetter || letters[position - 1].isNumber)
  }
}
