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
      let texts = ["alice@", String(Self.password.prefix(20)), String(Self.password.suffix(16))]
      let counted = try Program.run(
        ["python3", "-B", Products.support("memory_count.py"), "\(try #require(daemon.processID))"] + texts)
      let counts = String(decoding: counted.output, as: UTF8.self).split(separator: "\n").compactMap { Int($0) }
      try #require(counts.count == 3)
      #expect(counts[0] > 0 && counts[1...] == [0, 0])
    }
  }
}
