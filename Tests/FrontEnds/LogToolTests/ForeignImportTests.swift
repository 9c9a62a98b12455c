import JSON
import MessageLog
import Records
import Syscalls
import TestSupport
import Testing

@testable import LogTool

/// Files that the clients themselves wrote, in talks over a real server.
enum Histories {
  static func text(_ name: String) throws -> String {
    try #require(TestFiles.text(Products.repository + "/Tests/FrontEnds/LogToolTests/Histories/" + name))
  }
}

@Suite("confab import")
struct ForeignImportTests {
  private let folder: ToolFolder

  init() throws {
    folder = try ToolFolder()
    try folder.write([.account(AccountRecord(number: 1, name: "home", jid: "ann@example.test"))])
  }

  private func write(_ text: String, at path: String) throws -> String {
    let whole = folder.path + "/history/" + path
    var made = folder.path
    for part in ("history/" + path).split(separator: "/").dropLast() {
      made += "/" + part
      try Files.makeDirectory(made)
    }
    try TestFiles.write(whole, Array(text.utf8))
    return whole
  }

  private func database(_ script: String) throws -> String {
    try TestDatabase.make(script, at: folder.path + "/a.db")
  }

  /// Imports twice; the counts of the first time. The second time adds nothing.
  private func imported(_ client: String, _ path: String, _ options: [String] = []) throws -> String {
    let arguments = ["import", client, path, "--account", "home"] + options
    let checked = folder.run(arguments + ["--check"])
    let first = folder.run(arguments)
    #expect(first.status == 0, "\(first.complaints)")
    let counts = try #require(first.lines.last)
    #expect(checked.lines.last == counts.replacing(" imported,", with: " would be imported,"))
    let count = try #require(counts.split(separator: " ").first)
    #expect(folder.run(arguments).lines.last == "0 messages imported, \(count) were here already, 0 were unreadable")
    return counts
  }

  private func exported(_ jid: String = "bob@example.test") throws -> [JSONValue] {
    try folder.run("export", "--in=" + jid).lines.map { try JSONParser.parse(Array($0.utf8)) }
      .filter { $0["text"] != nil }
  }

  private func texts(_ jid: String = "bob@example.test") throws -> [String] {
    try exported(jid).map { ($0["mine"]?.bool == true ? "> " : "< ") + $0.text("text") }
  }

  @Test("profanity's database brings people, rooms, private messages, ids and corrections")
  func profanity() throws {
    let path = try database(Histories.text("profanity.sql"))
    _ = try imported("profanity", path)
    let corrected = try #require(try exported().first { $0.text("text") == "right" })
    #expect(corrected.text("stanza_id") == "w-1796085579945" && corrected.text("archive_id") != "")
    #expect(corrected["versions"]?.array?.first?.text("text") == "wrongg")
    #expect(try texts().filter { $0 == "> same" }.count == 2)
    #expect(try texts("team@rooms.example.test").contains("< /me waves"))
  }

  @Test("Dino's database brings ids and corrections")
  func dino() throws {
    let path = try database(Histories.text("dino.sql"))
    #expect(try imported("dino", path) == "15 messages imported, 0 were here already, 0 were unreadable")
    #expect(try texts().contains("< two\nlines\n\nand a fourth"))
    #expect(try exported().filter { $0["versions"] != nil }.map { $0.text("text") } == ["right", "mistake"])
  }

  @Test("Gajim's database brings ids, rooms and the text before a correction")
  func gajim() throws {
    let rows = """
      INSERT INTO jids VALUES (1, 'ann@example.test', 0), (2, 'bob@example.test', 0), (3, 'team@rooms.example.test', 1);
      INSERT INTO logs (account_id, jid_id, contact_name, time, kind, message, additional_data, stanza_id, message_id)
      VALUES (1, 2, NULL, 1714586400.25, 4, 'right', '{"corrected": {"original_text": "wrongg"}}', 'a1', 's1'),
      (1, 2, NULL, 1714586401, 6, 'hi', NULL, NULL, 's2'), (1, 2, NULL, 1714586402, 0, NULL, NULL, NULL, NULL),
      (1, 3, 'bobby', 1714586403, 2, 'in the room', NULL, 'a3', 's3');
      """
    let path = try database(Histories.text("gajim.sql") + rows)
    #expect(try imported("gajim", path) == "3 messages imported, 0 were here already, 0 were unreadable")
    #expect(try texts() == ["< right", "> hi"] && texts("team@rooms.example.test") == ["< in the room"])
    let first = try #require(try exported().first)
    #expect(first.text("archive_id") == "a1" && first["versions"]?.array?.first?.text("text") == "wrongg")
    #expect(first.text("time") == "2024-05-01T18:00:00.250Z")
  }

  @Test("mcabber's logs bring people and rooms")
  func mcabber() throws {
    _ = try write(Histories.text("mcabber-person"), at: "bob@example.test")
    let room = try write(Histories.text("mcabber-room"), at: "team@rooms.example.test")
    _ = try imported("mcabber", String(room.dropLast("/team@rooms.example.test".count)))
    #expect(try texts().suffix(2) == ["< see https://example.org/?a=1&b=2", "> one\ntwo"])
    #expect(try texts("team@rooms.example.test").prefix(2) == ["> go", "< Grüße an <b>alle</b> & 'x' 😀"])
  }

  @Test("poezio's logs have nicks, of which one is mine")
  func poezio() throws {
    let path = try write(Histories.text("poezio-person"), at: "bob@example.test")
    _ = try imported("poezio", path, ["--nick", "poez=ann@example.test"])
    #expect(try texts().prefix(3) == ["> go", "< Grüße an <b>alle</b> & 'x' 😀", "< two\nlines\n\nand a fourth"])
  }

