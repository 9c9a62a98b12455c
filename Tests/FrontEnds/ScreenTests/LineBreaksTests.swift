import Testing

@testable import Screen

@Suite("Where lines may end")
struct LineBreaksTests {
  @Test(
    "a line may begin behind each bar",
    arguments: [
      "two |words", "中|文|字。", "a-|b", "https://|example.org/|a/|b?|c=d", "สวัสดีครับ |ไทย", "👩\u{200D}🚀|👍🏽|😀", "a\u{A0}b",
      "«mot» |«mot»", "x |= |1.5", "日|本|（に|ほ|ん）", "אבג |דה", "", "100 |%", "e.g. |this, |that", "文,|文",
    ])
  func places(marked: String) {
    let text = marked.filter { $0 != "|" }
    let glyphs = Clusters.split(text)
    var shown = ""
    for (glyph, mayBegin) in zip(glyphs, LineBreaks.opportunities(in: glyphs)) {
      if mayBegin { shown += "|" }
      shown += glyph.text
    }
    #expect(shown == marked)
  }
}
