import Bytes
import Names
import Testing

@testable import Search

@Suite("Bytes that stand in every text that matches")
struct FragmentTests {
  @Test("whatever is found holds one of them", arguments: 1...30)
  func necessary(_ seed: UInt64) {
    var generator = TextGenerator(seed: seed)
    for _ in 0..<100 {
      let text = generator.text(limit: 20)
      let needle = generator.disguised(generator.part(of: text, limit: 5))
      let matcher = TextMatcher(needle)
      guard SearchOracle.finds(needle, in: text), let fragments = matcher.fragments else { continue }
      #expect(
        fragments.first(in: Array(text.utf8), from: 0) != nil, "\(needle.debugDescription) in \(text.debugDescription)")
    }
  }

  @Test("every scalar that folding makes a scalar of ASCII from is known")
  func complete() {
    for target in UInt32(0x20)..<0x7F {
      let matcher = TextMatcher(String(Unicode.Scalar(UInt8(target))))
      guard let fragments = matcher.fragments else { continue }
      for scalar in UInt32(0)..<0x20000 {
        guard let source = Unicode.Scalar(scalar), CaseFolding.mayChange(scalar), matcher.matches(String(source)) else {
          continue
        }
        #expect(fragments.first(in: Array(String(source).utf8), from: 0) != nil, "U+\(String(scalar, radix: 16))")
      }
    }
  }

  @Test("words of every kind have them, marks alone have not")
  func present() {
    for word in ["hello", "é", "한국", "你好", "привет", "ΣΊΣΥΦΟΣ", "हिन्दी", "e\u{301}", "ß", "😀", "a"] {
      #expect(TextMatcher(word).fragments != nil, "\(word)")
    }
    #expect(TextMatcher("\u{301}\u{323}").fragments == nil)
  }
}
