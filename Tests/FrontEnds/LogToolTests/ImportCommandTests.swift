import LogFiles
import LogTool
import TestSupport
import Testing

@Suite("the command line of confab log import")
struct ImportCommandTests {
  private static let line =
    #"{"conversation":"bob@example.org","from":"bob@example.org/phone","mine":false,"#
    + #""time":"2026-11-20T09:10:00.123Z","text":"x"}"#

  @Test("a log of its own is made where an account is named")
  func newLog() throws {
    let folder = try ToolFolder()
    try TestFiles.write(folder.path + "/lines", Array((Self.line + "\n" + Self.line + "\n").utf8))
    let arguments = ["import", "--jsonl", folder.path + "/lines", "--data", folder.path + "/new/data"]
    let (unnamed, unknown) = (folder.run(arguments), folder.run(arguments + ["--account", "home"]))
    #expect(unnamed.complaints == "confab log: the log has no account: create one with --account NAME --jid JID\n")
    #expect(unknown.complaints == unnamed.complaints)
    #expect(unnamed.status == 64 && unknown.status == 64)
    let named = ["--account", "home", "--jid"]
    #expect(folder.run(arguments + named + ["ann@a..b"]).status == 64)
    #expect(folder.run(arguments + named + ["ann@example.org", "--jsonl=" + folder.path]).status == 64)
    let unreadable = folder.run(
      ["import", "--jsonl=" + folder.path, "--data=" + folder.path + "/new/data", "--account=home", "--jid=a@b"])
    #expect(unreadable.status == 1 && unreadable.complaints.contains("cannot be read"))
    #expect(!TestFiles.exists(folder.path + "/new"))
    #expect(folder.run(arguments + ["--account=home", "--jid=Ann@Example.org"]).status == 0)
    let dumped = folder.run(["dump", "--data", folder.path + "/new/data"]).lines
    #expect(dumped.first?.hasSuffix(#"account=1 name="home" jid="ann@example.org""#) == true)
    // Two lines, two messages.
    #expect(dumped.count == 4 && dumped.last?.hasPrefix("4 account ") == true)
    let other = folder.run(arguments + ["--account", "work"])
    #expect(other.complaints == "confab log: the log has no account \"work\": create it with --jid JID\n")
    #expect(other.status == 64)
  }

  @Test("a log that a daemon has is left alone")
  func locked() throws {
    let folder = try ToolFolder()
    try folder.write([Sample.account])
    var directory = try DataDirectory.open(folder.path)
    #expect(try directory.lock())
    let outcome = folder.run("import", "--jsonl", "/dev/null")
    #expect(outcome.status == 75 && outcome.complaints.contains("stop it first"))
    #expect(folder.run("import", "--jsonl", folder.path + "/none").complaints.contains("cannot be read"))
    #expect(folder.run("import").status == 64)
  }

  @Test(
    "a word without its value, twice or without a place is wrong usage",
    arguments: [
      ["import", "--jsonl", "x", "--account"], ["import", "--jsonl", "x", "--jid="], ["import", "--jsonl"],
      ["import", "--jsonl", "x", "--jid", "a@b"], ["import", "--jsonl", "x", "--account", "#2", "--jid", "a@b"],
      ["verify", "--data="], ["verify", "--data"],
      ["verify", "--data", "x", "--data", "y"], ["export", "--jsonl", "--text"], ["export", "--account", "x"],
      ["scrub", "now"], ["dump", "1", "2"],
    ])
  func usage(arguments: [String]) throws {
    let outcome = try ToolFolder().run(arguments)
    #expect(outcome.status == 64 && outcome.output.isEmpty)
    #expect(outcome.complaints.hasSuffix("; see confab log --help\n"))
    #expect(outcome.complaints.filter { $0 == "\n" }.count == 1)
  }

  @Test(
    "help is there wherever it is asked for", arguments: [["help"], ["--help"], ["verify", "--help"], ["dump", "-h"]])
  func help(arguments: [String]) throws {
    let outcome = try ToolFolder().run(arguments)
    #expect(outcome.status == 0 && outcome.output.hasPrefix("usage: confab log") && outcome.complaints.isEmpty)
  }
}
