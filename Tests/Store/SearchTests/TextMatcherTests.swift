import AddressPreparation
import Testing

@testable import Search

@Suite("A text is found in another")
struct TextMatcherTests {
  @Test(
    "whatever the case, the composition and the script",
    arguments: [
      ("STRASSE", "In der Straße"), ("straße", "DIE STRASSE"), ("strasse", "STRAẞE"), ("σίσυφος", "ΣΊΣΥΦΟΣ"),
      ("ΣΊΣΥΦΟΣ", "Σίσυφος"), ("kelvin", "300 \u{212A}elvin"), ("é", "cafe\u{301}"), ("E\u{301}", "CAFÉ"),
      ("CAFE\u{301}", "café"), ("Ångström", "\u{212B}NGSTRÖM"), ("fi", "ﬁnd"), ("office", "oﬃce"), ("你好", "说你好吧"),
      ("привет", "ПРИВЕТ!"), ("Й", "кой\u{438}\u{306}"), ("한국", "대\u{1112}\u{1161}\u{11AB}국"),
      ("\u{1112}\u{1161}\u{11AB}", "한국"),
      ("が", "か\u{3099}"), ("豈", "\u{F900}"), ("क़", "\u{958}"), ("ẹ\u{301}", "é\u{323}"), ("ᾳ", "\u{391}\u{345}"),
      ("i\u{307}", "İ"),
      ("ell", "hello"), (" a ", "x a y"), ("ж", "\u{1F600}Ж"), ("𐐨", "x𐐀"),
    ])
  func found(_ needle: String, _ text: String) {
    let matcher = TextMatcher(needle)
    #expect(matcher.matches(text))
    #expect(!matcher.hits(in: text).isEmpty)
  }

  @Test(
    "and not where it is something else",
    arguments: [
      ("e", "é"), ("cafe", "cafe\u{301}"), ("하", "한"), ("ss", "s s"), ("a", ""), ("ab", "a"), ("é", "e"), ("ı", "i"),
      ("好你", "你好"),
    ])
  func notFound(_ needle: String, _ text: String) {
    #expect(!TextMatcher(needle).matches(text))
    #expect(TextMatcher(needle).hits(in: text).isEmpty)
  }

  @Test(
    "hits are scalars of the text, whole characters, none over another",
    arguments: [
      ("l", "hello", [2..<3, 3..<4]), ("aa", "aaaaa", [0..<2, 2..<4]), ("s", "Straße", [0..<1, 4..<5]),
      ("é", "e\u{301}té e\u{301}", [0..<2, 3..<4, 5..<7]), ("국", "한국", [1..<2]), ("x", "😀x", [1..<2]),
      ("TRASSE", "Straße", [1..<6]), ("e", "e\u{301}e", [2..<3]), ("한", "\u{1112}\u{1161}\u{11AB}", [0..<3]),
    ])
  func hits(_ needle: String, _ text: String, _ ranges: [Range<Int>]) {
    #expect(TextMatcher(needle).hits(in: text) == ranges)
  }

  @Test("the first hundred hits are told")
  func manyHits() {
    #expect(TextMatcher("a").hits(in: String(repeating: "a", count: 5_000)).count == TextMatcher.mostHits)
  }

  @Test("as the oracle has it, over texts of many scripts", arguments: 1...20)
  func oracle(_ seed: UInt64) {
    var generator = TextGenerator(seed: seed)
    for _ in 0..<100 {
      let text = generator.text(limit: 30)
      let needle = generator.next(below: 4) == 0 ? generator.text(limit: 3) + "a" : generator.part(of: text, limit: 4)
      let wanted = generator.disguised(needle)
      let matcher = TextMatcher(wanted)
      let isFound = SearchOracle.finds(wanted, in: text)
      #expect(matcher.matches(text) == isFound, "\(wanted.debugDescription) in \(text.debugDescription)")
      #expect(matcher.hits(in: text).isEmpty == !isFound, "\(wanted.debugDescription) in \(text.debugDescription)")
    }
  }
}
