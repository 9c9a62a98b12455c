import TestSupport
import Testing

@Suite("The password in memory")
struct PasswordMemoryTests {
  private static let password = "a-passphrase-found-if-it-is-there-4711"

  @Test(
    "is in no page of the daemon once it is signed in", arguments: ["password-file = ", "password-command = cat "])
  func wiped(way: String) throws {
    let folder = try TemporaryFolder("memory")
    try folder.reportingLogs {
      let server = try Prosody(in: folder, accounts: ["alice": Self.password])
      try folder.write("secret", Self.password + "\n", mode: 0o600)
      var account = server.account("alice")
      account.password = nil
      account.more = [way + folder.file("secret")]
      let daemon = try Daemon(in: folder, accounts: [account])
      try daemon.client().waitUntilOnline()
      try expectNone(in: daemon, beside: "alice@")
    }
  }

  @Test("that stands in the configuration goes with its account")
  func removed() throws {
    let folder = try TemporaryFolder("memory")
    try folder.reportingLogs {
      let server = try Prosody(in: folder, accounts: ["alice": Self.password, "bob": "another"])
      var (alice, bob) = (server.account("alice"), server.account("bob"))
      (alice.password, bob.password) = (Self.password, "another")
      let daemon = try Daemon(in: folder, accounts: [alice, bob])
      let client = try daemon.client()
      try client.waitUntilOnline()
      try daemon.configure(accounts: [bob])
      try client.ask("reload")
      // Its stream has to end first.
      let deadline = Deadline.seconds(60)
      while try counts(in: daemon, beside: "bob@")[1...] != [0, 0], !deadline.hasPassed {}
      try expectNone(in: daemon, beside: "bob@")
    }
  }

  private func expectNone(in daemon: Daemon, beside known: String) throws {
    let counts = try counts(in: daemon, beside: known)
    #expect(counts[0] > 0 && counts[1...] == [0, 0])
  }

  /// How often the daemon's memory has `known`, which shows that all of it was looked at, and both ends of the password.
  private func counts(in daemon: Daemon, beside known: String) throws -> [Int] {
    let texts = [known, String(Self.password.prefix(20)), String(Self.password.suffix(16))]
    let counted = try Program.run(
      ["python3", "-B", Products.support("memory_count.py"), "\(try #require(daemon.processID))"] + texts)
    let counts = String(decoding: counted.output, as: UTF8.self).split(separator: "\n").compactMap { Int($0) }
    try #require(counts.count == 3)
    return counts
  }
}
