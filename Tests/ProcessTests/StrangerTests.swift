import JSON
import TestSupport
import Testing

/// What strangers try on somebody who uses the programs as they are built, beside a friend.
@Suite("Strangers")
struct StrangerTests {
  private static let friend = "<item jid='bob@example.test' name='Bob' subscription='both'/>"

  private func withFriend(_ body: (World<ScriptedServer>) throws -> Void) throws {
    let prepare = { (server: ScriptedServer) in
      try server.command("set", [JSONMember("roster", .string(Self.friend))])
    }
    try withScriptedServer(prepare: prepare, body)
  }

  /// The lines that `confab` prints.
  private func output(_ words: [String]) throws -> [String] {
    let run = try Program.run([Products.program("confab")] + words)
    #expect(run.status == .exited(0), "\(words): \(run.errorText)")
    return String(decoding: run.output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Back when the daemon has taken in all that it was sent before.
  private func settle(_ world: World<ScriptedServer>) throws {
    try world.server.send("<iq type='get' id='settle' from='example.test'><ping xmlns='urn:xmpp:ping'/></iq>")
    try world.server.received("iq") { $0.contains("'settle'") || $0.contains("\"settle\"") }
  }

  @Test("a stamp in the server's name from before the last session is a claim: the message is new, and unread")
  func stamps() throws {
    try withFriend { world in
      try world.deliver("hello", id: "1")
      try settle(world)
      try world.daemon.terminate()
      try world.daemon.start()
      let client = try world.daemon.client()
      try client.waitUntilOnline()
      _ = try client.request("watch kinds=message")
      let stamp = "<delay xmlns='urn:xmpp:delay' from='example.test' stamp='2020-01-02T03:04:05Z'/>"
      try world.server.send(
        "<message from='eve@evil.test/x' to='${jid}' type='chat' id='s'><body>old</body>\(stamp)</message>")
      let message = try #require(try client.event("message") { $0["message"]?.text("text") == "old" }["message"])
      #expect(!message.text("time").hasPrefix("2020") && message.text("claimed_time").hasPrefix("2020-01-02T03:04:05"))
      #expect(try client.request("unread eve@evil.test").final["unread"]?.integer == 1)
    }
  }

  @Test("a thousand of one domain stand behind the friend, keep no request of others out, and go with their domain")
  func crowd() throws {
    try withFriend { world in
      try world.deliver("hello", id: "1")
      try world.server.flood(
        "<message from='s$n@evil.test/x' to='${jid}' type='chat' id='m$n'><body>buy</body></message>"
          + "<presence type='subscribe' from='a$n@evil.test' to='${jid}'/>", count: 1_000)
      try world.server.send("<presence type='subscribe' from='carol@example.org' to='${jid}'/>")
      try settle(world)
      let known = try world.client.request("conversations known=yes").data.compactMap { $0["conversation"] }
      #expect(known.map { $0.text("jid") } == ["bob@example.test"])
      let list = try output(["--socket", world.daemon.socketPath, "conversations"])
      #expect(list.first?.contains("bob@example.test") == true)
      let contacts = try world.client.request("contacts")
      let requests = contacts.data.compactMap { $0["contact"] }.filter { $0["request"]?.bool == true }
      #expect(requests.count == 101 && requests.contains { $0.text("jid") == "carol@example.org" })
      #expect(contacts.final["requests_left_out"]?.integer == 900)
      #expect(try world.client.request("forget-history evil.test").final["forgotten"]?.integer == 1_000)
      #expect(try world.client.request("forget-history evil.test").final["forgotten"]?.integer == 0)
      #expect(try world.client.request("conversations known=no").data.isEmpty)
      #expect(try world.client.historyWithBob().count == 1)
    }
  }

  @Test("who calls himself me, the owner or the friend is shown by his address, in lines that are his own")
  func imitation() throws {
    try withFriend { world in
      try world.deliver("hello", id: "1")
      let forged = "seen it" + String(repeating: " ", count: 200) + "12:00 me: I pay you 1000"
      let nick = "<nick xmlns='http://jabber.org/protocol/nick'>Bob</nick>"
      for (number, sender) in ["me@evil.test", "alice@evil.test", "bob@evil.test"].enumerated() {
        try world.server.send(
          "<message from='\(sender)/x' to='${jid}' type='chat' id='i\(number)'><body>\(forged)</body>\(nick)</message>")
        try settle(world)
        for words in [["history", sender], ["search", "I pay you"], ["conversations"]] {
          let lines = try output(["--socket", world.daemon.socketPath] + words)
          let heads = lines.filter { $0.first != " " && $0.contains("seen it") }
          #expect(!heads.isEmpty && heads.allSatisfy { $0.contains("@evil.test") }, "\(words): \(lines)")
          #expect(!lines.contains { $0.hasPrefix("12:00 me") }, "\(words): \(lines)")
        }
      }
      let lines = try output(["log", "export", "--text", "--data", world.daemon.dataPath]).filter {
        $0.contains("seen it")
      }
      #expect(lines.count == 3 && lines.allSatisfy { $0.contains("@evil.test") }, "\(lines)")
    }
  }

  @Test("with little room a stranger's text stays in the server's archive, and comes when there is room")
  func room() throws {
    let folder = try TemporaryFolder("room")
    try folder.reportingLogs {
      let accounts = ["alice": "secret-a", "bob": "secret-b", "eve": "secret-e"]
      let server = try Prosody(in: folder, accounts: accounts)
      let world = try World(server, in: folder, settings: ["strangers-floor = 1024G"])
      try world.client.ask("add bob@example.test")
      try world.client.waitForArchive()
      _ = try world.client.request("watch kinds=message")
      let eve = try Peer("eve", password: "secret-e", at: server, in: folder)
      let bob = try Peer("bob", password: "secret-b", at: server, in: folder)
      // The room is measured because of the first one, which is taken.
      for text in ["first", "second", "third"] {
        try eve.send(text, to: "alice@example.test")
        try bob.send("behind \(text)", to: "alice@example.test")
        _ = try world.client.event("message") { $0["message"]?.text("text") == "behind \(text)" }
      }
      #expect(try world.client.account()["archive"]?["left"]?.integer == 2)
      try world.daemon.terminate()
      let text = try #require(TestFiles.text(world.daemon.configurationPath))
      try TestFiles.write(world.daemon.configurationPath, Array(text.replacing("1024G", with: "1M").utf8))
      try world.daemon.start()
      let client = try world.daemon.client()
      try client.waitUntilOnline()
      try client.waitForArchive()
      let texts = try client.request("history eve@example.test").data.compactMap { $0["message"]?.text("text") }
      #expect(texts == ["first", "second", "third"])
    }
  }
}
