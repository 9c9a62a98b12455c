import JSON
import TestSupport
import Testing

/// What a server, or somebody who speaks in its name, must not get away with, beyond broken XML (HostileServerTests).
@Suite("Forgeries")
struct HostileStreamTests {
  private let stanzas = "urn:ietf:params:xml:ns:xmpp-stanzas"

  @Test("a roster push or result from a stranger changes nothing; a good one still does")
  func forgedRoster() throws {
    let forged = { (from: String, id: String, kind: String) in
      "<iq type='\(kind)' from='\(from)' id='\(id)'><query xmlns='jabber:iq:roster'>"
        + "<item jid='mallory@evil.test' subscription='both' name='Bank'/></query></iq>"
    }
    let prepare = { (server: ScriptedServer) in
      try server.rule(
        on: "roster-get", send: forged("mallory@evil.test/x", "${id}", "result"), then: .default, times: 1)
      try server.command(
        "set", [JSONMember("roster", .string("<item jid='carol@example.test' subscription='both'/>"))])
    }
    try withScriptedServer(prepare: prepare) { world throws in
      let watcher = try world.daemon.client()
      try watcher.ask("watch since=0 kinds=roster")
      for from in ["mallory@evil.test/x", "bob@example.test", "example.test", "alice@example.test.evil.test"] {
        try world.server.send(forged(from, "push-\(from)", "set"))
        let refusal = try world.server.received("iq") { $0.contains("push-\(from)") }
        #expect(refusal.contains("service-unavailable"), "\(refusal)")
      }
      try world.server.send(
        "<iq type='set' id='good'><query xmlns='jabber:iq:roster'><item jid='dave@example.test' subscription='to'/></query></iq>"
      )
      #expect(try world.server.received("iq") { $0.contains("'good'") }.contains("result"))
      let contacts = try world.client.ask("roster").data.compactMap { $0["contact"]?.text("jid") }
      #expect(contacts.sorted() == ["carol@example.test", "dave@example.test"])
    }
  }

  @Test("what stands before the features, between the steps or in the wrong one ends the stream, not the daemon")
  func outOfTurn() throws {
    let header =
      "<stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' version='1.0' id='x' from='example.test'>"
    let message = "<message from='bob@example.test/x'><body>too early</body></message>"
    let attacks: [(stage: String, text: String)] = [
      ("tls-header", header + message), ("tls-header", message), ("tls-header", header + "</stream:stream>"),
      ("tls-header", "HTTP/1.1 400 Bad Request\r\n\r\n"), ("auth", message), ("response", message),
      ("auth", "<challenge xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>!!!</challenge>"),
      ("auth", "<challenge xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>"),
      (
        "bind",
        "<iq type='result' id='${id}'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><jid>mallory@evil.test/x</jid></bind></iq>"
      ),
      ("bind", "<iq type='result' id='wrong'/>"), ("bind", message), ("enable", header),
    ]
    for attack in attacks {
      let prepare = { (server: ScriptedServer) in
        try server.rule(on: attack.stage, send: attack.text, then: .close, times: 1)
      }
      try withScriptedServer(prepare: prepare) { world throws in
        // Online again behind the attack; nothing of it was kept.
        #expect(try world.client.ask("conversations").data.isEmpty, "\(attack)")
        #expect(try world.client.request("send wait=sent bob@example.test hello").isOK)
      }
    }
  }

  @Test("what is sneaked in behind <proceed/> or behind the login's end is nobody's")
  func leftovers() throws {
    for (tls, stage, text) in [
      (
        "starttls", "starttls",
        "<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/><message><body>sneaked</body></message>"
      ),
      ("starttls", "starttls", "<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/> "),
      (
        "starttls", "header",
        "<stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' version='1.0'><stream:features/>"
      ),
    ] {
      try withScriptedServer(
        tls: tls, online: false, prepare: { try $0.rule(on: stage, send: text, times: 1) }
      ) { world throws in
        try world.daemon.wait(toSay: "account alice: waiting: ")
        try world.client.waitUntilOnline()
        #expect(try world.client.ask("conversations").data.isEmpty)
      }
    }
  }

  @Test("an acknowledgement of what was never sent ends the stream, and an error of the server's is told")
  func impossible() throws {
    try withScriptedServer { world throws in
      try world.server.event("bound")
      try world.server.send("<a xmlns='urn:xmpp:sm:3' h='4000000000'/>")
      #expect(try world.server.received("error").contains("undefined-condition"))
      try world.server.event("bound")
      try world.client.waitUntilOnline()
      try world.server.send(
        "<stream:error><system-shutdown xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></stream:error></stream:stream>")
      let account = try world.daemon.status { $0.text("state") == "waiting" }
      #expect(account.text("reason").contains("shutting down"))
      try world.server.event("bound")
    }
  }

  @Test("a stanza over our limits is skipped and counted; the stream goes on")
  func tooLarge() throws {
    try withScriptedServer { world throws in
      let processID = try #require(world.daemon.processID)
      for number in 1...5 {
        let big: [JSONValue] = [
          .string("<message from='bob@example.test/x' type='chat' id='\(number)'><body>"),
          .object([JSONMember("text", .string("0123456789abcdef")), JSONMember("repeat", .integer(1 << 18))]),
          .string("</body></message>"),
        ]
        try world.server.command("send", [JSONMember("send", .array(big))])
      }
      let deep = String(repeating: "<a>", count: 500) + String(repeating: "</a>", count: 500)
      try world.server.send("<message from='bob@example.test/x'>\(deep)</message>")
      try world.deliver("behind", id: "small")
      let watcher = try world.daemon.client()
      try watcher.ask("watch since=0 kinds=message")
      #expect(try watcher.event("message")["message"]?.text("text") == "behind")
      try world.server.command("ask")
      try world.server.event("acknowledged") { $0["h"] == $0["sent"] && $0["h"]?.integer ?? 0 >= 7 }
      #expect(try ProcessUsage(of: processID).residentKiB < 64 * 1024)
    }
  }

  @Test("what arrives is never an instruction to a terminal or to the journal")
  func terminal() throws {
    try withScriptedServer { world throws in
      let evil = "a\u{1B}\u{9B}\u{7F}\u{202E}\u{2028}b"
      let scalars = evil.unicodeScalars.filter { $0.value >= 0x20 }.map { String($0) }.joined()
      try world.deliver(scalars, id: "1", from: "bob@example.test/\u{202E}evil")
      let watcher = try world.daemon.client()
      try watcher.ask("watch since=0 kinds=message")
      let raw = try #require(try watcher.rawLine())
      #expect(!raw.contains { $0 < 0x20 || $0 == 0x7F })
      let text = String(decoding: raw, as: UTF8.self)
      #expect(!text.unicodeScalars.contains { $0 == "\u{9B}" || $0 == "\u{2028}" })
      let shown = try Program.run([
        "/usr/bin/python3", "-B", Products.support("terminal_answers.py"), "--", Products.program("confab"), "--socket",
        world.daemon.socketPath, "history", "bob@example.test",
      ])
      #expect(shown.status == .exited(0))
      #expect(!shown.text.unicodeScalars.contains { $0 == "\u{202E}" || $0 == "\u{9B}" || $0 == "\u{7F}" })
      #expect(shown.text.contains("b"))
    }
  }
}
