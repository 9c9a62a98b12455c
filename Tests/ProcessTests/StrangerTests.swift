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

  @Test("what strangers without a conversation and presences left in the log can be forgotten and erased")
  func traces() throws {
    try withFriend { world in
      let senders = [("eve@evil.test", "e-secret"), ("s1@flood.test", "f-secret")]
      for (sender, secret) in senders {
        try world.server.send(
          "<message from='\(sender)/x' to='${jid}' id='p'><x xmlns='urn:example:none'>\(secret)</x></message>")
      }
      try world.server.send(
        "<presence from='bob@example.test/phone' to='${jid}'><status>b-secret</status></presence>")
      for (name, secret) in [("eve@evil.test", "en-secret"), ("s2@flood.test", "fn-secret")] {
        try world.server.send(
          "<presence from='\(name)' to='${jid}' type='subscribe'>"
            + "<nick xmlns='http://jabber.org/protocol/nick'>\(secret)</nick></presence>")
      }
      try settle(world, "hello")
      for jid in ["eve@evil.test", "flood.test", "bob@example.test"] {
        _ = try output(["--socket", world.daemon.socketPath, "forget-history", jid])
      }
      try world.daemon.terminate()
      let data = world.daemon.dataPath
      let holds = { (text: String) in
        [data, data + "/log"].contains { folder in
          TestFiles.names(in: folder).contains { TestFiles.contains("\(folder)/\($0)", text) }
        }
      }
      let secrets = ["e-secret", "f-secret", "b-secret", "en-secret", "fn-secret"]
      for secret in secrets { #expect(holds(secret), "\(secret)") }
      #expect(try output(["log", "scrub", "--data", data]).last?.hasSuffix("erased") == true)
      for secret in secrets + ["s1@"] { #expect(!holds(secret), "\(secret)") }
      try world.daemon.start()
      #expect(try world.daemon.client().request("history bob@example.test").data.isEmpty)
    }
  }

  @Test("a stranger's presence is no event")
  func unseen() throws {
    try withFriend { world in
      try settle(world, "the roster has come")
      _ = try world.client.request("watch kinds=presence since=now")
      for sender in ["eve@evil.test/x", "bob@example.test/phone"] {
        try world.server.send("<presence from='\(sender)' to='${jid}'/>")
      }
      let first = try world.client.event("presence")
      #expect(first.text("jid").hasPrefix("bob@example.test"), "\(first)")
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

  @Test("an address that looks like an option is an address behind `--`")
  func addresses() throws {
    try withFriend { world in
      let addresses = ["--help@evil.test", "until=x@evil.test", "tag=x@evil.test", "-@evil.test"]
      for address in addresses {
        let run = try Program.run(
          [Products.program("confab"), "--socket", world.daemon.socketPath, "send", "--jid", "--", address, "-"],
          input: Array("words for \(address)\n".utf8))
        #expect(run.status == .exited(0), "\(address): \(run.errorText)")
        let stanza = try world.server.received("message")
        #expect(stanza.contains("<body>words for \(address)<") && stanza.contains("to='\(address)'"), "\(stanza)")
      }
      let written = try world.client.request("conversations").data.compactMap { $0["conversation"]?.text("jid") }
      #expect(Set(written) == Set(addresses))
    }
  }

  /// The answer of a server to a request, without what the asker chose, the language and the order of attributes: decision 0097
  /// says why these cannot be the server's.
  private func answer(to eve: Peer, _ number: Int, from jid: String, _ type: String, _ payload: String) throws -> String
  {
    let id = "test-\(number)"
    try eve.send(xml: "<iq type='\(type)' id='\(id)' to='\(jid)'>\(payload)</iq>")
    let answer = try eve.event("iq") { $0.text("id") == id }
    #expect(answer.text("type") == "error", "\(answer)")
    let text = answer.text("canonical").replacing(id, with: "ID").replacing(jid, with: "JID")
    return text.replacing(#/ xml:lang="[^"]*"/#, with: "")
  }

  @Test("a stranger's request is answered with the error that the server gives for a resource that is not there")
  func requests() throws {
    let folder = try TemporaryFolder("requests")
    try folder.reportingLogs {
      let accounts = ["alice": "secret-a", "bob": "secret-b", "eve": "secret-e"]
      let world = try World(Prosody(in: folder, accounts: accounts), in: folder)
      let bob = try Peer("bob", password: "secret-b", at: world.server, in: folder)
      let eve = try Peer("eve", password: "secret-e", at: world.server, in: folder)
      _ = try world.client.sendToBob("hello")
      let own = try bob.message().text("from")
      #expect(own.hasPrefix("alice@example.test/"))
      let payloads = [
        "<query xmlns='jabber:iq:version'/>", "<ping xmlns='urn:xmpp:ping'/>", "<time xmlns='urn:xmpp:time'/>",
        "<query xmlns='http://jabber.org/protocol/disco#info'/>", "<query xmlns='jabber:iq:roster'/>",
        "<x xmlns='urn:example:unknown'><y z='1'>text</y></x>",
      ]
      var number = 0
      for payload in payloads {
        for type in ["get", "set"] {
          number += 2
          let ours = try answer(to: eve, number, from: own, type, payload)
          let servers = try answer(to: eve, number + 1, from: "alice@example.test/absent", type, payload)
          #expect(ours == servers)
        }
      }
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
        try eve.settle()
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
