import Glibc
import Manuals
import TestSupport
import Testing

/// What is made from the tables; `CONFAB_WRITE_DOCS=1` (`make docs`) writes it instead of comparing.
@Suite("Manual pages, completions and the example of a configuration")
struct FreshnessDocumentTests {
  @Test("are what the tables make", arguments: Manuals.documents.map(\.path))
  func isFresh(path: String) throws {
    let document = try #require(Manuals.documents.first { $0.path == path })
    let file = Products.repository + "/" + path
    if unsafe getenv("CONFAB_WRITE_DOCS") != nil { try TestFiles.write(file, Array(document.text.utf8), mode: 0o644) }
    #expect(TestFiles.text(file) == document.text, "stale: run 'make docs'")
  }

  @Test("KEYS begins with the ten keys of every day")
  func everyDay() throws {
    let keys = try #require(Manuals.documents.first { $0.path == "docs/KEYS.md" }).text
    let lines = keys.split(separator: "\n").drop { !$0.hasPrefix("|") }
    let first = lines.prefix { $0.hasPrefix("|") }
    #expect(first.count == 12 && first.contains { $0.contains("`Ctrl-Q`") } && first.contains { $0.contains("Sends") })
  }
}
