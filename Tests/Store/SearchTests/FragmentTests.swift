import Bytes
import AddressPreparation
import Testing

@testable import Search

@Suite("Bytes that stand in every text that matches")
struct FragmentTests {
  @Test("whatever is found holds one of them", arguments: 1...30)
  func necessary(_ seed: UInt64) {
    var generator = TextGenerator(seed: seed)
    for _ in 0..<100 {
      let text = generator.text(limit: 30)
      let needle = generator.disguised(generator.part(of: text, limit: seed % 2 == 0 ? 5 : 15))
      guard SearchOracle.finds(needle, in: text) else { continue }
      let forms = NeedleForms(TextMatcher(needle).needle[...])
      for start in TextMatcher(needle).needle.indices {
        guard let fragments = FragmentSet(forms.fragments(from: start)) else { continue }
        #expect(
          fragments.first(in: Array(text.utf8), from: 0) != nil,
          "\(needle.debugDescription) from \(start) in \(text.debugDescription)")
      }
    }
  }

  @Test("every scalar that folding makes a scalar of ASCII from is known")
  func complete() {
    for target in UInt32(0x20)..<0x7F {
      let matcher = TextMatcher(String(Unicode.Scalar(UInt8(target))))
      guard let fragments = matcher.anyFragments() else { continue }
      for scalar in UInt32(0)..<0x20000 {
        guard let source = Unicode.Scalar(scalar), CaseFolding.mayChange(scalar), matcher.matches(String(source)) else {
          continue
        }
        #expect(fragments.first(in: Array(String(source).utf8), from: 0) != nil, "U+\(String(scalar, radix: 16))")
      }
    }
  }

  @Test(
    "those are chosen that are met seldom in the log",
    arguments: ["meetinglunch", "lunchmeeting", "xmeeting", "meetingx"])
  func chosen(_ needle: String) throws {
    let usual = Array(String(repeating: "A meeting, then Lunch; ", count: 1_000).utf8)
    let fragments = try #require(unsafe TextMatcher(needle).fragments.best(for: usual.span.bytes))
    #expect(fragments.first(in: usual, from: 0) == nil)
    #expect(fragments.first(in: usual + Array(needle.uppercased().utf8), from: 0) != nil)
  }

  @Test("words of every kind have them, marks alone have not")
  func present() {
    for word in ["hello", "é", "한국", "你好", "привет", "ΣΊΣΥΦΟΣ", "हिन्दी", "e\u{301}", "ß", "😀", "a"] {
      #expect(TextMatcher(word).anyFragments() != nil, "\(word)")
    }
    #expect(TextMatcher("\u{301}\u{323}").anyFragments() == nil)
  }
}

extension TextMatcher {
  fileprivate func anyFragments() -> FragmentSet? { unsafe fragments.best(for: [UInt8]().span.bytes) }
}
