import TestSupport
import Testing

@Suite("A password beyond ASCII")
struct PreparedPasswordTests {
  @Test("signs in however it was typed: both sides hash what SASLprep makes of it")
  func prepared() throws {
    let folder = try TemporaryFolder("prepared")
    try folder.reportingLogs {
      let server = try Prosody(in: folder, accounts: ["alice": "a\u{E9} IX \u{5BC6}\u{7801}"])
      let typed = "\u{AA}e\u{301}\u{A0}\u{2168}\u{AD} \u{5BC6}\u{7801}"
      let daemon = try Daemon(in: folder, accounts: [server.account("alice", password: typed)])
      try daemon.client().waitUntilOnline()
    }
  }

  @Test("that no server can have is refused in words, and not shown")
  func unusable() throws {
    let folder = try TemporaryFolder("prepared")
    try folder.reportingLogs {
      let server = try Prosody(in: folder)
      let daemon = try Daemon(in: folder, accounts: [server.account("alice", password: "hunter2\u{E000}")])
      let account = try daemon.status { $0.text("state") == "refused" }
      #expect(account.text("reason").hasPrefix("the password contains a character that SASLprep prohibits"))
      #expect(!account.text("reason").contains("hunter2") && !daemon.log.contains("hunter2"))
    }
  }
}
