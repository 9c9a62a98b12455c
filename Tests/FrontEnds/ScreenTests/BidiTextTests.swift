import Testing

@testable import Screen

@Suite("Text from right to left")
struct BidiTextTests {
  @Test(
    "a line is drawn from left to right",
    arguments: [
      ("plain (text)", "plain (text)"),
      ("אבג", "גבא"),
      ("abc אבג def", "abc גבא def"),
      ("אבג abc", "abc גבא"),
      ("אבג 123 דה", "הד 123 גבא"),
      ("(אב)", "(בא)"),
      ("a (אב) b", "a (בא) b"),
      ("אב (גד) [x]", "[x] (דג) בא"),
      ("é 中 אב", "é 中 בא"),
      ("ש\u{5B8}ל", "לש\u{5B8}"),
    ])
  func order(text: String, drawn: String) {
    let bidi = BidiText(Clusters.split(text))
    let order = bidi.visualOrder(of: 0..<bidi.glyphs.count)
    #expect(order.map { bidi.glyphs[$0].text }.joined() == drawn)
  }

  @Test("the first letter says the direction of a paragraph, unless it is to be from left to right")
  func direction() {
    let glyphs = Clusters.split("1 אב ab")
    #expect(BidiText(glyphs).isRightToLeft)
    #expect(!BidiText(glyphs, isAutomatic: false).isRightToLeft)
    #expect(!BidiText(Clusters.split("ab אב")).isRightToLeft)
  }

  @Test("each line of a paragraph is ordered for itself, with its spaces at the end of the line")
  func lines() {
    let bidi = BidiText(Clusters.split("אב גד הו"))
    #expect(bidi.visualOrder(of: 0..<3) == [2, 1, 0])
    #expect(bidi.visualOrder(of: 3..<8) == [7, 6, 5, 4, 3])
    let mixed = BidiText(Clusters.split("ab אב "))
    #expect(mixed.visualOrder(of: 0..<6) == [0, 1, 2, 4, 3, 5])
  }

  @Test("Arabic letters are drawn in their joined forms, and joiners are heeded")
  func shapes() {
    #expect(BidiText(Clusters.split("بب")).glyphs.map(\.text) == ["\u{FE91}", "\u{FE90}"])
    #expect(BidiText(Clusters.split("ب\u{200C}ب")).glyphs.map(\.text) == ["\u{FE8F}\u{200C}", "\u{FE8F}"])
    #expect(BidiText(Clusters.split("لا")).glyphs.count == 2)
  }

  @Test("each glyph of a line has its column")
  func columns() {
    let bidi = BidiText(Clusters.split("a中אב"))
    #expect(bidi.columns(of: 0..<4) == [0, 1, 4, 3, 5])
    #expect(bidi.columns(of: 2..<4) == [1, 0, 2])
    #expect(BidiText(Clusters.split("a中b")).columns(of: 0..<3) == [0, 1, 3, 4])
  }

  @Test("every letter from right to left is known as one")
  func ranges() {
    for value in UInt32(0x590)..<0x1_F000 {
      guard let scalar = Unicode.Scalar(value), !(0x3000..<0xD800).contains(value) else { continue }
      let glyphs = Clusters.split(String(Character(scalar)))
      let levels = FriBidi(glyphs.map { $0.text.unicodeScalars.first?.value ?? 0 }, isAutomatic: true)
      #expect(!levels.isRightToLeft || BidiText(glyphs).isRightToLeft, "U+\(String(value, radix: 16))")
    }
  }

  @Test("a long text that alternates takes linear time")
  func long() {
    let bidi = BidiText(Clusters.split(String(repeating: "aא(1 ", count: 12_000)))
    #expect(bidi.visualOrder(of: 0..<80).count == 80)
  }
}
