import JSON
import LogTool
import MessageLog
import Records
import TestSupport
import Testing

@testable import XMPPCore

@Suite("confab log import")
struct ImportTests {
  /// A file with these lines, and a log with an account.
  static func imported(_ lines: [String], into target: ToolFolder? = nil) throws -> (ToolFolder, ToolFolder.Outcome) {
    let folder = try target ?? ToolFolder()
    if target == nil { try folder.write([Sample.account]) }
    try TestFiles.write(folder.path + "/lines", Array(lines.joined(separator: "\n").utf8))
    return (folder, folder.run("import", "--jsonl", folder.path + "/lines"))
  }

  static func line(_ members: String) -> String {
    #"{"conversation":"bob@example.org","from":"bob@example.org/phone","mine":false,"#
      + #""time":"2026-11-20T09:10:00.123Z","text":"Grüße""# + members + "}"
  }

  @Test("what export prints, import takes, and export prints it again")
  func roundTrip() throws {
    let source = try ToolFolder()
    var failed = DeliveryRecord(account: 1, jid: "bob@example.org", time: Sample.time + 1000, id: 3, state: .failed)
    failed.failure = Failure(condition: "item-not-found", text: "nobody")
    let displayed = DeliveryRecord(
      account: 1, jid: "bob@example.org", time: Sample.time + 2000, id: 4, state: .displayed)
    try source.write([
      Sample.account, Sample.message("hello\nthere"), Sample.message("hi", mine: true, after: 1),
      Sample.message("you", mine: true, after: 2), .delivery(failed), .delivery(displayed),
      Sample.message("late", after: -100_000),
    ])
    let before = source.run("export").lines
    let (target, outcome) = try Self.imported(before)
    #expect(outcome.output == "4 messages imported, 0 were here already, 0 lines were wrong\n")
    #expect(outcome.status == 0)
    #expect(try Self.withoutIDs(target.run("export").lines) == Self.withoutIDs(before))
    // Nothing of mine waits to be sent.
    #expect(target.run("dump").lines.filter { $0.contains(" message ") && $0.contains("flags=265") }.count == 2)
  }

  /// The numbers of messages and sections are the log's, and read is what is before a message of mine.
  private static func withoutIDs(_ lines: [String]) throws -> [[JSONMember]] {
    try lines.map { line in
      let members = try #require(try JSONParser.parse(Array(line.utf8)).members)
      return members.filter { !["id", "section", "read"].contains($0.name) }
    }
  }

