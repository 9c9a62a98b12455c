import TestSupport
import Testing

@Suite("docs/HOSTILE.md")
struct HostileDocumentTests {
  @Test("every test that it names is there")
  func names() throws {
    let text = try #require(TestFiles.text(Products.repository + "/docs/HOSTILE.md"))
    let words = text.split(separator: "`").filter { $0.contains("Tests/") && !$0.contains(" ") }
    #expect(words.count > 30)
    for word in words {
      #expect(TestFiles.text(Products.repository + "/Tests/\(word).swift") != nil, "\(word)")
    }
  }
}
