import LogTool
import MessageLog
import Records
import TestSupport
import Testing

/// A log that release 0.1.0 wrote in format 1.0, by generator and daemon: it is read for ever.
@Suite("a log of format 1.0") struct OldFormatTests {
  private static let file = "00000000000000000001.log"
  private static let source: String = {
    #filePath.split(separator: "/").dropLast(2).map { "/" + $0 }.joined() + "/Support/format-1.0/"
  }()
  private let folder: ToolFolder

  init() throws {
    folder = try ToolFolder()
    // What makes the directory; its segment is then the old one.
    try folder.write([])
    try TestFiles.write(folder.path + "/log/" + Self.file, try #require(TestFiles.read(Self.source + Self.file)))
  }

  private func segment(_ name: String = file) throws -> [UInt8] {
    try #require(TestFiles.read(folder.path + "/log/" + name))
  }

  @Test("every record of it is sound, and its messages are what they were")
  func isRead() throws {
    #expect(folder.run("verify").output == "105 records in 1 segments, the last is 105: sound\n")
    let known = try #require(TestFiles.text(Self.source + "export.jsonl")).split(separator: "\n").map(String.init)
    let lines = folder.run("export").lines
    #expect(lines.filter { $0.contains(#""id":"#) }.map { $0.replacing(#","read":true"#, with: "") } == known)
    let kinds = Set(folder.run("dump").lines.map { $0.split(separator: " ")[1] })
    #expect(kinds.count == 10 && !kinds.contains { $0.hasPrefix("kind-") })
    #expect(
      folder.run("dump", "35").output
        == "35 delivery 1:4161 account=1 conversation=\"friend0@people.example\" time=1451628062703 message=34 state=1\n"
    )
  }

  @Test("a writer goes on behind it in a segment of its own")
  func goesOn() throws {
    let before = try segment()
    try folder.write([Sample.message("in the new format"), Sample.message("and one more")])
    #expect(try segment() == before)
    #expect(folder.run("verify").output == "107 records in 2 segments, the last is 107: sound\n")
    #expect(folder.run("dump", "104-106").lines.map { $0.prefix { $0 != " " } } == ["104", "105", "106"])
    let texts = folder.run("export").lines.filter { $0.contains(#""id":"#) }
    #expect(texts.count == 49 && texts.last?.contains("and one more") == true)
  }

  @Test("what is forgotten is erased in it, and every place stays what it was")
  func scrubbed() throws {
    let before = try segment()
    try folder.write([
      .forgetting(.init(account: 1, jid: "friend0@people.example")),
      .forgetting(.init(account: 1, jid: "friend7@people.example")),
    ])
    let places = folder.run("dump").lines.map { $0.split(separator: " ")[2] }
    #expect(folder.run("scrub").status == 0)
    #expect(folder.run("verify").output.hasSuffix(": sound\n"))
    #expect(folder.run("dump").lines.map { $0.split(separator: " ")[2] } == places)
    #expect(folder.run("dump").lines.count { $0.contains(" erased ") } > 30)
    let after = try segment()
    #expect(after.count == before.count && after != before && Array(after[8..<12]) == [1, 0, 0, 0])
    #expect(after.firstRange(of: Array("friend0@people.example/phone".utf8)) == nil)
  }

  @Test("damage to it is told of as ever, also where its header cannot be read")
  func damaged() throws {
    try folder.write([Sample.message("behind it")])
    try folder.damage(at: 4161 + 20)
    let damage = folder.run("verify")
    #expect(damage.lines.first?.contains("offset 4161, record 35: wrong checksum; 53 bytes passed over") == true)
    try folder.damage(at: 10)
    let outcome = folder.run("verify")
    #expect(outcome.lines.first?.contains("segment header not readable") == true)
    #expect(outcome.lines.last == "105 records in 2 segments, the last is 106: 2 broken places")
  }
}
