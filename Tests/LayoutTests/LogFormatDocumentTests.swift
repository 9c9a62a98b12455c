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
    let gone = Self.gone(from: text[start..<end], to: Self.rows)
    try #require(gone.isEmpty, "\(gone): older versions read these fields so; see \"Formats\" in that document")
    if unsafe getenv("CONFAB_WRITE_DOCS") != nil { try TestFiles.write(Self.path, Array(made.utf8), mode: 0o644) }
    #expect(TestFiles.text(Self.path) == String(made), "stale: run 'make docs'")
  }

  @Test("cannot be made anew without a field that older versions read, or with another number, name or type of it")
  func ledger() {
    let rows = """
      | 4 | `delivery`: x | 2 `conversation` text: y; 24 `details` fields: z (1 `plain` text, 2 `url` text *(many)*) |
      | 5 | `other`: x | 2 `conversation` text |
      """
    #expect(Self.gone(from: rows[...], to: rows + "\n| 6 | `new`: x | 2 `message` uint |").isEmpty)
    #expect(Self.gone(from: rows[...], to: rows.replacing("`delivery`: x", with: "`delivery`: z")).isEmpty)
    for (old, new) in [
      ("2 `url`", "3 `url`"), ("`plain` text", "`plain` bytes"), (" *(many)*", ""), ("| 5 |", "| 6 |"),
      ("`conversation` text: y; ", ""),
    ] {
      #expect(Self.gone(from: rows[...], to: rows.replacing(old, with: new)).count == 1, "\(old)")
    }
  }

  /// Fields of one table, with their kinds, that another one does not have so.
  private static func gone(from old: Substring, to new: String) -> [String] {
    var present = fields(of: new[...])
    return fields(of: old).filter { field in
      guard let index = present.firstIndex(of: field) else { return true }
      present.remove(at: index)
      return false
    }
  }

  /// `KIND NUMBER name form`, for each field, also those inside of others.
  private static func fields(of table: Substring) -> [String] {
    table.split(separator: "\n").flatMap { row in
      let kind = row.dropFirst(2).prefix { $0 != " " }
      let fields = row.matches(of: /(\d+) `([^`]+)` (uint|int|hash|text|bytes|fields)( \*\(many\)\*)?/)
      return fields.map { "\(kind) \($0.1) \($0.2) \($0.3)\($0.4 ?? "")" }
    }
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
