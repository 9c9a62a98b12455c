import Testing

@testable import Screen

@Suite("What may be shown")
struct ShownTextTests {
  static let cases: [(text: String, shown: String)] = [
    ("plain text", "plain text"),
    ("a\u{1B}[31mb", "a\u{FFFD}[31mb"),
    ("a\u{9B}31mb\u{7F}\u{0}", "a\u{FFFD}31mb\u{FFFD}\u{FFFD}"),
    ("one\ntwo\r\nthree\rfour", "one↵two↵three\u{FFFD}four"),
    ("a\tb", "a    b"),
    ("a\u{2028}b\u{2029}c", "a\u{FFFD}b\u{FFFD}c"),
    ("a\u{202E}b\u{202C}\u{2066}c\u{2069}", "a\u{FFFD}b\u{FFFD}\u{FFFD}c\u{FFFD}"),
    ("a\u{200E}b\u{200F}c\u{61C}d", "abcd"),
    ("a\u{200B}b\u{2060}c\u{FEFF}d\u{AD}e\u{34F}f\u{2063}g", "abcdefg"),
    ("\u{3164}\u{115F}\u{FFA0}", "\u{FFFD}\u{FFFD}\u{FFFD}"),
    ("a\u{200D}b\u{200C}c", "abc"),
    ("می\u{200C}خواهم", "می\u{200C}خواهم"),
    ("क्\u{200D}ष", "क्\u{200D}ष"),
    ("क्\u{200C}ष", "क्\u{200C}ष"),
    ("ه\u{200D}\u{200D}\u{200D}", "ه\u{200D}"),
    ("👩\u{200D}🚀", "👩\u{200D}🚀"),
    ("👩\u{200D}", "👩"),
    ("👩\u{200D}a", "👩a"),
    ("❤\u{FE0F}\u{FE0F}a\u{FE0F}中\u{FE0F}", "❤\u{FE0F}a中"),
    ("1\u{FE0F}\u{20E3}2\u{FE0F}", "1\u{FE0F}\u{20E3}2"),
    ("👍🏽", "👍🏽"),
    ("中\u{E0100}a\u{FE00}\u{180B}", "中a"),
    (
      "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
      "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}"
    ),
    ("🏴\u{E0067}\u{E0062}a", "🏴a"),
    ("a\u{E0041}\u{E0042}\u{E007F}\u{E0001}b", "ab"),
    ("\u{301}a", "\u{25CC}\u{301}a"),
    ("a\u{378}\u{FFFF}\u{10FFFF}", "a\u{FFFD}\u{FFFD}\u{FFFD}"),
    ("🇩🇪", "🇩🇪"),
    ("𓀀\u{3000}\u{A0}x", "𓀀\u{3000}\u{A0}x"),
  ]

  @Test("a text is shown by the rule, and as it was shown then", arguments: cases)
  func rule(text: String, shown: String) {
    #expect(scalars(ShownText.line(text)) == scalars(shown))
    #expect(scalars(ShownText.line(shown)) == scalars(shown))
  }

  @Test("no character of any text steers a terminal or is invisible")
  func allScalars() {
    // The pages that have characters, and some without.
    for page in Array(0..<UInt32(0x324)) + [0xE00, 0xE01, 0xF00, 0x10FF] where !(0x34..<0xD8).contains(page) {
      var text = String.UnicodeScalarView()
      for value in 0..<UInt32(0x100) {
        if let scalar = Unicode.Scalar(page << 8 | value) { text += ["a", scalar] }
      }
      for scalar in ShownText.line(String(text)).unicodeScalars where scalar != "a" && Self.isWrong(scalar) {
        Issue.record("U+\(String(scalar.value, radix: 16)) of page \(page) is shown")
      }
    }
  }

  private static func isWrong(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    return [.control, .lineSeparator, .paragraphSeparator].contains(properties.generalCategory)
      || properties.isDefaultIgnorableCodePoint || properties.isBidiControl
  }

  @Test("a letter has at most eight marks, however many are sent")
  func manyMarks() {
    let text = "a" + String(repeating: "\u{301}", count: 50_000) + "b"
    let glyphs = Clusters.split(text)
    #expect(glyphs.map { $0.text.unicodeScalars.count } == [9, 1])
    #expect(glyphs.map(\.offset) == [0, 50_001])
  }

  @Test(
    "no cluster is wider than 12 columns", arguments: ["\u{1100}", "👩\u{200D}", "\u{600}", "👍🏽", "☺\u{FE0F}\u{200D}"])
  func boundedWidth(part: String) {
    let text = String(repeating: part, count: 1_000) + "x"
    for model in [WidthModel.codePoints, .clusters] {
      let glyphs = Clusters.split(text, GlyphRules(model))
      #expect(glyphs.allSatisfy { (1...12).contains($0.width) })
    }
  }

  private func scalars(_ text: String) -> [String] {
    text.unicodeScalars.map { String($0.value, radix: 16) }
  }
}
