/// Finds what somebody means by a few letters of it.
package enum Fuzzy {
  /// How well a name fits; nil if the letters are not in it in that order. Whole parts count more than scattered letters, and
  /// beginnings of words more than their middles.
  package static func score(_ query: String, in name: String) -> Int? {
    let wanted = Array(query.lowercased())
    let letters = Array(name.lowercased())
    guard !wanted.isEmpty else { return 0 }
    if let whole = place(of: wanted, in: letters) { return 1000 - whole + (isStart(whole, letters) ? 500 : 0) }
    return scattered(wanted, letters)
  }

  private static func place(of wanted: [Character], in letters: [Character]) -> Int? {
    guard wanted.count <= letters.count else { return nil }
    return (0...(letters.count - wanted.count)).first { letters[$0..<($0 + wanted.count)].elementsEqual(wanted) }
  }

  private static func scattered(_ wanted: [Character], _ letters: [Character]) -> Int? {
    var score = 0
    var place = 0
    for letter in wanted {
      guard let next = letters[place...].firstIndex(of: letter) else { return nil }
      score += isStart(next, letters) ? 10 : next == place ? 5 : 0
      place = next + 1
    }
    return score
  }

  private static func isStart(_ place: Int, _ letters: [Character]) -> Bool {
    place == 0 || !(letters[place - 1].isLetter || letters[place - 1].isNumber)
  }
}
