import JSON
import LogTool
import Records
import Syscalls
import TestSupport
import Testing

/// Stamps in the server's name that a stranger wrote (XEP-0203), against a real server, which hands them on.
@Suite("Claimed stamps")
struct StampTests {
  private static let stamp = "2020-01-01T00:00:00Z"

  private func send(_ text: String, by eve: Peer) throws {
    try eve.send(
      xml: "<message to='alice@example.test' type='chat' id='\(text)'><body>\(text)</body>"
        + "<delay xmlns='urn:xmpp:delay' from='example.test' stamp='\(Self.stamp)'/></message>")
    try eve.settle()
  }

  /// Writes what a daemon does whose session has lasted longer than offline messages take: it took live messages just now.
  private func becomeOlder(_ daemon: Daemon) throws {
    let log = try WritableLog(daemon.dataPath)
    var stream = StreamRecord(account: 1)
    stream.lastLive = SystemClock.wallMilliseconds
    try log.append(.stream(stream))
    try log.close()
  }

  @Test("a stranger's stamp in the server's name is a claim, while we are away and live: the message came now")
  func forged() throws {
    let folder = try TemporaryFolder("stamps")
    try folder.reportingLogs {
      let accounts = ["alice": "secret-a", "eve": "secret-e"]
      let world = try World(Prosody(in: folder, accounts: accounts, archive: .none), in: folder)
      let eve = try Peer("eve", password: "secret-e", at: world.server, in: folder)
      #expect(try world.client.request("watch kinds=message").isOK)
      try eve.send("real", to: "alice@example.test")
      let before = try world.client.event("message")["message"]?.text("time") ?? ""
      try world.daemon.terminate()
      try becomeOlder(world.daemon)
      try send("away", by: eve)
      try world.daemon.start()
      let client = try world.daemon.client()
      #expect(try client.request("watch since=0 kinds=message").isOK)
      _ = try client.event("message") { $0["message"]?.text("text") == "away" }
      try send("live", by: eve)
      _ = try client.event("message") { $0["message"]?.text("text") == "live" }
      let asker = try world.daemon.client()
      let page = try asker.request("history limit=2 eve@example.test").data.compactMap { $0["message"] }
      #expect(page.map { $0.text("text") } == ["away", "live"])
      for message in page {
        #expect(message.text("time") >= before, "\(message)")
        #expect(message.text("claimed_time").hasPrefix("2020-01-01"), "\(message)")
      }
      #expect(page.last?["delayed"] == nil)
      #expect(try asker.request("unread in=eve@example.test").final["unread"]?.integer == 3)
    }
  }
}
