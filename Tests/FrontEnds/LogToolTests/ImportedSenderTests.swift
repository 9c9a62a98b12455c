import JSON
import MessageLog
import Records
import TestSupport
import Testing

/// Who wrote the messages of a file, as `from` and `mine` say it.
@Suite("senders in an import")
struct ImportedSenderTests {
  private static let (own, bob) = ("ann@example.org", "bob@example.org")

  /// Lines of these members, a second apart, imported.
  private func imported(_ lines: [String]) throws -> (ToolFolder, ToolFolder.Outcome) {
    let folder = try ToolFolder()
    try folder.write([Sample.account])
    let whole = lines.enumerated().map { number, members in
      #"{\#(members),"time":"2026-11-20T09:10:\#(10 + number)Z","text":"\#(number)"}"#
    }
    try TestFiles.write(folder.path + "/lines", Array(whole.joined(separator: "\n").utf8))
    return (folder, folder.run("import", "--jsonl", folder.path + "/lines"))
  }

  /// What an export has of each: `mine`, `from` and the conversation.
  private func senders(in folder: ToolFolder) throws -> [[String?]] {
    try folder.run("export").lines.map { line in
      let object = try JSONParser.parse(Array(line.utf8))
      return [object["mine"]?.bool.map { "\($0)" }, object["from"]?.string, object["conversation"]?.string]
    }
  }

  @Test("what 'from' says of an account's own JID is mine, and without it 'mine' says who wrote")
  func whoWrote() throws {
    let (own, bob) = (Self.own, Self.bob)
    let toBob = #""conversation":"bob@example.org""#
    let (folder, outcome) = try imported([
      toBob + #","from":"ann@example.org/z""#, toBob + #","from":"Ann@Example.org""#, toBob + #","mine":true"#,
      toBob + #","mine":true,"from":null,"resource":"r""#, toBob + #","mine":false"#,
      toBob + #","mine":false,"from":"""#, toBob + #","mine":null,"from":"bob@example.org/p""#,
    ])
    #expect(outcome.status == 0 && outcome.complaints.isEmpty)
    #expect(
      try senders(in: folder) == [
        ["true", own + "/z", bob], ["true", own, bob], ["true", own, bob], ["true", own + "/r", bob],
        ["false", bob, bob], ["false", bob, bob], ["false", bob + "/p", bob],
      ])
  }

  @Test("who is neither the account nor the conversation, or not as 'mine' says, makes a line wrong")
  func contradictions() throws {
    let toBob = #""conversation":"bob@example.org""#
    let (folder, outcome) = try imported([
      toBob + #","from":"eve@example.org/q""#, toBob + #","mine":false,"from":"eve@example.org/q""#,
      toBob + #","mine":false,"from":"ann@example.org/z""#, toBob, toBob + #","mine":null,"from":null"#,
      toBob + #","mine":"yes""#, #""conversation":null,"mine":true"#, toBob + #","mine":true"#,
    ])
    #expect(outcome.output == "1 messages imported, 0 were here already, 7 lines were wrong\n")
    let theirs = "'mine' is false, but 'from' is not the conversation's JID"
    let reasons = [
      theirs, theirs, theirs, "'from' is missing", "'from' is missing", "'mine' is neither true nor false",
      "'conversation' is missing",
    ]
    #expect(
      outcome.complaints.split(separator: "\n").map(String.init)
        == reasons.enumerated().map { "confab log: line \($0 + 1): \($1)" })
    #expect(try senders(in: folder) == [["true", Self.own, Self.bob]])
  }

  @Test("in a conversation with oneself 'mine' tells, and without it it is mine")
  func notesToSelf() throws {
    let toMe = #""conversation":"ann@example.org","from":"ann@example.org/z""#
    let (folder, outcome) = try imported([toMe, toMe + #","mine":true"#, toMe + #","mine":false"#])
    #expect(outcome.status == 0)
    #expect(
      try senders(in: folder)
        == ["true", "true", "false"].map { [$0, Self.own + "/z", Self.own] })
    let before = folder.run("export").output
    try TestFiles.write(folder.path + "/lines", Array(before.utf8))
    let again = folder.run("import", "--jsonl", folder.path + "/lines")
    #expect(again.output == "0 messages imported, 3 were here already, 0 lines were wrong\n")
    #expect(folder.run("export").output == before)
  }

  @Test("messages of an account whose JID was changed come back as that one's")
  func changedJID() throws {
    let accounts = [Sample.account, .account(AccountRecord(number: 2, name: "home", jid: "ann@new.example"))]
    var mine = MessageRecord(
      account: 1, jid: Self.bob, peer: Self.own + "/one", time: Sample.time, text: "from the old one")
    mine.author = .otherDevice
    var now = mine
    (now.account, now.peer, now.text) = (2, "ann@new.example/one", "from the new one")
    let (source, target) = (try ToolFolder(), try ToolFolder())
    try source.write(accounts + [.message(mine), .message(now), Sample.message("to the old one")])
    try target.write(accounts)
    let before = source.run("export").output
    #expect(
      try before.split(separator: "\n").map { try JSONParser.parse(Array($0.utf8))["account"]?.string }
        == [Self.own, "home", Self.own])
    for folder in [source, target] {
      try TestFiles.write(folder.path + "/lines", Array(before.utf8))
      #expect(folder.run("import", "--jsonl", folder.path + "/lines").status == 0)
      #expect(folder.run("export").output.replacing(#","read":true"#, with: "") == before)
    }
  }

  @Test("a member that is null is none, wherever there may be none")
  func nulls() throws {
    let optional = [
      "account", "resource", "origin_id", "stanza_id", "archive_id", "depth", "subject", "thread", "lang", "delayed",
      "claimed_time", "type", "key", "in_doubt", "state", "failure",
    ].map { #","\#($0)":null"# }.joined()
    let toBob = #""conversation":"bob@example.org","mine":true"#
    let (folder, outcome) = try imported([
      toBob + optional, toBob, toBob + #","state":"failed","failure":{"condition":"gone","text":null}"#,
    ])
    #expect(outcome.status == 0 && outcome.complaints.isEmpty)
    let lines = folder.run("export").lines
    #expect(try JSONParser.parse(Array((lines.first ?? "").utf8))["state"]?.string == "sent")
    #expect(lines.first?.contains("null") == false && lines.last?.contains(#"{"condition":"gone"}"#) == true)
  }
}
