import Testing

@testable import State

@Suite("The recent emoticons")
struct RecentEmoticonsTests {
  @Test("The newest is first, none is there twice, and 60 are kept")
  func order() {
    var recent = RecentEmoticons()
    for number in 0..<100 { recent.use("\(number)") }
    recent.use("50")
    #expect(recent.codes.count == 60)
    #expect(recent.codes.prefix(2) == ["50", "99"])
    #expect(Set(recent.codes).count == 60)
  }
}
