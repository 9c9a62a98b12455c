import Glibc
import JSON
import TestSupport
import Testing

/// `confab log` as root, beside a daemon of another user.
@Suite("Root at the log of another user")
struct OwnerTests {
  private static let user: UInt32 = 65534

  private func confab(_ folder: TemporaryFolder, _ words: [String], input: String = "") throws -> Program.Finished {
    try Program.run([folder.file("confab")] + words, input: Array(input.utf8))
  }

  /// Puts the programs where that user may run them, and makes a data directory of that user with a message to erase.
  private func prepare(in folder: TemporaryFolder) throws -> String {
    try folder.letOthersThrough()
    for program in ["confab", "confabd"] {
      try TestFiles.write(folder.file(program), try #require(TestFiles.read(Products.program(program))), mode: 0o755)
    }
    let daemon = try Daemon(in: folder, data: folder.file("data"))
    let client = try daemon.client()
    let held = try client.request("send hold=1h bob@example.test a secret word")
    #expect(try client.request("cancel \(held.final["id"]?.integer ?? 0)").isOK)
    #expect(try client.request("forget-history bob@example.test").isOK)
    try daemon.terminate()
    try runCommand("chown", "-R", "\(Self.user):\(Self.user)", daemon.dataPath)
    return daemon.dataPath
  }

  private func owners(in data: String) throws -> Set<String> {
    Set(try Program.run(["find", data, "-printf", "%U:%G\n"]).text.split(separator: "\n").map(String.init))
  }

  @Test("leaves no file that the user's daemon cannot open", .enabled(if: getuid() == 0))
  func files() throws {
    let folder = try TemporaryFolder("owner")
    try folder.reportingLogs {
      let data = try prepare(in: folder)
      let line = #"{"conversation":"bob@example.test","mine":true,"time":"2026-01-01T00:00:00Z","text":"old"}"#
      for name in ["checkpoint", "index", "lock", "log/reserve"] { _ = unsafe unlink("\(data)/\(name)") }
      let first = try confab(
        folder, ["log", "import", "--jsonl", "-", "--account", "alice", "--data", data], input: line)
      #expect(first.status == .exited(0), "\(first.errorText)")
      #expect(try owners(in: data) == ["\(Self.user):\(Self.user)"])
      #expect(try confab(folder, ["log", "scrub", "--data", data]).status == .exited(0))
      #expect(try owners(in: data) == ["\(Self.user):\(Self.user)"])
      let user = ["setpriv", "--reuid=\(Self.user)", "--regid=\(Self.user)", "--clear-groups", "--"]
      let own = try Program.run(
        user + [folder.file("confab"), "log", "import", "--jsonl", "-", "--account", "alice", "--data", data],
        input: Array(line.replacing("old", with: "new").utf8))
      #expect(own.status == .exited(0), "\(own.errorText)")
    }
  }

  @Test("the log is where the configuration says, whatever else the file says")
  func configured() throws {
    let folder = try TemporaryFolder("owner")
    try folder.reportingLogs {
      let daemon = try Daemon(in: folder)
      #expect(try daemon.client().request("send bob@example.test hello").isOK)
      let base = try folder.makeFolder("base")
      _ = try folder.makeFolder("base/confab")
      try folder.write(
        "base/confab/confab.conf",
        "[account alice]\npassword = a\npassword-file = ${NOT_SET}\n[daemon]\n; data = /none\ndata = ${PLACE}/data\n")
      let confab = Products.program("confab")
      let variables = ["XDG_CONFIG_HOME": base, "PLACE": daemon.home, "HOME": "/nowhere"]
      for words in [[], ["--config", daemon.configurationPath], ["--data", daemon.dataPath]] {
        let export = try Program.run([confab, "log", "export"] + words, environment: variables)
        #expect(export.text.contains("hello"), "\(words): \(export.errorText)")
      }
      let missing = try Program.run([confab, "log", "export", "--config", "/none"], environment: variables)
      #expect(missing.status == .exited(1) && missing.errorText.contains("/none cannot be read: No such file"))
    }
  }
}
