import Testing

@testable import ConfabAccounts

@Suite("Names in a text")
struct MentionsTests {
  @Test(
    "name somebody as a word, in capitals or not",
    arguments: [
      "mark", "Mark: hello", "@mark, look", "ask MARK!", "(mark)", "first\nmark", "mark's", "…mark…",
    ])
  func named(text: String) { #expect(Mentions(["mark"]).areIn(text)) }

  @Test(
    "are no names as parts of words or of other nicks, nor in quotations",
    arguments: ["marker", "mark_", "_mark", "mark-up", "bookmark", "mark|away", "> mark said", "mark2", "ümark", ""])
  func others(text: String) { #expect(!Mentions(["mark"]).areIn(text)) }

  @Test("need no spaces in scripts that have none")
  func scripts() {
    #expect(Mentions(["小明"]).areIn("你好小明你在吗"))
    #expect(Mentions(["さくら"]).areIn("今日はさくらさんと"))
    #expect(Mentions(["สมชาย"]).areIn("สวัสดีสมชายครับ"))
    #expect(!Mentions(["марк"]).areIn("маркер"))
  }

  @Test("of nobody are in no text")
  func nobody() { #expect(!Mentions([""]).areIn("any text") && !Mentions([]).areIn("any text")) }
}
