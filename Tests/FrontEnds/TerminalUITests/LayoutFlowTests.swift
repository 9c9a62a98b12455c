import Screen
import Testing

@testable import TerminalUI

struct LayoutFlowTests {
  /// A text, a width, and the lines that come of it.
  struct FlowRow: CustomTestStringConvertible {
    let text: String
    let width: Int
    let lines: [String]

    init(_ text: String, _ width: Int, _ lines: [String]) { (self.text, self.width, self.lines) = (text, width, lines) }

    var testDescription: String { text }
  }

  static let words: [FlowRow] = [
    FlowRow("", 10, [""]),
    FlowRow("one two three", 20, ["one two three"]),
    FlowRow("one two three", 8, ["one two", "three"]),
    FlowRow("one two three", 7, ["one two", "three"]),
    FlowRow("one two three", 6, ["one", "two", "three"]),
    FlowRow("one  two", 4, ["one", "two"]),
    FlowRow("one     two", 6, ["one", "two"]),
    FlowRow("well-known", 6, ["well-", "known"]),
    FlowRow("unbreakable", 4, ["unbr", "eaka", "ble"]),
    FlowRow("a unbreakable", 5, ["a", "unbre", "akabl", "e"]),
    FlowRow("one\ntwo\n\nthree\n", 10, ["one", "two", "", "three"]),
    FlowRow("\n\n", 10, [""]),
    FlowRow("\none", 10, ["", "one"]),
    FlowRow("one\r\ntwo", 10, ["one", "two"]),
    FlowRow("  if x {\n    y()\n  }", 20, ["  if x {", "    y()", "  }"]),
    FlowRow("    indented words here", 12, ["    indented", "words here"]),
    FlowRow("    unbreakable", 8, ["    unbr", "eakable"]),
    FlowRow("\tx", 8, ["    x"]),
    FlowRow("trailing   ", 8, ["trailing"]),
    FlowRow("          ", 4, ["", "", ""]),
    FlowRow("price 5\u{A0}€ only", 9, ["price 5\u{A0}€", "only"]),
    FlowRow("https://example.org/a/long/path", 12, ["https://", "example.org/", "a/long/path"]),
    FlowRow("abc", 1, ["a", "b", "c"]),
  ]

  static let samples: [FlowRow] = [
    // CJK: between any two letters, but no comma begins a line.
    FlowRow("你好世界", 4, ["你好", "世界"]),
    FlowRow("你好世界", 5, ["你好", "世界"]),
    FlowRow("你好，世界", 4, ["你", "好，", "世界"]),
    FlowRow("日本語のテキスト", 8, ["日本語の", "テキスト"]),
    FlowRow("안녕하세요 세계", 10, ["안녕하세요", "세계"]),
    FlowRow("a漢b", 2, ["a", "漢", "b"]),
    FlowRow("漢字", 1, ["?", "?"]),
    // Marks stay with their letter.
    FlowRow("e\u{301}e\u{301}e\u{301}", 2, ["e\u{301}e\u{301}", "e\u{301}"]),
    FlowRow("नमस्ते दुनिया", 7, ["नमस्ते", "दुनिया"]),
    // Thai has no spaces; without a dictionary a line ends behind any cluster.
    FlowRow("สวัสดี", 3, ["สวัส", "ดี"]),
    // Emoji stay whole.
    FlowRow("👩‍🚀👩‍🚀👩‍🚀", 4, ["👩‍🚀👩‍🚀", "👩‍🚀"]),
    FlowRow("🇩🇪🇫🇷", 3, ["🇩🇪", "🇫🇷"]),
    FlowRow("👍🏽 ok", 2, ["👍🏽", "ok"]),
    FlowRow("Привет, мир", 8, ["Привет,", "мир"]),
    FlowRow("Γειά σου", 5, ["Γειά", "σου"]),
  ]

  /// As they stand from left to right.
  static let fromRight: [FlowRow] = [
    FlowRow("שלום עולם", 20, ["םלוע םולש"]),
    FlowRow("שלום עולם", 5, ["םולש", "םלוע"]),
    FlowRow("say שלום now", 20, ["say םולש now"]),
    FlowRow("אבג 123 דהו!", 20, ["!והד 123 גבא"]),
    FlowRow("אבג (דהו)", 20, ["(והד) גבא"]),
    FlowRow("אבג\nabc", 20, ["גבא", "abc"]),
  ]

