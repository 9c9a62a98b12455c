import TestSupport
import Testing

/// `confab` as scripts run it, and `confabd`'s ways to refuse.
@Suite("Commands")
struct CommandTests {
  private let confab = Products.program("confab")
  private let confabd = Products.program("confabd")

  @Test("confab send sends its words, or its standard input to the byte")
  func send() throws {
    let folder = try TemporaryFolder("command")
    try folder.reportingLogs {
      let world = try World(try ScriptedServer(in: folder), in: folder)
      let socket = ["--socket", world.daemon.socketPath]
      let words = try Program.run([confab] + socket + ["send", "bob@example.test", "backup", "done"])
      #expect(words.status == .exited(0), "\(words.errorText)")
      #expect(try world.server.received("message").contains(">backup done<"))
      let piped = try Program.run(
        [confab] + socket + ["send", "bob@example.test", "-"], input: Array("  two\n  lines \n".utf8))
      #expect(piped.status == .exited(0), "\(piped.errorText)")
      #expect(try world.server.received("message").contains(">  two\n  lines <"))
    }
  }

  @Test("its exit codes tell no daemon, bad usage and a text that cannot be sent apart")
  func exitCodes() throws {
    let folder = try TemporaryFolder("command")
    try folder.reportingLogs {
      let daemon = try Daemon(in: folder)
      let absent = folder.file("nobody")
      #expect(try Program.run([confab, "--socket", absent, "ping"]).status == .exited(69))
      #expect(try Program.run([confab, "--socket", daemon.socketPath, "ping"]).status == .exited(0))
      #expect(try Program.run([confab, "--socket", daemon.socketPath, "no-such-verb"]).status == .exited(64))
    }
  }

  @Test(
    "a wrong configuration is named by file, line and key, with exit 78",
    arguments: [
      ("[daemon]\nsnap-interval = soon\n", "snap-interval"), ("[daemon]\ncolour = red\n", "colour"),
      ("[account a]\njid = not a jid\n", "jid"), ("[daemon]\nallow-uid = 1000\n", "not yet"),
    ])
  func configuration(text: String, word: String) throws {
    let folder = try TemporaryFolder("command")
    let file = try folder.write("confab.conf", text)
    let done = try Program.run([confabd, "--config", file, "--check"])
    #expect(done.status == .exited(78))
    #expect(done.errorText.contains(word) && done.errorText.contains(file), "\(done.errorText)")
  }

  @Test("a configuration with a password that others can read is refused")
  func readableByOthers() throws {
    let folder = try TemporaryFolder("command")
    let file = try folder.write("confab.conf", "[account a]\njid = a@example.test\npassword = secret\n", mode: 0o644)
    let done = try Program.run([confabd, "--config", file, "--check"])
    #expect(done.status == .exited(78))
    #expect(!done.errorText.contains("secret"))
  }
}
