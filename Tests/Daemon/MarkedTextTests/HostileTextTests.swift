import Testing

@testable import MarkedText

@Suite("Texts that are made to cost much") struct HostileTextTests {
  private static let codes = (0..<3000).map {
    (phrase: ":" + String(repeating: ":", count: $0 % 20) + "a\($0):", target: "x")
  }
  private static let pieces = [
    "*", "_", "`", "```", "~", "[", "(", ")", "](", ">", "> ", ">\n", "#", "#a", "#a #", "@", "a@", "a@b.", "@bob", ":",
    "::",
    "geo:", "geo:.", "http://", "http://(", "http://)", "*a ", " *", "*a* ", "*_", "> ```\n", "```\n", "\n", "bob ",
    "ä", "é\u{301}",
    "é", "微", "\u{200D}", "👩‍🚀", "a@é.", "http://a_",
  ]

  /// Twice the text may cost twice the steps, which are counted by the time that tests take: 30,000 bytes of each piece take
  /// minutes if one of them is quadratic.
  @Test("Each is read in time that grows with its length", arguments: pieces)
  func repeated(_ piece: String) {
    let text = String(repeating: piece, count: 30_000 / piece.utf8.count)
    let names = MentionTable([("bob", "b"), ("é", "e")])
    let spans = MarkedText.spans(of: text, emoticons: PhraseTable(Self.codes), names: names)
    let count = text.unicodeScalars.count
    #expect(spans.count <= MarkedText.spanLimit)
    #expect(spans.allSatisfy { !$0.range.isEmpty && $0.range.upperBound <= count })
    #expect(zip(spans, spans.dropFirst()).allSatisfy { $0.range.lowerBound <= $1.range.lowerBound })
  }

  @Test("Any mixture has spans that lie in it", arguments: 0..<300)
  func mixed(_ seed: Int) {
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
    let text = (0..<40).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Self.pieces[Int(state >> 33) % Self.pieces.count]
    }.joined()
    let count = text.unicodeScalars.count
    let spans = MarkedText.spans(
      of: text, emoticons: PhraseTable([(":", "x"), ("[(", "y")]), names: MentionTable([("bob", "b")]))
    #expect(spans.allSatisfy { !$0.range.isEmpty && $0.range.upperBound <= count })
  }
}
