import Testing

@testable import MarkedText

@Suite("Phrase table") struct PhraseTableTests {
  @Test("It finds what a list of all phrases finds", arguments: 0..<50)
  func comparison(_ seed: UInt64) {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    func word(_ most: UInt64) -> String {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return String((0...state >> 33 % most).map { "ab微"[(state >> (35 + $0 % 20)) % 3] })
    }
    let phrases = (0..<40).map { (phrase: word(5), target: "\($0)") }
    let table = PhraseTable(phrases)
    for _ in 0..<100 {
      let text = word(9)
      let longest = phrases.filter { text.hasPrefix($0.phrase) }.max { $0.phrase.utf8.count < $1.phrase.utf8.count }
      let match = table.longestMatch(in: Array(text.utf8)[...])
      #expect(match?.count == longest?.phrase.utf8.count)
      let first = phrases.first { $0.phrase == longest?.phrase }
      #expect(match.map { table.target($0.index) } == first?.target)
      #expect(table.index(of: text).map(table.phrase) == phrases.first { $0.phrase == text }?.phrase)
    }
  }

  @Test("An entry keeps its target and what stands behind it; long phrases are not taken")
  func entries() {
    var table = PhraseTable()
    let taken = [":a:", "", String(repeating: "x", count: 256)].map { table.append($0, "😀", rest: "name", tag: 7) }
    table.sort()
    #expect(taken == [true, false, false])
    #expect(table.entries.count == 1)
    #expect((table.phrase(0), table.target(0), table.rest(0), table.entries[0].tag) == (":a:", "😀", "name", 7))
  }
}

extension String {
  fileprivate subscript(index: UInt64) -> Character { self[self.index(startIndex, offsetBy: Int(index))] }
}