  @Test(
    "an imported conversation is read up to my last message in it, whatever the order of the lines; with --read to its end"
  )
  func read() throws {
    let line = { (minute: Int, mine: Bool) in
      #"{"conversation":"bob@example.org","time":"2024-05-01T18:0\#(minute):00Z","mine":\#(mine),"text":"\#(minute)"}"#
    }
    let lines = [line(3, true), line(1, false), line(2, true), line(4, false), line(5, false)]
    for (options, last) in [([], "3"), (["--read"], "5")] as [([String], String)] {
      let folder = try ToolFolder()
      try folder.write([Sample.account])
      try TestFiles.write(folder.path + "/lines", Array(lines.joined(separator: "\n").utf8))
      #expect(folder.run(["import", "--jsonl", folder.path + "/lines"] + options).status == 0)
      let read = folder.run("export").lines.filter { $0.contains(#""read":true"#) }
      #expect(read.count == 1 && read.first?.contains(#""text":"\#(last)""#) == true, "\(read)")
    }
  }

  @Test("after an import that was cut off, importing again reads what that one had brought")
  func cutOff() throws {
    let line = { (minute: Int, mine: Bool) in
      #"{"conversation":"bob@example.org","time":"2024-05-01T18:0\#(minute):00Z","mine":\#(mine),"text":"\#(minute)"}"#
    }
    let lines = [line(1, false), line(2, false), line(3, true), line(4, false)]
    let (folder, _) = try Self.imported(Array(lines.prefix(2)))
    #expect(!folder.run("export").output.contains(#""read":true"#))
    _ = try Self.imported(lines, into: folder)
    let read = folder.run("export").lines.filter { $0.contains(#""read":true"#) }
    #expect(read.count == 1 && read.first?.contains(#""text":"3""#) == true, "\(read)")
    #expect(folder.run("dump").lines.filter { $0.contains(" read ") }.count == 1)
  }

  @Test("names, types and addresses of files are cleaned as those from the network")
  func attachments() throws {
    let long = String(repeating: "x", count: 5_000)
    let files = [
      #"{"name":"../../x","type":"image/png","url":"https://e/1"}"#,
      #"{"name":"..","type":"a\nb/c","url":"https://e/\n"}"#,
      #"{"name":"a\u202Eb","url":"https://e/2"}"#, #"{"name":"\#(long)"}"#,
    ]
    let (folder, _) = try Self.imported([Self.line(#","attachments":[\#(files.joined(separator: ","))]"#)])
    let line = try #require(folder.run("export").lines.first)
    let found = try #require(try JSONParser.parse(Array(line.utf8))["attachments"]?.array)
    #expect(found.map { $0.text("name") } == [".._.._x", "", "ab", String(long.prefix(255))])
    #expect(found.map { $0.text("type") } == ["image/png", "", "", ""])
    #expect(found.map { $0.text("url") } == ["https://e/1", "", "https://e/2", ""])
  }

  @Test("what is here already is passed over, in the file, in the log and across both")
  func doubles() throws {
    let lines = [
      Self.line(""), Self.line(""), Self.line(#","origin_id":"x1""#),
      Self.line(#","origin_id":"x2""#).replacing("09:10:00", with: "09:20:00"),
      Self.line(#","origin_id":"x2""#).replacing("09:10:00", with: "10:20:00"),
      Self.line("").replacing("Grüße", with: "another"),
      Self.line("").replacing("/phone", with: "/desk"), Self.line("").replacing("/phone", with: ""),
    ]
    let (folder, first) = try Self.imported(lines)
    // Lines without an id are as many messages.
    #expect(first.output == "7 messages imported, 1 were here already, 0 lines were wrong\n")
    let (_, second) = try Self.imported(lines.reversed(), into: folder)
    #expect(second.output == "0 messages imported, 8 were here already, 0 lines were wrong\n")
    #expect(folder.run("verify").status == 0)
  }

  @Test("identical lines without ids are as many messages as lines, however often they are imported")
  func identical() throws {
    let line = Self.line("")
    let (folder, first) = try Self.imported([line, Self.line("").replacing("Grüße", with: "else"), line, line])
    #expect(first.output == "4 messages imported, 0 were here already, 0 lines were wrong\n")
    let (_, second) = try Self.imported([line, line, line], into: folder)
    #expect(second.output == "0 messages imported, 3 were here already, 0 lines were wrong\n")
    let (_, third) = try Self.imported([line, line, line, line], into: folder)
    #expect(third.output == "1 messages imported, 3 were here already, 0 lines were wrong\n")
    #expect(folder.run("export").lines.filter { $0.contains("Grüße") }.count == 4)
  }

  @Test("of one author, time and text, a line with an id and one without are two messages, in either order")
  func withAndWithoutID() throws {
    let lines = [Self.line(""), Self.line(#","stanza_id":"s1""#)]
    for lines in [lines, lines.reversed()] {
      let (folder, first) = try Self.imported(lines)
      #expect(first.output == "2 messages imported, 0 were here already, 0 lines were wrong\n")
      let (_, second) = try Self.imported(lines.reversed(), into: folder)
      #expect(second.output == "0 messages imported, 2 were here already, 0 lines were wrong\n")
    }
    // A message that the log had before is that of one line without an id, and of no other.
    let (folder, _) = try Self.imported([lines[1]])
    let (_, next) = try Self.imported([lines[0], lines[0]], into: folder)
    #expect(next.output == "1 messages imported, 1 were here already, 0 lines were wrong\n")
  }

  @Test("What is set of conversations is exported and imported, the log's own stays, and wrong lines are named")
  func settings() throws {
    var settings = SettingsRecord(account: 1, jid: "bob@example.org")
    settings.setNotify(.mentions, until: nil)
    settings.setNotify(.never, until: Sample.time)
    (settings.isPinned, settings.isArchived) = (true, true)
    let source = try ToolFolder()
    try source.write([Sample.account, Sample.message("hello"), .settings(settings)])
    let lines = source.run("export").lines
    #expect(
      lines.last
        == #"{"conversation":"bob@example.org","account_jid":"ann@example.org","settings":{"notify":"mentions","#
        + #""temporary":[{"notify":"never","until":"2026-11-20T09:10:00.123Z"}],"pinned":true,"archived":true}}"#)
    let (target, outcome) = try Self.imported(lines)
    #expect(outcome.status == 0 && target.run("export").lines.last == lines.last)
    let other = #"{"conversation":"bob@example.org","settings":{"notify":"never"}}"#
    #expect(try Self.imported([other], into: target).1.status == 0 && target.run("export").lines.last == lines.last)
    for wrong in [#""loud""#, "5"] {
      let line = other.replacing(#""never""#, with: wrong)
      #expect(try Self.imported([line]).1.complaints.contains("always, mentions, never"))
    }
    let dumped = source.run("dump").lines.last ?? ""
    #expect(dumped.contains(" settings ") && dumped.contains("notify=2") && dumped.contains("pinned=1 archived=1"))
  }

  @Test("read positions, drafts and unknown elements are imported, and the log's own stay")
  func marks() throws {
    let source = try ToolFolder()
    var extended = MessageRecord(
      account: 1, jid: "bob@example.org", peer: "bob@example.org/phone", time: Sample.time + 1000, text: "hi")
    extended.payloads = Array("<x xmlns='urn:example'>a &amp; b</x>".utf8)
    let stanza = Array("<message from='bob@example.org'><y xmlns='urn:example'/></message>".utf8)
    try source.write([
      Sample.account, Sample.message("hello"), .message(extended), Sample.message("unread", after: 2),
      .read(ReadRecord(account: 1, jid: "bob@example.org", time: Sample.time + 1000, id: 3)),
      .draft(DraftRecord(account: 1, jid: "bob@example.org", text: "I was\nabout to")),
      .payload(PayloadRecord(account: 1, time: Sample.time, xml: stanza, archiveID: "a1")),
    ])
    let before = source.run("export").lines
    #expect(before.filter { $0.contains(#""read":true"#) }.count == 1 && before[1].contains(#""read":true"#))
    let (target, outcome) = try Self.imported(before)
    #expect(outcome.output == "3 messages imported, 0 were here already, 0 lines were wrong\n")
    #expect(try Self.withoutIDs(target.run("export").lines.sorted()) == Self.withoutIDs(before.sorted()))
    let dump = target.run("dump").lines.count
    let (_, again) = try Self.imported(before, into: target)
    #expect(again.status == 0 && target.run("export").lines.count == before.count)
    // Each import adds only its own final records.
    #expect(target.run("dump").lines.count - dump <= 2)
    let own = #"{"conversation":"bob@example.org","draft":"another"}"#
    let (_, third) = try Self.imported([own], into: target)
    #expect(third.status == 0 && !target.run("export").output.contains("another"))
    #expect(source.run("export", "--in=bob@example.org").lines.count == 4)
  }

  @Test("two that say the same at one moment under two ids are two")
  func sameWords() throws {
    let lines = [
      Self.line(#","origin_id":"x1""#), Self.line(#","origin_id":"x2""#), Self.line(#","origin_id":"""#),
      Self.line(#","origin_id":"x2""#).replacing("/phone", with: "/desk"),
    ]
    let (folder, first) = try Self.imported(lines)
    #expect(first.output == "3 messages imported, 1 were here already, 0 lines were wrong\n")
    let (_, second) = try Self.imported(
      lines + [Self.line(#","origin_id":"x3""#).replacing("/phone", with: "/desk")], into: folder)
    #expect(second.output == "1 messages imported, 4 were here already, 0 lines were wrong\n")
  }

  @Test("what waits for the disk is known again behind many moments that are not")
  func manyMoments() throws {
    let long = String(repeating: "long ", count: 4_000)
    let lines = (10..<60).flatMap { minute in
      [0, 1].map { Self.line("").replacing("09:10:00", with: "0\($0):\(minute):00").replacing("Grüße", with: long) }
    }
    let old = (10..<60).flatMap { second in
      (0..<10).map { Self.line("").replacing("09:10:00", with: "1\($0):00:\(second)").replacing("Grüße", with: long) }
    }
    let (folder, first) = try Self.imported(old)
    #expect(first.output == "500 messages imported, 0 were here already, 0 lines were wrong\n")
    // The first waits for the disk to the end, and 10 MB of texts that are here stand between it and its double.
    let (_, second) = try Self.imported([lines[0]] + old + lines, into: folder)
    // The line is in the file twice, so the log has it twice, and no more often.
    #expect(second.output == "101 messages imported, 500 were here already, 0 lines were wrong\n")
    let (_, third) = try Self.imported([lines[0]] + old + lines, into: folder)
    #expect(third.output == "0 messages imported, 601 were here already, 0 lines were wrong\n")
  }

  @Test("of two accounts of one name it is the newest, or the one with the JID that is said")
  func accountsOfOneName() throws {
    let folder = try ToolFolder()
    try folder.write(
      [Sample.account]
        + (2...5).map { .account(AccountRecord(number: $0, name: "home", jid: "ann@\($0).example.org")) })
    let (_, outcome) = try Self.imported([Self.line(#","account":"home""#)], into: folder)
    #expect(outcome.output == "1 messages imported, 0 were here already, 0 lines were wrong\n")
    let again = folder.run(
      "import", "--jsonl", folder.path + "/lines", "--account", "home", "--jid", "ann@3.example.org")
    #expect(again.output == outcome.output)
    let messages = folder.run("dump").lines.filter { $0.contains(" message ") }
    #expect(messages.map { $0.contains("account=5") } == [true, false] && messages.last?.contains("account=3") == true)
  }

  @Test("the only account of a JID has the name from then on that is said with it, and is told of")
  func renamed() throws {
    let folder = try ToolFolder()
    try folder.write([Sample.account, Sample.message("hello")])
    _ = try Self.imported([Self.line("")], into: folder)
    let again = folder.run(
      "import", "--jsonl", folder.path + "/lines", "--account", "office", "--jid", "ann@example.org")
    #expect(again.output == "0 messages imported, 1 were here already, 0 lines were wrong\n")
    #expect(again.complaints == "confab log: account office continues account home\n")
    #expect(folder.run("dump").lines.filter { $0.contains("account=2") } == [])
    let text = folder.run("export", "--jsonl").output
    #expect(!text.contains("\"account\"") && text.contains("hello"))
  }

  @Test("an origin-id alone makes no double: senders choose them")
  func foreignOriginID() throws {
    let mine =
      #"{"conversation":"bob@example.org","mine":true,"time":"2026-11-20T09:10:05Z","text":"x","origin_id":"x1"}"#
    let (_, outcome) = try Self.imported([
      Self.line(#","origin_id":"x1""#), mine,
      Self.line(#","origin_id":"x1""#).replacing("bob@example.org", with: "eve@example.org"),
    ])
    #expect(outcome.output == "3 messages imported, 0 were here already, 0 lines were wrong\n")
  }

  private static func mine(_ members: String) -> String {
    line(members).replacing("\"mine\":false", with: "\"mine\":true").replacing("bob@example.org/phone", with: "")
  }

  private static func failed(_ failure: String) -> String { mine(#","state":"failed","failure":"# + failure) }

  @Test("every condition and key that the daemon gives is taken")
  func conditions() throws {
    let ofEncryption = [
      "no-devices", "untrusted", "keys-unavailable", "room-anonymous", "too-many-devices", "encryption-unavailable",
    ]
    #expect(Failure.conditions == Set(StanzaError.conditions.map { "\($0)" } + ["expired"] + ofEncryption))
    let lines = Failure.conditions.sorted().enumerated().map { number, condition in
      Self.failed(#"{"condition":"\#(condition)","text":"no"},"key":"!~\#(number)""#)
        .replacing("09:10:00", with: "09:10:\(number + 10)")
    }
    let (folder, outcome) = try Self.imported(lines)
    #expect(outcome.output == "29 messages imported, 0 were here already, 0 lines were wrong\n")
    let objects = try folder.run("export").lines.map { try JSONParser.parse(Array($0.utf8)) }
    #expect(objects.compactMap { $0["failure"]?["condition"]?.string } == Failure.conditions.sorted())
    #expect(objects.compactMap { $0["key"]?.string } == (0..<29).map { "!~\($0)" })
  }

  @Test("a bad line is told by its number, and the good ones go on")
  func badLines() throws {
    let bad = [
      ("", nil), ("{", "the JSON text ends too early"), ("[]", "the line is not a JSON object"),
      (Self.line(#","text":"twice""#), "member 'text' is there twice"),
      (
        Self.line("").replacing("bob@example.org\",\"from", with: "bob@example.org/x\",\"from"),
        "'conversation' is not a bare JID"
      ),
      (
        Self.line("").replacing("bob@", with: "@"),
        "'conversation' is not a JID: The local part of the address is empty."
      ),
      (
        Self.line("").replacing("\"bob@example.org\"", with: "\"bob@a..b\""),
        "'conversation' is not a JID: The domain of the address is empty."
      ),
      (Self.line(#","depth":-1"#), "'depth' is not a number from 0 to 1073741823"),
      (Self.line("").replacing("2026-11-20T", with: "2026-11-31T"), "'time' is not an RFC 3339 time"),
      (Self.line("").replacing("Grüße", with: #"\u0007"#), "'text' contains a character that XML cannot carry, at 0"),
      (Self.line("").replacing("Grüße", with: #"\ud800"#), "lone surrogate at byte 120 of the JSON text"),
      (Self.line(#","delayed":1"#), "'delayed' is neither true nor false"),
      (Self.line(#","type":"groupchat""#), "'type' is \"groupchat\"; expected chat, normal or headline"),
      (Self.line(#","account":"work""#), "the log has no account \"work\""),
      (Self.mine(#","state":"eaten""#), "'state' is \"eaten\", not a state of a message"),
      (Self.line("").replacing("\"text\":\"Grüße\"", with: "\"subject\":\"x\""), "'text' is missing"),
      (Self.mine(#","key":"a b""#), "'key' is not 1 to 64 printable ASCII bytes"),
      (Self.mine(#","key":"\#(String(repeating: "k", count: 65))""#), "'key' is not 1 to 64 printable ASCII bytes"),
      (Self.mine(#","key":"ü""#), "'key' is not 1 to 64 printable ASCII bytes"),
      (Self.failed(#""no""#), "'failure' is not an object"),
      (Self.failed(#"{"text":"no"}"#), "'failure.condition' is missing"),
      (Self.failed(#"{"condition":1}"#), "'failure.condition' is not a string"),
      (Self.failed(#"{"condition":"eaten"}"#), "'failure.condition' is \"eaten\", not a condition of a failure"),
      (Self.failed(#"{"condition":""}"#), "'failure.condition' is \"\", not a condition of a failure"),
      (Self.failed(#"{"condition":"gone","text":[]}"#), "'failure.text' is not a string"),
      (
        Self.failed(#"{"condition":"gone","text":"a\u0007"}"#),
        "'failure.text' contains a character that XML cannot carry, at 1"
      ),
    ]
    let (folder, outcome) = try Self.imported(bad.map(\.0) + [Self.line("")])
    #expect(outcome.status == 1)
    #expect(outcome.output == "1 messages imported, 0 were here already, 25 lines were wrong\n")
    let expected = bad.enumerated().compactMap { number, line in line.1.map { "confab log: line \(number + 1): \($0)" }
    }
    #expect(outcome.complaints.split(separator: "\n").map(String.init) == expected)
    #expect(folder.run("export").lines.count == 1)
  }

  @Test("a line without end costs bounded memory, and the next one is read")
  func longLine() throws {
    let (_, outcome) = try Self.imported([
      "{" + String(repeating: " ", count: 17 << 20),
      Self.line(#","subject":"\#(String(repeating: "x", count: 1 << 20))""#),
    ])
    #expect(outcome.complaints == "confab log: line 1: the line is longer than 16777216 bytes\n")
    #expect(outcome.output == "1 messages imported, 0 were here already, 1 lines were wrong\n")
  }

  @Test("what never left here never leaves from here, and says so")
  func queued() throws {
    let (folder, _) = try Self.imported([Self.mine(#","state":"queued""#)])
    let object = try JSONParser.parse(Array((folder.run("export").lines.first ?? "").utf8))
    #expect(object["state"]?.string == "failed")
    #expect(object["failure"]?["text"]?.string == "it had not been sent when it was exported")
  }
}
