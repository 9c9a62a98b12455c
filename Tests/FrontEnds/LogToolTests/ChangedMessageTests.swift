import JSON
import LogTool
import Records
import TestSupport
import Testing

/// Messages that were changed, in a log that no daemon has.
@Suite("confab log and changed messages")
struct ChangedMessageTests {
  /// A change of the message with a number.
  private func change(
    of id: UInt64, _ text: String, after seconds: Int64 = 0, _ body: (inout MessageChange) -> Void
  ) -> Record {
    guard case .message(var message) = Sample.message(text, after: seconds) else { return Sample.account }
    var (details, change) = (MessageDetails(), MessageChange(.edit))
    body(&change)
    details.change = change
    (message.target, message.details) = (id, details)
    return .change(message)
  }

  private func folder() throws -> ToolFolder {
    let folder = try ToolFolder()
    try folder.write([
      Sample.account, Sample.message("helo", after: 0), Sample.message("secret", after: 1),
      change(of: 2, "hello") {
        ($0.edited, $0.earlier) = (Sample.time + 5, 2)
        $0.texts = [.init(time: Sample.time + 3, text: "hullo")]
        $0.reactions = [.init(from: "bob@example.org", time: 1), .init(from: "ann@example.org", time: 2)]
        ($0.reactions[0].emoji, $0.reactions[1].emoji, $0.reactions[1].isMine) = (["👍"], ["👍", "🐢"], true)
      },
      change(of: 3, "", after: 1) {
        ($0.kind, $0.retraction) = (.retraction, .init(time: Sample.time + 6, by: "bob@example.org"))
      },
    ])
    return folder
  }

  @Test("export prints each message once, as it stands, and import takes all of it")
  func export() throws {
    let folder = try folder()
    let lines = folder.run("export").lines
    #expect(lines.count == 2)
    let first = try JSONParser.parse(Array(try #require(lines.first).utf8))
    #expect(first["text"]?.string == "hello" && first["edited"]?.string == "2026-11-20T09:10:00.128Z")
    #expect(first["reactions"]?.array?.count == 2 && first["id"]?.integer == 2)
    #expect(lines.last?.contains(#""retracted":{"time":"2026-11-20T09:10:00.129Z","by":"bob@example.org"}"#) == true)
    let versions = first["versions"]?.array ?? []
    #expect(versions.compactMap { $0["text"]?.string } == ["helo", "hullo"])
    #expect(versions.last?["time"]?.string == "2026-11-20T09:10:00.126Z")
    #expect(!lines.joined().contains("secret"))
    let target = try ToolFolder()
    try target.write([Sample.account])
    try TestFiles.write(target.path + "/lines", Array(lines.joined(separator: "\n").utf8))
    #expect(target.run("import", "--jsonl", target.path + "/lines").status == 0)
    let again = target.run("export").lines
    #expect(again.map(Self.withoutIDs) == lines.map(Self.withoutIDs))
    #expect(folder.run("import", "--jsonl", target.path + "/lines").status == 0)
    #expect(folder.run("export").lines == lines)
  }

  @Test("export says of a message that it is unstyled, and import takes it")
  func unstyled() throws {
    let (source, target) = (try ToolFolder(), try ToolFolder())
    var sample: MessageRecord?
    if case .message(let message) = Sample.message("> _ <", after: 0) { sample = message }
    var message = try #require(sample)
    message.isUnstyled = true
    try source.write([Sample.account, .message(message), Sample.message("> _ <", after: 1)])
    let lines = source.run("export").lines
    #expect(lines.map { $0.contains(#""unstyled":true"#) } == [true, false])
    try target.write([Sample.account])
    try TestFiles.write(target.path + "/lines", Array(lines.joined(separator: "\n").utf8))
    #expect(target.run("import", "--jsonl", target.path + "/lines").status == 0)
    #expect(target.run("export").lines.map(Self.withoutIDs) == lines.map(Self.withoutIDs))
  }

  @Test("A file that is older than a change makes no double, and brings no retracted text back")
  func olderFile() throws {
    let folder = try ToolFolder()
    try folder.write([Sample.account, Sample.message("helo", after: 0), Sample.message("secret", after: 1)])
    let lines = folder.run("export").lines
    try TestFiles.write(folder.path + "/lines", Array(lines.joined(separator: "\n").utf8))
    try folder.write([
      change(of: 2, "hello") {
        ($0.edited, $0.earlier, $0.previous) = (Sample.time + 5, 2, 2)
      },
      change(of: 3, "", after: 1) {
        ($0.kind, $0.previous) = (.retraction, 3)
        $0.retraction = .init(time: Sample.time + 6, by: "bob@example.org")
      },
    ])
    let present = folder.run("export").lines
    #expect(folder.run("import", "--jsonl", folder.path + "/lines").status == 0)
    #expect(folder.run("export").lines == present && present.count == 2)
  }

  @Test("What waits for its message still waits after an import")
  func waiting() throws {
    let folder = try ToolFolder()
    guard case .message(var correction) = Sample.message("hello", after: 0) else { return }
    var details = MessageDetails()
    details.replaces = "absent"
    correction.details = details
    var retraction = PayloadRecord(account: 1, time: Sample.time, xml: Array("<message/>".utf8))
    (retraction.waitsFor, retraction.depth) = (1 << 63, 3)
    try folder.write([Sample.account, .message(correction), .payload(retraction)])
    let lines = folder.run("export").lines
    #expect(lines.contains { $0.contains(#""replaces":"absent""#) })
    #expect(lines.contains { $0.contains(#""waits_for":"9223372036854775808","depth":3"#) })
    let target = try ToolFolder()
    try target.write([Sample.account])
    try TestFiles.write(target.path + "/lines", Array(lines.joined(separator: "\n").utf8))
    #expect(target.run("import", "--jsonl", target.path + "/lines").status == 0)
    #expect(target.run("export").lines.map(Self.withoutIDs) == lines.map(Self.withoutIDs))
  }

  private static func withoutIDs(_ line: String) -> [JSONMember] {
    ((try? JSONParser.parse(Array(line.utf8)))?.members ?? []).filter { $0.name != "id" && $0.name != "section" }
  }

  @Test("The text for people has the newest text, and none of what was retracted")
  func text() throws {
    let text = try folder().run("export", "--text").output
    #expect(text.contains("> hello\n") && text.contains("> (retracted)\n"))
    #expect(!text.contains("secret") && !text.contains("> helo\n"))
  }

  @Test("dump shows what stood there, and scrub erases it")
  func erasing() throws {
    let folder = try folder()
    #expect(folder.run("dump").output.contains("secret"))
    #expect(folder.run("dump").lines.count { $0.contains(" change ") && $0.contains("target=") } == 2)
    try folder.write([.forgetting(.init(account: 1, jid: "bob@example.org"))])
    #expect(folder.run("scrub").status == 0)
    for text in ["helo", "hello", "secret", "👍"] { #expect(!folder.run("dump").output.contains(text)) }
    #expect(folder.run("verify").status == 0)
  }
}
