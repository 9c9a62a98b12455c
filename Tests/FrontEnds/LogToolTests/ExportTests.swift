import Clocks
import JSON
import LogTool
import MessageLog
import Records
import TestSupport
import Testing

@Suite struct ExportTests {
  @Test func messagesInTheOrderOfTheirIds() throws {
    let folder = try ToolFolder()
    var failed = DeliveryRecord(account: 1, jid: "bob@example.org", time: Sample.time + 1000, id: 3, state: .failed)
    failed.failure = Failure(condition: "item-not-found", text: "nobody")
    try folder.write([
      Sample.account, Sample.message("hello"), Sample.message("hi", mine: true, after: 1),
      Sample.message("next day", after: 100_000), .delivery(failed), Sample.message("late", after: -100_000),
    ])
    let outcome = folder.run("export", "--jsonl")
    #expect(outcome.status == 0)
    let objects = try outcome.lines.map { try JSONParser.parse(Array($0.utf8)) }
    #expect(objects.map { $0["id"]?.integer } == [2, 3, 4, 6])
    #expect(objects.map { $0["text"]?.string } == ["hello", "hi", "next day", "late"])
    #expect(objects.map { $0["opens_section"]?.bool } == [true, false, true, true])
    #expect(objects.map { $0["section"]?.integer } == [2, 2, 4, 6])
    #expect(objects.map { $0["mine"]?.bool } == [false, true, false, false])
    #expect(objects[1]["state"]?.string == "failed")
    #expect(objects[1]["failure"]?["condition"]?.string == "item-not-found")
    #expect(objects[1]["from"]?.string == "ann@example.org")
    #expect(objects[0]["state"] == nil)
    #expect(objects[0]["time"]?.string == "2026-11-20T09:10:00.123Z")
    #expect(objects[0]["account"] == nil)
  }

  @Test("--in exports one conversation, and reports an unknown one", arguments: ["--jsonl", "--text"])
  func oneConversation(form: String) throws {
    let folder = try ToolFolder()
    var other = MessageRecord(account: 1, jid: "carol@example.org", peer: "carol@example.org/x", time: Sample.time)
    other.text = "not this one"
    try folder.write([Sample.account, Sample.message("hello"), .message(other)])
    let outcome = folder.run("export", form, "--in=bob@example.org")
    #expect(outcome.status == 0 && outcome.output.contains("hello") && !outcome.output.contains("not this one"))
    let none = folder.run("export", form, "--in", "nobody@example.org")
    #expect(none.status == 1 && none.output.isEmpty)
    #expect(none.complaints == "confab log: no conversation with nobody@example.org\n")
  }

  @Test("what is kept back says so, and until when")
  func heldMessages() throws {
    let folder = try ToolFolder()
    var held = MessageRecord(account: 1, jid: "bob@example.org", peer: "bob@example.org", time: Sample.time)
    (held.author, held.text, held.heldUntil) = (.thisDevice, "kept back", Sample.time + 1000)
    try folder.write([Sample.account, .message(held), Sample.message("queued", mine: true, after: 1)])
    let objects = try folder.run("export").lines.map { try JSONParser.parse(Array($0.utf8)) }
    #expect(objects.map { $0["state"]?.string } == ["queued", "queued"])
    #expect(objects.map { $0["held"]?.bool } == [true, nil])
    #expect(objects.map { $0["held_until"]?.string } == ["2026-11-20T09:10:01.123Z", nil])
  }

  @Test func severalAccountsAreNamed() throws {
    let folder = try ToolFolder()
    try folder.write([
      Sample.account, .account(AccountRecord(number: 2, name: "work", jid: "ann@work.example")),
      Sample.message("hello"),
    ])
    let object = try JSONParser.parse(Array((folder.run("export").lines.first ?? "").utf8))
    #expect(object["account"]?.string == "home")
  }

  @Test("nothing in either form can steer a terminal", arguments: ["--jsonl", "--text"])
  func hostileText(form: String) throws {
    let folder = try ToolFolder()
    let text = "\u{1B}[2J\u{9B}1m \u{202E}evil\u{2066} Grüße\u{200F}"
    try folder.write([Sample.account, Sample.message(text)])
    let outcome = folder.run("export", form)
    #expect(outcome.lines.count == (form == "--jsonl" ? 1 : 3))
    let forbidden = outcome.output.unicodeScalars.filter { scalar in
      scalar != "\n"
        && (scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || (0x2028...0x202E).contains(scalar.value)
          || (0x2066...0x2069).contains(scalar.value) || scalar.value == 0x200F)
    }
    #expect(forbidden.isEmpty)
    #expect(outcome.output.contains("Grüße"))
    if form == "--jsonl" {
      #expect(try JSONParser.parse(Array((outcome.lines.first ?? "").utf8))["text"]?.string == text)
    }
  }

  @Test func textIsForPeople() throws {
    let folder = try ToolFolder()
    var bob = ContactRecord(account: 1, jid: "bob@example.org")
    bob.name = "Bob"
    bob.subscription = "both"
    try folder.write([
      Sample.account, .contact(bob), Sample.message("one\n\ttwo\tend"), Sample.message("three", mine: true, after: 1),
      Sample.message("four", after: 86_400),
    ])
    #expect(
      folder.run("export", "--text").output == """
        --- Log opened Fri Nov 20 09:10:00 2026 bob@example.org
        09:10 < Bob> one
        09:10 < Bob> \ttwo\tend
        09:10 < ann> three
        --- Day changed Sat Nov 21 2026
        09:10 < Bob> four
        --- Log closed Sat Nov 21 09:10:00 2026

        """)
  }

  @Test("times and days are local ones, as they were when each was written")
  func localTime() throws {
    let folder = try ToolFolder()
    try folder.write([
      Sample.account, Sample.message("one"), Sample.message("two", after: 5 * 3600),
      Sample.message("three", after: 15 * 3600),
    ])
    // The clocks go an hour forward before the last one.
    let change = Sample.time + 10 * 3_600_000
    let outcome = folder.run(["export", "--text"], offset: { $0.milliseconds < change ? -34_200 : -30_600 })
    #expect(
      outcome.output == """
        --- Log opened Thu Nov 19 23:40:00 2026 bob@example.org
        23:40 < bob@example.org> one
        --- Day changed Fri Nov 20 2026
        04:40 < bob@example.org> two
        15:40 < bob@example.org> three
        --- Log closed Fri Nov 20 15:40:00 2026

        """)
  }

  @Test func itStopsWhereNobodyReads() throws {
    let folder = try ToolFolder()
    try folder.write(
      [Sample.account] + (1...3000).map { Sample.message("text \($0) " + String(repeating: "x", count: 80)) })
    var blocks = 0
    let output = LineOutput { _ in
      blocks += 1
      return false
    }
    #expect(
      LogCommand.run(["export", "--data", folder.path], environment: [:], output: output, complaints: output) == 0)
    #expect(blocks == 1)
  }
}
