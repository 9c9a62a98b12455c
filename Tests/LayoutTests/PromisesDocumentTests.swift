import TestSupport
import Testing

@Suite("docs/PROMISES.md")
struct PromisesDocumentTests {
  @Test("every test that it names is there")
  func names() throws {
    let text = try #require(TestFiles.text(Products.repository + "/docs/PROMISES.md"))
    let words = text.split(separator: "`").filter { $0.contains("Tests/") && $0.contains(".") && !$0.contains(" ") }
    #expect(words.count > 30)
    for word in words {
      let parts = word.split(separator: ".")
      let source = RepositoryFile.test(parts[0])?.text ?? ""
      #expect(parts.count == 2 && source.contains("func \(parts[1])("), "\(word)")
    }
  }
}
