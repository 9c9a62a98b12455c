import JSON
import TestSupport
import Testing

@Suite("A password command")
struct PasswordCommandTests {
  /// A daemon whose password is what a file has, each reading of which is noted in another.
  private func withCommand(
    password: String, _ body: (_ server: Prosody, _ daemon: Daemon, _ folder: TemporaryFolder) throws -> Void
  ) throws {
    let folder = try TemporaryFolder("command")
    try folder.reportingLogs {
      let server = try Prosody(in: folder)
      try folder.write("password", password + "\n")
      var account = server.account("alice")
      account.password = nil
      account.more = ["password-command = echo >>'\(folder.file("runs"))'; cat '\(folder.file("password"))'"]
      try body(server, try Daemon(in: folder, accounts: [account]), folder)
    }
  }

  private func runs(_ folder: TemporaryFolder) -> Int { TestFiles.read(folder.file("runs"))?.count ?? 0 }

  @Test("is run once, whatever becomes of the connection; a restart of the daemon runs it again")
  func once() throws {
    try withCommand(password: "secret-a") { server, daemon, folder in
      try daemon.client().waitUntilOnline()
      let client = try daemon.client()
      try client.ask("watch kinds=connection")
      try server.kill()
      _ = try client.event("connection") { $0.text("state") == "waiting" }
      try server.start()
      try daemon.client().waitUntilOnline()
      #expect(runs(folder) == 1)
      try daemon.terminate()
      try daemon.start()
      try daemon.client().waitUntilOnline()
      #expect(runs(folder) == 2)
    }
  }

  @Test("is run again after the password was refused, and at its change in the configuration")
  func again() throws {
    try withCommand(password: "wrong") { server, daemon, folder in
      try daemon.status { $0.text("state") == "refused" }
      try folder.write("password", "secret-a\n")
      try daemon.client().ask("connect")
      try daemon.client().waitUntilOnline()
      #expect(runs(folder) == 2)
    }
  }
}
