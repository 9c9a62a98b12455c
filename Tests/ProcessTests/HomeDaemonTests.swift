import Glibc
import JSON
import TestSupport
import Testing

/// The terminal UI while its daemon goes, and another one is there.
@Suite("The terminal UI stays with the daemon that it began with")
struct HomeDaemonTests {
  private static let user: UInt32 = 65534

  private func texts(_ daemon: Daemon) throws -> [String] {
    try daemon.client().request("history bob@example.test").data.map { $0["message"]?.text("text") ?? "" }
  }

  /// Opens the UI at the conversation with bob.
  private func open(
    _ command: [String], _ folder: TemporaryFolder, environment: [String: String] = [:]
  ) throws -> TmuxTerminal {
    let own = environment.merging(["HOME": folder.path]) { given, _ in given }
    let screen = try TmuxTerminal(command, in: folder, columns: 120, environment: own)
    try screen.wait(for: "bob@example.test", "hello")
    try screen.press("Enter")
    try screen.wait(for: "Write to bob@example.test")
    return screen
  }

  private func write(_ text: String, _ screen: TmuxTerminal) throws {
    try screen.type(text)
    try screen.press("Enter")
    try screen.wait(for: "the text, sent,") { $0.contains("Write to bob") }
  }

  @Test(
    "a text that waits for the user's own daemon does not go to the one of the system",
    .enabled(if: getuid() == 0, "only root may put another folder in the place of /run"))
  func ofTheSystem() throws {
    let folder = try TemporaryFolder("home")
    try folder.reportingLogs {
      for name in ["run", "system"] { _ = try folder.makeFolder(name, mode: 0o755) }
      let own = try Daemon("run/confab", in: folder)
      let other = try Daemon("system/confab", in: folder)
      try own.client().ask("send bob@example.test hello")
      let mount = "mount --make-rprivate / && mount --bind \(folder.file("system")) /run && exec \"$0\""
      let screen = try open(
        ["unshare", "-m", "sh", "-c", mount, Products.program("confab")], folder,
        environment: ["XDG_RUNTIME_DIR": folder.file("run")])
      try own.terminate()
      try screen.wait(for: "No daemon, trying again: \(own.socketPath): No such file or directory")
      try write("for my own alone", screen)
      try own.start()
      try screen.wait(for: "the screen of a daemon that is back") { !$0.contains("No daemon") }
      try screen.wait(for: "the text, in the log,") { _ in try texts(own).contains("for my own alone") }
      #expect(try texts(other).isEmpty)
    }
  }

  @Test(
    "a text that waits does not go to a daemon of another user at the same path",
    .enabled(if: getuid() == 0, "only root may become other users"))
  func ofAnotherUser() throws {
    let folder = try TemporaryFolder("home")
    try folder.reportingLogs {
      try folder.letOthersThrough()
      let program = folder.file("confabd")
      try TestFiles.write(program, try #require(TestFiles.read(Products.program("confabd"))), mode: 0o755)
      let authority = try folder.write("ca.pem", try #require(TestFiles.text(Certificates.authority())), mode: 0o644)
      let account = Daemon.Account("alice", password: "secret-a", port: 1, tls: "direct", authority: authority)
      let become =
        "chown -R \(Self.user):\(Self.user) \(folder.file("other")) && "
        + "exec setpriv --reuid=\(Self.user) --regid=\(Self.user) --clear-groups -- \"$@\""
      let own = try Daemon("own", in: folder, accounts: [account])
      let other = try Daemon(
        "other", in: folder, accounts: [account], program: program, wrapper: ["sh", "-c", become, "sh"])
      try own.client().ask("send bob@example.test hello")
      let path = folder.file("socket")
      try runCommand("ln", "-s", own.socketPath, path)
      let screen = try open([Products.program("confab"), "--socket", path], folder)
      try runCommand("ln", "-sfn", other.socketPath, path)
      try own.terminate()
      try screen.wait(for: "another user (\(Self.user), not 0 as before)")
      try write("for my own alone", screen)
      try own.start()
      try runCommand("ln", "-sfn", own.socketPath, path)
      try screen.wait(for: "the text, in the log,") { _ in try texts(own).contains("for my own alone") }
      #expect(try texts(other).isEmpty)
    }
  }

  @Test("a text that waits does not go into another log at the same path: it is in the input again")
  func otherLog() throws {
    let folder = try TemporaryFolder("home")
    try folder.reportingLogs {
      let daemon = try Daemon(in: folder)
      try daemon.client().ask("send bob@example.test hello")
      let screen = try open([Products.program("confab"), "--socket", daemon.socketPath], folder)
      try daemon.terminate()
      try screen.wait(for: "No daemon, trying again")
      try write("for the first log", screen)
      try runCommand("rm", "-rf", daemon.dataPath)
      try daemon.start()
      try screen.wait(for: "The daemon has another log now. What was not sent is in its input again.")
      #expect(try texts(daemon).isEmpty)
      #expect(try daemon.client().request("draft bob@example.test").final.text("text") == "")
      try screen.press("F2")
      try screen.type("bob@example.test")
      try screen.press("Enter")
      try screen.wait(for: "› for the first log")
      try screen.press("Enter")
      try screen.wait(for: "the text, in the log,") { _ in try texts(daemon) == ["for the first log"] }
    }
  }
}
