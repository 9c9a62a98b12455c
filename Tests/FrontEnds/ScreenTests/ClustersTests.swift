import Testing

@testable import Screen

@Suite("Clusters and their widths")
struct ClustersTests {
  private static let wide = WidthModel.measured(
    EmojiWidths(variation: 2, skinTone: 2, joined: 2, flag: 2, newest: 2, vowelSign: 1))
  /// tmux joins emoji, and gives each vowel sign a column.
  private static let tmux = WidthModel.measured(
    EmojiWidths(variation: 1, skinTone: 4, joined: 2, flag: 2, newest: 0, vowelSign: 2))
  private static let narrow = WidthModel.measured(
    EmojiWidths(variation: 1, skinTone: 4, joined: 4, flag: 2, newest: 0))

  struct Row {
    let text: String
    /// By code points, by clusters, of a terminal that joins, of one that does not.
    let widths: [Int]
    let isDoubtful: Bool
  }

  static let rows: [Row] = [
    Row(text: "a", widths: [1, 1, 1, 1], isDoubtful: false),
    Row(text: "é", widths: [1, 1, 1, 1], isDoubtful: false),
    Row(text: "e\u{301}", widths: [1, 1, 1, 1], isDoubtful: false),
    Row(text: "中", widths: [2, 2, 2, 2], isDoubtful: false),
    Row(text: "Ａ", widths: [2, 2, 2, 2], isDoubtful: false),
    Row(text: "가", widths: [2, 2, 2, 2], isDoubtful: false),
    Row(text: "\u{1100}\u{1161}\u{11A8}", widths: [2, 2, 2, 2], isDoubtful: false),
    Row(text: "😀", widths: [2, 2, 2, 2], isDoubtful: false),
    Row(text: "☺", widths: [1, 1, 1, 1], isDoubtful: false),
    Row(text: "☺\u{FE0F}", widths: [1, 2, 2, 1], isDoubtful: true),
    Row(text: "⌚\u{FE0F}", widths: [2, 2, 2, 2], isDoubtful: false),
    Row(text: "1\u{FE0F}\u{20E3}", widths: [1, 2, 2, 1], isDoubtful: true),
    Row(text: "👍🏽", widths: [4, 2, 2, 4], isDoubtful: true),
    Row(text: "☝🏽", widths: [3, 2, 2, 3], isDoubtful: true),
    Row(text: "👩\u{200D}🚀", widths: [4, 2, 2, 4], isDoubtful: true),
    Row(text: "👩🏽\u{200D}❤\u{FE0F}\u{200D}💋\u{200D}👨🏿", widths: [11, 2, 2, 11], isDoubtful: true),
    Row(text: "🇩🇪", widths: [2, 2, 2, 2], isDoubtful: true),
    Row(text: "🇩", widths: [1, 1, 1, 1], isDoubtful: true),
    Row(text: "ก็", widths: [1, 1, 1, 1], isDoubtful: false),
    Row(text: "กำ", widths: [2, 1, 1, 2], isDoubtful: true),
    Row(text: "कि", widths: [2, 1, 1, 2], isDoubtful: true),
    Row(text: "\u{E0B0}", widths: [1, 1, 1, 1], isDoubtful: true),
    Row(text: "─", widths: [1, 1, 1, 1], isDoubtful: false),
  ]

  @Test("a cluster is one glyph, as wide as the model says", arguments: rows)
  func widths(row: Row) throws {
    for (model, width) in zip([.codePoints, .clusters, Self.wide, Self.narrow], row.widths) {
      let glyphs = Clusters.split(row.text, GlyphRules(model))
      #expect(glyphs.map(\.width) == [width], "\(row.text) \(model)")
      #expect(glyphs.map { $0.isDoubtful } == [row.isDoubtful], "\(row.text) \(model)")
    }
  }

  @Test(
    "a vowel sign has the column that the terminal gives it, whatever it does with emoji",
    arguments: [("नमस्ते", 4), ("हिन्दी", 5), ("தமிழ்", 4), ("ภาษาไทย", 7), ("น้ำ", 2), ("ກຳ", 2), ("বাংলা", 5)])
  func vowelSigns(text: String, columns: Int) {
    #expect(Clusters.split(text, GlyphRules(Self.tmux)).reduce(0) { $0 + $1.width } == columns)
  }

  @Test("an emoji that the terminal does not draw is shown by its name")
  func undrawn() {
    let glyphs = Clusters.split("a🫨b", GlyphRules(Self.narrow))
    #expect(glyphs.map(\.text).joined() == "a:shaking face:b")
    #expect(glyphs.last?.offset == 2)
    #expect(Clusters.split("🫨", GlyphRules(.codePoints)).map(\.isDoubtful) == [true])
  }

  @Test("simple emoji have no selectors, skin tones and joiners")
  func simple() {
    let glyphs = Clusters.split("☺\u{FE0F}👍🏽👩\u{200D}🚀🇩🇪", GlyphRules(emoji: .simple))
    #expect(glyphs.map(\.text) == ["☺", "👍", "👩", "🚀", "D", "E"])
    #expect(glyphs.map(\.offset) == [0, 2, 4, 6, 7, 8])
    #expect(!glyphs.contains { $0.isDoubtful })
  }

  @Test("emoji have names, letters and symbols do not")
  func names() {
    let glyphs = Clusters.split("a☺中 😀👍🏽👩\u{200D}🚀🇩🇪1\u{FE0F}\u{20E3}", GlyphRules(emoji: .names))
    #expect(glyphs.map(\.text).joined() == "a☺中 :grinning face::thumbs up sign::woman+rocket::flag DE::1+keycap:")
  }

  @Test("lines end at line feeds, with or without a carriage return; offsets go on")
  func lines() {
    let lines = Clusters.lines("é\r\n\nb\r")
    #expect(lines.map { $0.map(\.text) } == [["é"], [], ["b", "\u{FFFD}"]])
    #expect(lines.map { $0.map(\.offset) } == [[0], [], [4, 5]])
    #expect(Clusters.lines("").map(\.count) == [0])
  }

  @Test("flags in a row are divided in pairs")
  func flags() {
    #expect(Clusters.split("🇩🇪🇫🇷🇮").map(\.text) == ["🇩🇪", "🇫🇷", "🇮"])
  }
}
