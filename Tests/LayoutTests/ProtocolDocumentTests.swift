import Glibc
import LineProtocol
import TestSupport
import Testing

/// The reference is made from the tables; `CONFAB_WRITE_DOCS=1` (`make docs`) writes it instead of comparing.
@Suite("docs/PROTOCOL.md")
struct ProtocolDocumentTests {
  private static let path = Products.repository + "/docs/PROTOCOL.md"

  @Test("is what the tables make")
  func isFresh() throws {
    let made = ProtocolReference.markdown()
    if unsafe getenv("CONFAB_WRITE_DOCS") != nil { try TestFiles.write(Self.path, Array(made.utf8), mode: 0o644) }
    #expect(TestFiles.text(Self.path) == made, "stale: run 'make docs'")
  }

  @Test("names every verb, option, code and event")
  func isWhole() {
    let text = ProtocolReference.markdown()
    for verb in Verb.allCases { #expect(text.contains("\n### \(verb.rawValue)\n")) }
    for option in VerbTable.rows.flatMap(\.options) { #expect(text.contains("| `\(option.name.rawValue)` |")) }
    for code in ErrorCode.allCases { #expect(text.contains("| `\(code.rawValue)` |")) }
    for event in EventKind.allCases { #expect(text.contains("| `\(event.rawValue)` |")) }
  }
}