  @Test("Pidgin's HTML brings texts without marks, in the zone that the file's name says")
  func pidgin() throws {
    let path = try write(
      Histories.text("pidgin-person.html"),
      at: "ann@example.test/bob@example.test/2026-12-01.004508+0100CET.html")
    #expect(try imported("pidgin", path) == "18 messages imported, 0 were here already, 0 were unreadable")
    #expect(
      try texts().prefix(4) == [
        "> go", "< Grüße an <b>alle</b> & 'x' 😀", "< two\nlines\n\nand a fourth", "< /me waves",
      ])
    #expect(try texts().contains("> bold text"))
    #expect(try exported().first?.text("time") == "2026-11-30T23:45:08.000Z")
  }

  @Test("Psi's and WeeChat's local times are read in the zone that is named")
  func localTimes() throws {
    let psi = try write(
      "|2024-05-01T18:00:00|1|from|N---|a\\nb\\pc\\\\\n|2024-05-01T18:00:01|1|to|N3--|subject|http://x|title|hi\n"
        + "|2024-05-01T18:00:02|3|from|N---|subscribe\n", at: "bob_at_example.test.history")
    #expect(
      try imported("psi", psi, ["--zone", "+02:00"]) == "2 messages imported, 0 were here already, 0 were unreadable")
    #expect(try texts() == ["< a\nb|c\\", "> hi"])
    #expect(try exported().first?.text("time") == "2024-05-01T16:00:00.000Z")
    let weechat = try write(
      "2024-05-01 18:00:00\t-->\tjoined\n2024-05-01 18:00:01\tbobby\tone\n2024-05-01 18:00:01\t\ttwo\n"
        + "2024-05-01 18:00:02\tann\thi\n2024-05-01 18:00:03\t *\tbobby waves\n",
      at: "python.srv.eve@example.test.weechatlog")
    _ = try imported("weechat", weechat, ["--zone", "+02:00"])
    #expect(try texts("eve@example.test") == ["< one\ntwo", "> hi", "< /me waves"])
  }

  @Test("A message of the log is that of one message of the history, seconds apart, in order")
  func seconds() throws {
    let line = { (second: Int) in
      #"{"conversation":"bob@example.test","mine":false,"time":"2024-05-01T18:00:0\#(second)Z","text":"ok","#
        + #""stanza_id":"s\#(second)","archive_id":"a\#(second)"}"#
    }
    try TestFiles.write(folder.path + "/lines", Array([line(1), line(3)].joined(separator: "\n").utf8))
    #expect(folder.run("import", "--jsonl", folder.path + "/lines").status == 0)
    let log = (4...6).map { "MR 20240501T18:00:0\($0)Z 000 ok\n" }.joined()
    let path = try write(log, at: "bob@example.test")
    let outcome = folder.run("import", "mcabber", path)
    #expect(outcome.lines.last == "1 messages imported, 2 were here already, 0 were unreadable")
    let again = folder.run("import", "mcabber", path)
    #expect(again.lines.last == "0 messages imported, 3 were here already, 0 were unreadable")
  }

  @Test("A part that cannot be read is named by file and line, and the rest is imported")
  func unreadable() throws {
    let path = try write(
      "MR 20240501T18:00:00Z 000 ok\nnonsense\nMR 20240501T18:00:01Z 000 later\nMR 20240501T18:00:02Z 005 cut",
      at: "bob@example.test")
    let outcome = folder.run("import", "mcabber", path)
    #expect(outcome.status == 1 && outcome.lines.last == "2 messages imported, 0 were here already, 2 were unreadable")
    #expect(outcome.complaints.contains("bob@example.test:2: it is not the beginning of an entry"))
    #expect(outcome.complaints.contains("bob@example.test:4: the file ends within this entry"))
  }

  @Test("A database of another version, a view and no database change nothing, and are named")
  func hostile() throws {
    let view = try database("CREATE VIEW ChatLogs AS SELECT 1 AS id;")
    let before = folder.run("dump").lines.count
    for (client, path) in [("profanity", view), ("gajim", view), ("dino", folder.path + "/none")] {
      let outcome = folder.run("import", client, path)
      #expect(outcome.status == 1 && outcome.complaints.hasPrefix("confab import: \(path) cannot be read: "))
    }
    #expect(folder.run("dump").lines.count == before)
  }

  @Test("Messages of an account that the log does not have are counted, and need --account")
  func accounts() throws {
    let path = try database(Histories.text("dino.sql"))
    let outcome = folder.run("import", "dino", path)
    #expect(outcome.status == 64 && outcome.lines.last == "nothing to import")
    #expect(outcome.complaints.contains("15 messages are of dino@example.test"))
    #expect(folder.run("import", "nobody", path).complaints.contains("'nobody' is none of gajim, dino"))
  }

  @Test("a history whose times run back, with many equal texts in a minute, adds nothing when it is imported again")
  func equalTextsOfTimesThatRunBack() throws {
    let lines = (0..<1_400).map { number in
      let second = number % 700
      return "MR 20240101T10:\(String(100 + second / 60).dropFirst()):\(String(100 + second % 60).dropFirst())Z 000 "
        + (number % 3 == 0 ? "\(number)" : "same") + "\n"
    }
    _ = try write(lines.joined(), at: "histo/bob@example.test")
    let counts = try imported("mcabber", folder.path + "/history/histo")
    #expect(counts == "1400 messages imported, 0 were here already, 0 were unreadable")
  }
}