  @Test("lines from right to left stand as they are read", arguments: fromRight)
  func rightToLeft(row: FlowRow) {
    #expect(flow(row.text, row.width).plain == row.lines)
  }

  @Test("a paragraph whose first letter is from right to left belongs to the right edge")
  func alignment() {
    #expect(flow("אבג\nabc", 20).lines.map(\.isRightToLeft) == [true, false])
    let context = LayoutSupport.context(60)
    let lines = MessageLayout.layOut(
      LayoutSupport.message("a long line of English words\nשלום עולם"), MessageFlags(showsName: false),
      date: LayoutSupport.date, in: context)
    #expect(
      lines.map(\.plain) == [
        "  a long line of English words", "                     םלוע םולש", "                         14:05",
      ])
  }

  @Test("a name that is cut has its mark where it goes on")
  func cutNames() {
    let context = LayoutSupport.context(80)
    func name(_ text: String) -> String { OneLine(text, width: 4, in: context).glyphs.map(\.glyph.text).joined() }
    #expect(name("Robert") == "Rob…")
    #expect(name("אבגדה") == "…גבא")
    #expect(name("漢字漢字") == "漢…")
    #expect(name("a b c d") == "a b…")
  }

  private func flow(_ text: String, _ width: Int, limit: Int = .max, spans: [TextSpan] = []) -> TextFlow {
    TextFlow(text, spans: spans, width: width, limit: limit, in: LayoutSupport.context(80))
  }

  @Test("words fill lines, spaces hang, indentation stays", arguments: words)
  func latin(row: FlowRow) {
    #expect(flow(row.text, row.width).plain == row.lines)
  }

  @Test("each script breaks where it may, and clusters stay whole", arguments: samples)
  func scripts(row: FlowRow) {
    #expect(flow(row.text, row.width).plain == row.lines)
  }

  @Test("the first line leaves out what is taken")
  func firstIndent() {
    let context = LayoutSupport.context(80)
    #expect(TextFlow("one two three", width: 9, firstIndent: 5, in: context).plain == ["one", "two three"])
    #expect(TextFlow("longword two", width: 9, firstIndent: 5, in: context).plain == ["", "longword", "two"])
    #expect(TextFlow("x", width: 5, firstIndent: 50, in: context).plain == ["", "x"])
  }

  @Test("lines behind the limit are counted")
  func folded() {
    let text = (1...1000).map { "line \($0)" }.joined(separator: "\n")
    let flow = flow(text, 20, limit: 40)
    #expect(flow.lines.count == 40)
    #expect(flow.hiddenCount == 960)
  }

  @Test("of a text that is far longer than what is shown, the rest is estimated")
  func estimated() {
    let short = flow(String(repeating: "word ", count: 100), 10, limit: 20)
    #expect(short.hiddenCount == 30)
    #expect(!short.isEstimated)
    let long = flow(String(repeating: "word ", count: 12_000), 10, limit: 20)
    #expect(long.lines.count == 20)
    #expect((5500...6500).contains(long.hiddenCount))
    #expect(long.isEstimated)
    let lines = flow(String(repeating: "x\n", count: 30_000), 10, limit: 20)
    #expect((29_900...30_000).contains(lines.hiddenCount))
  }

  @Test("spans mark the clusters that they touch")
  func spans() {
    // The second span begins within a cluster, and is on another line.
    let spans = [TextSpan(0..<3, .link), TextSpan(6..<7, .hit)]
    let flow = flow("one\ne\u{301}e\u{301}x", 20, spans: spans)
    #expect(flow.lines[0].glyphs.map(\.part) == [.link, .link, .link])
    #expect(flow.lines[1].glyphs.map(\.part) == [nil, .hit, nil])
  }
}

extension TextFlow {
  /// The lines as text, from left to right.
  var plain: [String] { lines.map { $0.glyphs.map(\.glyph.text).joined() } }
}
