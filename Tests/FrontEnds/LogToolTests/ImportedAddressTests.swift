import JSON
import LogTool
import Records
import TestSupport
import Testing

/// Addresses in a file that is imported: nobody has prepared them.
@Suite("Addresses in imports")
struct ImportedAddressTests {
  @Test("who wrote and the conversation are one person where only the domain is written in two ways")
  func domainsInTwoWays() throws {
    let (aLabel, uLabel) = ("xn--bcher-kva.example", "bücher.example")
    func line(_ conversation: String, _ from: String) -> String {
      ImportTests.line("").replacing("\"bob@example.org\"", with: "\"bob@\(conversation)\"")
        .replacing("bob@example.org/", with: "bob@\(from)/")
    }
    let lines = [
      line(uLabel, aLabel), line(aLabel, uLabel), line("XN--BCHER-KVA.example", aLabel),
      line(aLabel, aLabel), line(uLabel, "xn--abc-.example"),
    ].enumerated().map { $1.replacing("Grüße", with: "\($0)") }
    let (folder, outcome) = try ImportTests.imported(lines)
    #expect(outcome.output == "4 messages imported, 0 were here already, 1 lines were wrong\n")
    #expect(
      outcome.complaints == "confab log: line 5: 'mine' is false, but 'from' is not the conversation's JID\n")
    let objects = try folder.run("export").lines.map { try JSONParser.parse(Array($0.utf8)) }
    #expect(objects.map { $0["conversation"]?.string } == [uLabel, uLabel, uLabel, aLabel].map { "bob@" + $0 })
    #expect(
      objects.map { $0["from"]?.string } == [uLabel, uLabel, uLabel, aLabel].map { "bob@" + $0 + "/phone" })
  }

  @Test("and so are mine and the account")
  func ownDomainInTwoWays() throws {
    let folder = try ToolFolder()
    try folder.write([.account(AccountRecord(number: 1, name: "home", jid: "ann@bücher.example"))])
    let line = ImportTests.line("").replacing("\"mine\":false", with: "\"mine\":true")
      .replacing("bob@example.org/phone", with: "ann@xn--bcher-kva.example/desk")
    let (_, outcome) = try ImportTests.imported([line], into: folder)
    #expect(outcome.output == "1 messages imported, 0 were here already, 0 lines were wrong\n")
    #expect(folder.run("dump").lines.contains { $0.contains("ann@bücher.example/desk") })
  }

  @Test("addresses are prepared, but for those that a server may have given as they are")
  func addresses() throws {
    let written = [
      ("Bob@Example.ORG.", "bob@example.org"), ("ЖУК@BÜCHER.example", "жук@bücher.example"),
      ("\u{265A}@example.org", "\u{265A}@example.org"), ("x@xn--bcher-kva.example", "x@xn--bcher-kva.example"),
    ]
    let lines = written.map { ImportTests.line("").replacing("bob@example.org", with: $0.0) }
    let control = ImportTests.line("").replacing("/phone", with: #"/a\u0001"#)
    let (folder, outcome) = try ImportTests.imported(lines + [control])
    #expect(outcome.output == "4 messages imported, 0 were here already, 1 lines were wrong\n")
    let objects = try folder.run("export").lines.map { try JSONParser.parse(Array($0.utf8)) }
    #expect(objects.map { $0["conversation"]?.string } == written.map(\.1))
    #expect(objects.map { $0["from"]?.string } == written.map { $0.1 + "/phone" })
  }

  @Test("where nobody can prepare addresses, nothing is taken")
  func noAddresses() throws {
    let folder = try ToolFolder()
    try folder.write([Sample.account])
    try TestFiles.write(folder.path + "/lines", Array(ImportTests.line("").utf8))
    let outcome = folder.run(["import", "--jsonl", folder.path + "/lines"]) { _, _ in .unknown("no program") }
    #expect(outcome.status == 1 && outcome.complaints == "confab log: addresses cannot be prepared: no program\n")
    #expect(outcome.output.isEmpty && folder.run("export").lines.isEmpty)
  }
}
