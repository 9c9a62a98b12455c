import JSON
import TestSupport
import Testing

/// Strangers, beside a friend, against the programs as they are built.
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

  /// Back when all that the server sent before is durable.
  private func settle(_ world: World<ScriptedServer>, _ text: String) throws {
    try world.deliver(text, id: text)
    let client = try world.daemon.client()
    _ = try client.request("watch since=0 kinds=message")
    _ = try client.event("message") { $0["message"]?.text("text") == text }
  }

  @Test("a thousand of one domain stand behind the friend, keep no request of others out, and go with their domain")
  func crowd() throws {
    try withFriend { world in
      try world.server.flood(
        "<message from='s$n@evil.test/x' type='chat' id='m$n'><body>buy</body></message>"
          + "<presence type='subscribe' from='a$n@evil.test'/>", count: 1_000)
      try world.server.send("<presence type='subscribe' from='carol@example.org' to='${jid}'/>")
      try settle(world, "hello")
      let known = try world.client.request("conversations known=yes").data.compactMap { $0["conversation"] }
      #expect(known.map { $0.text("jid") } == ["bob@example.test"])
      let list = try output(["--socket", world.daemon.socketPath, "conversations"])
      #expect(list.first?.contains("bob@example.test") == true)
      let contacts = try world.client.request("roster")
      let requests = contacts.data.compactMap { $0["contact"] }.filter { $0["request"]?.bool == true }
      #expect(requests.count == 101)
      #expect(requests.contains { $0.text("jid") == "carol@example.org" })
      #expect(contacts.final["requests_left_out"]?.integer == 900)
      #expect(try world.client.request("forget-history evil.test").final["forgotten"]?.integer == 1_000)
      #expect(try world.client.request("forget-history evil.test").final["forgotten"]?.integer == 0)
      #expect(try world.client.request("conversations known=no").data.isEmpty)
      #expect(try world.client.historyWithBob().count == 1)
    }
  }

  @Test("a sender whose name imitates me, the owner or a friend is shown by the address")
  func imitation() throws {
    try withFriend { world in
      let forged = "seen it" + String(repeating: " ", count: 200) + "12:00 me: I pay you 1000"
      let nick = "<nick xmlns='http://jabber.org/protocol/nick'>Bob</nick>"
      for (number, sender) in ["me@evil.test", "alice@evil.test", "bob@evil.test"].enumerated() {
        try world.server.send(
          "<message from='\(sender)/x' to='${jid}' type='chat' id='i\(number)'><body>\(forged)</body>\(nick)</message>")
        try settle(world, "hello \(number)")
        for words in [["history", sender], ["search", "I pay you"], ["conversations"]] {
          let lines = try output(["--socket", world.daemon.socketPath] + words)
          let heads = lines.filter { $0.contains("seen it") }
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

  /// A client of the next daemon, which has fetched what is in the archive.
  private func restarted(_ world: World<Prosody>) throws -> SocketClient {
    try world.daemon.terminate()
    try world.daemon.start()
    let client = try world.daemon.client()
    try client.waitUntilOnline()
    try client.waitForArchive()
    return client
  }

  @Test("with little room a stranger's text stays in the server's archive, and comes when there is room")
  func room() throws {
    let folder = try TemporaryFolder("room")
    try folder.reportingLogs {
      let accounts = ["alice": "secret-a", "bob": "secret-b", "eve": "secret-e"]
      let server = try Prosody(in: folder, accounts: accounts)
      let world = try World(server, in: folder, settings: ["strangers-floor = 1024G"])
      try world.client.ask("add bob@example.test")
      let eve = try Peer("eve", password: "secret-e", at: server, in: folder)
      let bob = try Peer("bob", password: "secret-b", at: server, in: folder)
      _ = try world.client.request("watch kinds=message")
      try bob.send("hello", to: "alice@example.test")
      _ = try world.client.event("message")
      // From now on its position in the archive is known.
      var client = try restarted(world)
      _ = try client.request("watch kinds=message")
      // The room is measured because of the first one, which is taken.
      for text in ["first", "second", "third"] {
        try eve.send(text, to: "alice@example.test")
        try bob.send("behind \(text)", to: "alice@example.test")
        _ = try client.event("message") { $0["message"]?.text("text") == "behind \(text)" }
      }
      #expect(try client.account()["archive"]?["left"]?.integer == 2)
      let text = try #require(TestFiles.text(world.daemon.configurationPath))
      try TestFiles.write(world.daemon.configurationPath, Array(text.replacing("1024G", with: "1M").utf8))
      client = try restarted(world)
      let texts = try client.request("history eve@example.test").data.compactMap { $0["message"]?.text("text") }
      #expect(texts == ["first", "second", "third"])
    }
  }
}
