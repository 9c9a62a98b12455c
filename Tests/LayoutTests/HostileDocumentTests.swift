import TestSupport
import Testing

@Suite("docs/HOSTILE.md and docs/SECURITY.md")
struct HostileDocumentTests {
  @Test("every test that they name is there", arguments: ["HOSTILE.md", "SECURITY.md"])
  func names(document: String) throws {
    let text = try #require(TestFiles.text(Products.repository + "/docs/\(document)"))
    let words = text.split(separator: "`").filter { $0.contains("Tests/") && !$0.contains(" ") }
    #expect(words.count > 30)
    for word in words {
      #expect(RepositoryFile.test(word) != nil, "\(word)")
    }
  }
}
