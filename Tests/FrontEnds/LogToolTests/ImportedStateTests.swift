import JSON
import MessageLog
import Records
import TestSupport
import Testing

/// How far messages of mine got, as files say one after the other.
@Suite("states in an import")
struct ImportedStateTests {
  /// One message of mine, as it was at several times.
  private static func lines(_ states: [String], _ members: String = "") -> String {
    states.map { state in
      #"{"conversation":"bob@example.org","from":"ann@example.org/one","mine":true,"#
        + #""time":"2026-11-20T09:10:00.123Z","text":"hello","origin_id":"o1","state":"\#(state)"\#(members)}"#
    }.joined(separator: "\n")
  }

  private static let message: MessageRecord = {
    var message = MessageRecord(
      account: 1, jid: "bob@example.org", peer: "ann@example.org/one", time: Sample.time, text: "hello",
      stanzaID: "o1")
    message.author = .otherDevice
    return message
  }()

  private func folder(_ records: Record...) throws -> ToolFolder {
    let folder = try ToolFolder()
    try folder.write([Sample.account] + records)
    return folder
  }

  private func take(_ states: String..., into folder: ToolFolder, _ members: String = "") throws {
    try TestFiles.write(folder.path + "/lines", Array(Self.lines(states, members).utf8))
    #expect(folder.run("import", "--jsonl", folder.path + "/lines").status == 0)
  }

  /// How many records of states there are.
  private func count(in folder: ToolFolder) -> Int {
    folder.run("dump").lines.filter { $0.contains(" delivery ") }.count
  }

  /// The states of all messages that an export has, with the words of failures.
  private func states(in folder: ToolFolder) throws -> [String?] {
    try folder.run("export").lines.map { line in
      let object = try JSONParser.parse(Array(line.utf8))
      return object["failure"]?["text"]?.string ?? object["state"]?.string
    }
  }

  @Test("what a later line says is added as if it were in a later file, and the same file again adds nothing")
  func laterLines() throws {
    for isThere in [false, true] {
      let folder = try isThere ? folder(.message(Self.message)) : folder()
      for _ in 0..<2 {
        try take("sent", "delivered", "displayed", "delivered", into: folder)
        #expect(try states(in: folder) == ["delivered"])
        #expect(count(in: folder) == 1)
      }
      #expect(folder.run("verify").status == 0)
    }
  }

  @Test("a failure that a later line says is added with its words, and stays")
  func failure() throws {
    let folder = try folder()
    try take("sent", "failed", "failed", into: folder, #","failure":{"condition":"gone","text":"nobody"}"#)
    try take("displayed", into: folder)
    #expect(try states(in: folder) == ["nobody"] && count(in: folder) == 1)
  }

  @Test("what was sent does not fail where an older export has it in the queue", arguments: [true, false])
  func olderExport(isOneFile: Bool) throws {
    let folder = try folder()
    if isOneFile { try take("sent", "queued", into: folder) }
    try take("sent", into: folder)
    try take("queued", into: folder)
    #expect(try states(in: folder) == ["sent"] && count(in: folder) == 0)
  }

  @Test("what was queued has failed until a later export knows better", arguments: ["sent", "delivered", "displayed"])
  func corrected(state: String) throws {
    for isOneFile in [false, true] {
      let folder = try folder()
      if !isOneFile {
        try take("queued", into: folder)
        #expect(try states(in: folder) == [Failure.madeUp.text])
      }
      for _ in 0..<2 {
        try take("queued", state, "queued", into: folder)
        #expect(try states(in: folder) == [state] && count(in: folder) == 2)
      }
      #expect(folder.run("verify").status == 0)
    }
  }

  @Test("also where it went through another log, and to a failure that somebody said, which stays")
  func correctedByFailure() throws {
    let (first, second) = (try folder(), try folder())
    try take("queued", into: first)
    try TestFiles.write(second.path + "/lines", Array(first.run("export").output.utf8))
    #expect(second.run("import", "--jsonl", second.path + "/lines").status == 0)
    try take("failed", into: second, #","failure":{"condition":"gone","text":"nobody"}"#)
    for state in ["sent", "delivered", "queued"] { try take(state, into: second) }
    #expect(try states(in: second) == ["nobody"] && count(in: second) == 2)
  }

  @Test("what was in doubt may have arrived")
  func inDoubt() throws {
    let folder = try folder()
    for _ in 0..<2 { try take("sent", into: folder, #","in_doubt":true"#) }
    #expect(try states(in: folder) == ["sent"] && count(in: folder) == 1)
    try take("delivered", into: folder)
    #expect(try states(in: folder) == ["delivered"] && count(in: folder) == 2)
  }

  @Test("what was queued fails also where an import was cut off between it and that")
  func cutOff() throws {
    let folder = try folder(.message(Self.message))
    try take("queued", into: folder)
    #expect(try states(in: folder) == ["it had not been sent when it was exported"])
  }
}
