import Records
import TestSupport
import Testing

/// Files, earlier texts and retractions after an import.
@Suite("content in export and import")
struct ImportedContentTests {
  private static let line =
    #"{"conversation":"bob@example.org","from":"bob@example.org/phone","mine":false,"#
    + #""time":"2026-11-20T09:10:00.123Z","stanza_id":"i1""#

  private func folder(importing lines: String) throws -> (ToolFolder, ToolFolder.Outcome) {
    let folder = try ToolFolder()
    try folder.write([Sample.account])
    try TestFiles.write(folder.path + "/lines", Array(lines.utf8))
    return (folder, folder.run("import", "--jsonl", folder.path + "/lines"))
  }

  private func messages(in folder: ToolFolder) throws -> [MessageRecord] {
    var messages: [MessageRecord] = []
    try folder.read { _, record in if case .message(let message) = record { messages.append(message) } }
    return messages
  }

  @Test("A file keeps its hashes, also inside of a forwarded message")
  func hashes() throws {
    let source = try ToolFolder()
    guard case .message(var message) = Sample.message("") else { return }
    var (details, bare, file) = (MessageDetails(), Attachment(), Attachment())
    (bare.url, file.url) = ("https://example.org/a", "https://example.org/b")
    file.hashes = [.init(function: "sha-256", value: [1, 2, 3]), .init(function: "sha-512", value: [4])]
    details.attachments = [bare, file]
    var inside = ForwardedText()
    (inside.from, inside.attachments) = ("carol@example.org/x", [file, bare])
    details.forwarded = [ForwardedText(), inside]
    message.details = details
    try source.write([Sample.account, .message(message)])
    let (target, _) = try folder(importing: source.run("export").output)
    let found = try messages(in: target).first?.details
    #expect(found?.attachments == [bare, file] && found?.forwarded == [ForwardedText(), inside])
  }

  @Test(
    "A hash that belongs to no file, or is none, is wrong",
    arguments: [#"1,"value":"AQID""#, #"0,"value":"?""#, #"0,"forwarded":0,"value":"AQID""#])
  func wrongHashes(hash: String) throws {
    let (_, outcome) = try folder(
      importing: Self.line + #","text":"","attachments":[{"url":"https://example.org/a"}],"#
        + #""hashes":[{"function":"sha-256","attachment":\#(hash)}]}"#)
    #expect(outcome.status == 1 && outcome.complaints.contains("'hashes' needs"))
  }

  @Test(
    "How a message was encrypted, or why it cannot be read, is as it was",
    arguments: [
      #""encrypted":{"scheme":"omemo","version":"0.3","device":27183,"fingerprint":"\#(String(repeating: "ab", count: 32))","#
        + #""trust":"verified","skipped":["bob@example.org/5"]}"#,
      #""encrypted":{"scheme":"omemo","error":"not-for-this-device"}"#, #""unencrypted":true"#,
    ])
  func encryption(member: String) throws {
    let (source, outcome) = try folder(importing: Self.line + #","text":"a",\#(member)}"#)
    #expect(outcome.status == 0, "\(outcome.complaints)")
    #expect(source.run("export").output.contains(member))
    var noted: [EncryptionRecord] = []
    try source.read { _, record in if case .encryption(let record) = record { noted.append(record) } }
    #expect(noted.map(\.isEncrypted) == (member.contains("unencrypted") ? [] : [true]))
  }

  @Test(
    "An encryption by no device, or by a key of another length, is wrong",
    arguments: [
      #""device":0,"fingerprint":"\#(String(repeating: "ab", count: 32))""#,
      #""device":2147483648,"fingerprint":"\#(String(repeating: "ab", count: 32))""#,
      #""device":7,"fingerprint":"abab""#, #""device":7"#, #""device":7,"fingerprint":7"#,
    ])
  func wrongEncryption(members: String) throws {
    let (_, outcome) = try folder(
      importing: Self.line + #","text":"a","encrypted":{"scheme":"omemo","version":"2",\#(members)}}"#)
    #expect(outcome.status == 1 && outcome.complaints.contains("'encrypted"))
  }

  @Test("Nothing of a retracted message's content is taken")
  func retracted() throws {
    let (folder, _) = try folder(
      importing: Self.line + #","text":"secret","subject":"secret","payloads":"<x>secret</x>","plain":"secret","#
        + #""versions":[{"text":"secret"}],"edited":"2026-11-20T09:10:01Z","#
        + #""retracted":{"time":"2026-11-20T09:10:02Z","by":"bob@example.org"}}"#)
    #expect(!folder.run("dump").output.contains("secret"))
    #expect(folder.run("export").output.contains(#""retracted":{"time":"2026-11-20T09:10:02.000Z""#))
    let again = folder.run("import", "--jsonl", folder.path + "/lines")
    #expect(again.output == "0 messages imported, 1 were here already, 0 lines were wrong\n")
  }

  /// A change of the record with number 2.
  private static func change(_ kind: MessageChange.Kind, _ stanzaID: String, behind previous: UInt64) -> MessageChange {
    var change = MessageChange(kind)
    (change.stanzaID, change.previous, change.edited) = (stanzaID, previous, Sample.time + 1)
    return change
  }

  @Test("The ids of edits stay, over a reaction, another import and a retraction", arguments: [false, true])
  func editIDs(isRetracted: Bool) throws {
    guard case .message(var message) = Sample.message("text") else { return }
    var changes = [
      Self.change(.edit, "e1", behind: 2), Self.change(.edit, "e2", behind: 3), Self.change(.reaction, "r", behind: 4),
    ]
    if isRetracted {
      changes.append(Self.change(.retraction, "t", behind: 5))
      (changes[3].edited, changes[3].retraction) = (nil, .init(time: Sample.time + 2, by: "bob@example.org"))
    }
    let source = try ToolFolder()
    try source.write([Sample.account, .message(message)])
    message.target = 2
    for change in changes {
      message.details = MessageDetails()
      message.details?.change = change
      try source.write([.change(message)])
    }
    let (first, _) = try folder(importing: source.run("export").output)
    let (second, _) = try folder(importing: first.run("export").output)
    for folder in [first, second] {
      #expect(try messages(in: folder).map { $0.details?.change?.editIDs } == [["e2", "e1"]])
    }
  }

  @Test("Texts of one millisecond stay in their order, also before a later edit")
  func order() throws {
    let time = #""2026-11-20T09:10:00.123Z""#
    let (folder, _) = try folder(
      importing: Self.line + #","text":"three","edited":\#(time),"versions":["#
        + #"{"text":"one","time":\#(time)},{"text":"two","time":\#(time)}]}"#)
    var message = try #require(try messages(in: folder).first)
    var details = try #require(message.details)
    var change = MessageChange(.edit)
    change.edited = message.time + 5
    (change.earlier, change.previous, change.furtherTexts) = (2, 2, 2)
    details.change = change
    (message.target, message.text, message.details) = (2, "four", details)
    try folder.write([.change(message)])
    let versions = folder.run("export").output.split(separator: #""versions":"#).last ?? ""
    #expect(versions.matches(of: /"text":"(\w+)"/).map { String($0.1) } == ["one", "two", "three"])
  }
}
