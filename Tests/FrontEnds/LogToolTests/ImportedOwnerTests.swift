import JSON
import LogTool
import Records
import TestSupport
import Testing

/// The owner of an exported history.
@Suite("owners in an import")
struct ImportedOwnerTests {
  private static let carl = Record.account(AccountRecord(number: 1, name: "home", jid: "carl@example.org"))
  private static let text =
    #"{"conversation":"bob@example.org","from":"bob@example.org/p","mine":false,"time":"2026-11-20T09:10:00Z","text":"x""#

  /// Imports lines into a log of carl's, or with these arguments.
  private func imported(
    _ lines: [String], into folder: ToolFolder, _ arguments: String...
  ) throws -> ToolFolder.Outcome {
    try TestFiles.write(folder.path + "/lines", Array(lines.joined(separator: "\n").utf8))
    return folder.run(["import", "--jsonl", folder.path + "/lines"] + arguments)
  }

  private func carls() throws -> ToolFolder {
    let folder = try ToolFolder()
    try folder.write([Self.carl])
    return folder
  }

  @Test("Each line of an export names the account's owner, and of another owner's export nothing is imported")
  func exported() throws {
    let (source, target) = (try ToolFolder(), try carls())
    var settings = SettingsRecord(account: 1, jid: "bob@example.org")
    settings.isPinned = true
    let stanza = Array("<message><y xmlns='urn:example'/></message>".utf8)
    try source.write([
      Sample.account, Sample.message("the key is under the mat"), Sample.message("thanks", mine: true, after: 1),
      .draft(DraftRecord(account: 1, jid: "bob@example.org", text: "half")), .settings(settings),
      .payload(PayloadRecord(account: 1, time: Sample.time, xml: stanza)),
    ])
    let lines = source.run("export").lines
    #expect(lines.count == 5)
    for line in lines {
      #expect(try JSONParser.parse(Array(line.utf8))["account_jid"]?.string == "ann@example.org")
      let outcome = try imported([Self.text + "}", line], into: target)
      #expect(outcome.status == 64 && outcome.output.isEmpty)
      #expect(
        outcome.complaints
          == "confab log: line 2: it is of the history of ann@example.org, but account \"home\" is carl@example.org; "
          + "nothing was imported: name an account of ann@example.org with --account NAME --jid ann@example.org\n")
    }
    #expect(target.run("dump").lines.count == 1)
    #expect(try imported(lines, into: target, "--account=home", "--jid=Ann@Example.org").status == 0)
    #expect(target.run("export").lines.allSatisfy { $0.contains(#""account_jid":"ann@example.org""#) })
  }

  @Test(
    "Without account_jid the messages that are mine say whose the file is, whoever the conversation is with",
    arguments: [
      #""conversation":"bob@example.org","from":"ann@example.org/z","mine":true"#,
      #""conversation":"ann@example.org","from":"ann@example.org","mine":true"#,
    ])
  func older(members: String) throws {
    let target = try carls()
    let mine = "{" + members + #","time":"2026-11-20T09:10:01Z","text":"y"}"#
    let draft = #"{"conversation":"bob@example.org","draft":"half"}"#
    let outcome = try imported([Self.text + "}", draft, mine], into: target)
    #expect(outcome.status == 64 && outcome.complaints.contains("line 3: it is of the history of ann@example.org"))
    #expect(target.run("dump").lines.count == 1)
    let own = mine.replacing(#""from":"ann@example.org"#, with: #""from":"Carl@Example.org"#)
    #expect(try imported([Self.text + "}", draft, own], into: target).status == 0)
  }

  @Test("A data directory is not made for another owner's history")
  func newLog() throws {
    let folder = try ToolFolder()
    let line = Self.text + #","account_jid":"ann@example.org"}"#
    let arguments = ["--data=" + folder.path + "/new", "--account=home", "--jid=carl@example.org"]
    let outcome = try imported([line], into: folder, arguments[0], arguments[1], arguments[2])
    #expect(outcome.status == 64 && !TestFiles.exists(folder.path + "/new"))
  }

  @Test("What can be read only once is copied for the second reading")
  func pipe() throws {
    let (folder, source) = (try carls(), try ToolFolder())
    let fifo = source.path + "/fifo"
    try runCommand("mkfifo", fifo)
    try TestFiles.write(source.path + "/lines", Array((Self.text + "}\n").utf8))
    try runCommand("/bin/sh", "-c", "timeout 60 sh -c 'cat \(source.path)/lines > \(fifo)' > /dev/null 2>&1 &")
    let outcome = folder.run("import", "--jsonl", fifo)
    #expect(outcome.output == "1 messages imported, 0 were here already, 0 lines were wrong\n")
  }
}
