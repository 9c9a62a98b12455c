import Testing

@testable import Screen

@Suite("Random texts")
struct RandomTextTests {
  private static let pieces: [[UInt32]] = [
    [0x61], [0x20], [0x0A], [0x0D], [0x09], [0x1B], [0x31], [0x4E2D], [0x301], [0x20E3], [0xFE0F], [0x200D], [0x200C],
    [0x1F469], [0x1F3FD], [0x1F680], [0x2764], [0x1F1E9], [0x1F1EA], [0x1FAE8], [0x1F3F4], [0xE0067], [0xE007F],
    [0x0E01], [0x0E33], [0x0915], [0x094D], [0x0937], [0x093F], [0x1100], [0x1161], [0x11A8], [0x5D0], [0x5D1], [0x628],
    [0x64B], [0x28], [0x29], [0x600], [0xFF9E], [0xE0B0], [0x202E], [0x3164], [0x378], [0xAD],
  ]
  private static let models: [WidthModel] = [
    .codePoints, .clusters, .measured(EmojiWidths(variation: 0, skinTone: 0, joined: 0, flag: 0, newest: 0)),
    .measured(EmojiWidths(variation: 2, skinTone: 2, joined: 2, flag: 2, newest: 2, vowelSign: 1)),
    .measured(EmojiWidths(variation: 1, skinTone: 4, joined: 4, flag: 1, newest: 1)),
  ]

  @Test(
    "any text becomes glyphs of bounded width in the order of the text, and its lines are ordered whole",
    arguments: 0..<300)
  func glyphs(seed: Int) {
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
    func below(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    var scalars: [UInt32] = []
    for _ in 0..<below(60) { scalars += Self.pieces[below(Self.pieces.count)] }
    let text = String(String.UnicodeScalarView(scalars.compactMap(Unicode.Scalar.init)))
    let rules = GlyphRules(Self.models[seed % Self.models.count], emoji: EmojiForm.allCases[below(3)])
    let glyphs = Clusters.split(text, rules)
    #expect(glyphs.allSatisfy { (1...Clusters.widthLimit).contains($0.width) && !$0.text.isEmpty })
    #expect(zip(glyphs, glyphs.dropFirst()).allSatisfy { $0.offset <= $1.offset })
    #expect(glyphs.allSatisfy { $0.offset < scalars.count })
    #expect(LineBreaks.opportunities(in: glyphs).count == glyphs.count)
    let bidi = BidiText(glyphs)
    let line = 0..<glyphs.count / 2
    #expect(bidi.visualOrder(of: line).sorted() == Array(line))
    let shown = ShownText.line(text)
    #expect(Array(ShownText.line(shown).unicodeScalars) == Array(shown.unicodeScalars))
    let lines = Clusters.lines(text, rules)
    #expect(lines.count == 1 + scalars.count { $0 == 0x0A })
  }
}
