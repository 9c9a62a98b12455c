import Glibc
import Records
import TestSupport
import Testing

/// The kinds of records in docs/LOG-FORMAT.md are made from their table; `CONFAB_WRITE_DOCS=1` (`make docs`) writes them
/// instead of comparing.
@Suite("The kinds of records in docs/LOG-FORMAT.md")
struct LogFormatDocumentTests {
  private static let path = Products.repository + "/docs/LOG-FORMAT.md"
  private static let head = "| kind | record | fields |\n| --- | --- | --- |\n"

  @Test("are what the table makes")
  func isFresh() throws {
    let text = try #require(TestFiles.text(Self.path))
    let start = try #require(text.firstRange(of: Self.head)).upperBound
    let end = try #require(text[start...].firstRange(of: "\n\n")).lowerBound
    let made = text[..<start] + Self.rows + text[end...]
    if unsafe getenv("CONFAB_WRITE_DOCS") != nil { try TestFiles.write(Self.path, Array(made.utf8), mode: 0o644) }
    #expect(TestFiles.text(Self.path) == String(made), "stale: run 'make docs'")
  }

  @Test("have fields of one number and one name each", arguments: RecordKind.allCases)
  func names(kind: RecordKind) {
    let fields = kind.row.fields
    #expect(Set(fields.map(\.number)).count == fields.count && Set(fields.map(\.name)).count == fields.count)
  }

  private static var rows: String {
    RecordKind.allCases.map { kind in
      let row = kind.row
      // Said once, before the table.
      let fields = row.fields.filter { $0.name != "account" || !$0.meaning.isEmpty }
      let text = fields.sorted { $0.number < $1.number }.description
      return "| \(kind.rawValue) | `\(row.name)`: \(row.title) | \(text) |"
    }.joined(separator: "\n")
  }
}
