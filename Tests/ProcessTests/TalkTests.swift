import JSON
import TestSupport
import Testing

/// Every kind of text that people write and that a real server lets through.
let texts = [
  "hello",
  "你好，世界：今天天气很好。",
  "👩‍👩‍👧‍👦 🏳️‍🌈 🙂 e\u{301} é",
  "שלום עולם, مرحبا بالعالم \u{202E}abc\u{202C}",
  "one\ntwo\n\n    four",
  "  spaces   kept  ",
  "tab\there <b>&amp;</b> \"quoted\" 'too' ]]>",
  String(repeating: "0123456789 abcdefgh\n", count: 1000) + "end",
]

@Suite("Talking to a real Prosody")
struct TalkTests {
  @Test(
    "texts of every kind go through both ways, by each mechanism and each kind of TLS",
    arguments: Prosody.PasswordHash.allCases, ["starttls", "direct"])
  func bothWays(hash: Prosody.PasswordHash, tls: String) throws {
    let folder = try TemporaryFolder("talk")
    try folder.reportingLogs {
      let world = try World(try Prosody(in: folder, hash: hash), in: folder, tls: tls)
      let bob = try Peer("bob", password: "secret-b", at: world.server, in: folder)
      let watcher = try world.daemon.client()
      #expect(try watcher.request("watch kinds=message").isOK)
      for text in texts {
        #expect(try world.client.sendToBob(text).isOK)
        #expect(Array(try bob.message().text("text").utf8) == Array(text.utf8))
        try bob.send(text, to: "alice@example.test")
        let came = try watcher.event("message") { $0["message"]?["mine"]?.bool == false }
        #expect(Array(came["message"]?.text("text").utf8 ?? "".utf8) == Array(text.utf8))
        #expect(came["message"]?.text("from") == bob.fullJID)
      }
      #expect(try world.client.historyWithBob().count == 2 * texts.count)
    }
  }

  @Test("status says how it is logged in", arguments: Prosody.PasswordHash.allCases)
  func status(hash: Prosody.PasswordHash) throws {
    let folder = try TemporaryFolder("talk")
    try folder.reportingLogs {
      let world = try World(try Prosody(in: folder, hash: hash), in: folder)
      let account = try world.client.account()
      #expect(account.text("state") == "online")
      #expect(account.text("jid") == "alice@example.test")
      #expect(account.text("tls").hasPrefix("TLSv1.3"))
      #expect(account.text("sasl") == "SCRAM-" + hash.rawValue)
    }
  }

  @Test("a line of shell sends a message")
  func netcat() throws {
    let folder = try TemporaryFolder("talk")
    try folder.reportingLogs {
      let world = try World(try Prosody(in: folder), in: folder)
      let bob = try Peer("bob", password: "secret-b", at: world.server, in: folder)
      let done = try Program.run(
        ["nc", "-NU", world.daemon.socketPath], input: Array("send bob@example.test hello\n".utf8))
      let lines = done.text.split(separator: "\n")
      #expect(lines.count == 2)
      #expect(lines.first?.hasPrefix("{\"confab\":1,") == true)
      #expect(lines.last?.hasPrefix("{\"ok\":true,\"id\":") == true)
      #expect(try bob.message().text("text") == "hello")
    }
  }

  @Test("what was sent while nobody was there goes out at the login, in order, and is `sent`")
  func outbox() throws {
    let folder = try TemporaryFolder("talk")
    try folder.reportingLogs {
      let prosody = try Prosody(in: folder)
      let bob = try Peer("bob", password: "secret-b", at: prosody, in: folder)
      let world = try World(prosody, in: folder)
      #expect(try world.client.request("disconnect").isOK)
      let ids = try (1...5).map { try world.client.sendToBob("offline \($0)").id ?? 0 }
      try world.daemon.kill()
      try world.daemon.start()
      let client = try world.daemon.client()
      #expect(try client.request("connect").isOK)
      for number in 1...5 { #expect(try bob.message().text("text") == "offline \(number)") }
      for id in ids { #expect(try client.request("wait for=sent timeout=60s \(id)").isOK) }
    }
  }
}
