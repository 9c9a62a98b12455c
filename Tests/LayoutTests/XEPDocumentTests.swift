import Glibc
import TestSupport
import Testing
import XMPPExtensions

/// The list of extensions is made from their table; `CONFAB_WRITE_DOCS=1` (`make docs`) writes it instead of comparing.
@Suite("docs/XEPS.md and docs/confab.doap")
struct XEPDocumentTests {
  enum Document: String, CaseIterable {
    case list = "docs/XEPS.md"
    case project = "docs/confab.doap"

    var text: String { self == .list ? XEPDocumentTests.markdown() : ProjectDescription.text }
  }

  @Test("is what the table makes", arguments: Document.allCases)
  func isFresh(document: Document) throws {
    let (path, made) = (Products.repository + "/" + document.rawValue, document.text)
    if unsafe getenv("CONFAB_WRITE_DOCS") != nil { try TestFiles.write(path, Array(made.utf8), mode: 0o644) }
    #expect(TestFiles.text(path) == made, "stale: run 'make docs'")
  }

  @Test("The compliance suites hold but for rooms and files")
  func suites() {
    for line in ComplianceSuite.core + ComplianceSuite.instantMessaging {
      if let missing = line.missing {
        #expect(["rooms", "files"].contains { missing.contains($0) }, "\(line.feature)")
      } else {
        #expect(line.isInTable, "\(line.feature)")
      }
    }
  }

  @Test("every row has a source file and a test file of its own", arguments: Registry.rows.map(\.file))
  func files(file: String) {
    #expect(TestFiles.exists(Products.repository + "/Sources/XMPP/XMPPExtensions/\(file).swift"))
    #expect(TestFiles.exists(Products.repository + "/Tests/XMPP/XMPPExtensionsTests/\(file)Tests.swift"))
  }

  @Test("every source file of an extension has its row, and its number")
  func rows() {
    let folder = Products.repository + "/Sources/XMPP/XMPPExtensions"
    let files = TestFiles.names(in: folder).filter { $0.hasPrefix("XEP") }
    #expect(Set(files) == Set(Registry.rows.map { "\($0.file).swift" }))
    #expect(Set(Registry.rows.map(\.file)).count == Registry.rows.count)
    for row in Registry.rows { #expect(row.file.hasPrefix("XEP\(Self.number(row))")) }
  }

  fileprivate static func markdown() -> String {
    let lines = Registry.rows.map { row in
      let features = row.features.map { "`\($0)`" }.joined(separator: ", ")
      let link = "[XEP-\(number(row))](https://xmpp.org/extensions/xep-\(number(row)).html)"
      return "| \(link) | \(row.name) | \(row.version) | \(row.scope) | \(features) |"
    }
    return """
      # Extensions of XMPP

      Made from the table in `Sources/XMPP/XMPPExtensions/Registry.swift` by `make docs`; do not edit. What is announced to
      others (XEP-0030) and hashed into presence (XEP-0115) comes from the same table.

      | XEP | Title | Version | What there is | Announced as |
      | --- | --- | --- | --- | --- |
      \(lines.joined(separator: "\n"))

      Below them: RFC 6120 (core), RFC 6121 (contacts, presence, messages), RFC 7590 (TLS), RFC 7622 (addresses, laxer:
      see `Sources/XMPP/XMPPCore/JID.swift`), RFC 5802, 7677, 5929 and 9266 with XEP-0440 1.0.0 and XEP-0474 0.5.0 (logins: see
      `Sources/XMPP/SASL`).

      \(ComplianceSuite.markdown)

      """
  }

  private static func number(_ row: Registry.Row) -> String { digits(row.number) }

  /// A number as the addresses of extensions have it.
  static func digits(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }
}
