import Glibc
import JSON
import TestSupport
import Testing

@Suite("contacts and presence")
struct RosterTests {
  private func contact(_ client: SocketClient, _ jid: String) throws -> JSONValue? {
    try client.ask("roster").data.compactMap { $0["contact"] }.first { $0.text("jid") == jid }
  }

  /// The next `roster` event of bob that fits.
  private func event(_ watcher: SocketClient, where fits: (JSONValue) -> Bool) throws -> JSONValue {
    try #require(try watcher.event("roster") { $0["contact"].map(fits) ?? false }["contact"])
  }

  @Test("a roster of 100,000 contacts costs memory for the contacts, not for the answer as well")
  func large() throws {
    let items = (0..<100_000).map { number in
      "<item jid='contact-\(number)@example.test' name='Contact \(number)' subscription='both'/>"
    }
    let prepare = { (server: ScriptedServer) in
      try server.command("set", [JSONMember("roster", .string(items.joined()))])
    }
    try withScriptedServer(prepare: prepare) { world throws in
      let processID = try #require(world.daemon.processID)
      let watcher = try world.daemon.client()
      try watcher.ask("watch since=0 kinds=roster")
      _ = try watcher.event("roster") { $0["contact"]?.text("jid") == "contact-99999@example.test" }
      let peak = try ProcessUsage(of: processID).peakKiB
      #expect(peak < 160 * 1024, "\(peak) KiB")
      let account = try world.client.account()
      #expect(account.text("state") == "online" && account["roster"] == nil)
    }
  }

  @Test("a contact is added, answers, asks back, is accepted, seen, and removed")
  func life() throws {
    try withProsody { world throws in
      let bob = try world.bob()
      let watcher = try world.daemon.client()
      try watcher.ask("watch kinds=roster")
      let presences = try world.daemon.client()
      try presences.ask("watch kinds=presence")
      #expect(try world.client.ask("roster").data.isEmpty)

      try world.client.ask("add name=Bobby group=Friends bob@example.test")
      let asked = try event(watcher) { $0.text("ask") == "subscribe" }
      #expect(asked.text("name") == "Bobby")
      #expect(asked["groups"]?.array == [.string("Friends")])
      #expect(asked.text("subscription") == "none")
      #expect(try bob.event("presence") { $0.text("type") == "subscribe" }.text("from") == "alice@example.test")

      try bob.sendPresence(to: "alice@example.test", type: "subscribed")
      _ = try event(watcher) { $0.text("subscription") == "to" && $0["ask"] == nil }
      #expect(try presences.event("presence") { $0.text("show") == "available" }.text("jid") == "bob@example.test")
      try bob.sendPresence(show: "dnd", status: "busy  now")
      #expect(try presences.event("presence") { $0.text("show") == "dnd" }.text("status") == "busy  now")
      let seen = try #require(try contact(world.client, "bob@example.test")?["presence"]?.array?.first)
      #expect(seen.text("show") == "dnd")
      #expect("bob@example.test/" + seen.text("resource") == bob.fullJID)

      try bob.sendPresence(to: "alice@example.test", type: "subscribe")
      #expect(try event(watcher) { $0["request"]?.bool == true }.text("jid") == "bob@example.test")
      #expect(try contact(world.client, "bob@example.test")?["request"]?.bool == true)
      try world.client.ask("accept bob@example.test")
      _ = try bob.event("presence") { $0.text("type") == "subscribed" }
      _ = try event(watcher) { $0.text("subscription") == "both" && $0["request"] == nil }
      try world.client.ask("presence away gone  fishing")
      let away = try bob.event("presence") { $0.text("show") == "away" }
      #expect(away.text("status") == "gone  fishing")
      #expect(away.text("from").hasPrefix("alice@example.test/"))

      let group = try #require(try world.client.ask("groups").data.first?["group"])
      #expect(group.text("name") == "Friends")
      #expect(group["contacts"]?.integer == 1)

      try world.client.ask("add group=Chess bob@example.test")
      #expect(
        try event(watcher) { $0["groups"]?.array?.count == 2 }["groups"]?.array == [
          .string("Friends"), .string("Chess"),
        ])
      try world.client.ask("remove group=Friends bob@example.test")
      let left = try event(watcher) { $0["groups"]?.array == [.string("Chess")] }
      #expect(left.text("name") == "Bobby" && left.text("subscription") == "both")

      try world.client.ask("remove bob@example.test")
      _ = try event(watcher) { $0.text("subscription") == "remove" }
      #expect(try world.client.ask("roster").data.isEmpty)
      _ = try bob.event("presence") { $0.text("type") == "unsubscribe" }
    }
  }

  @Test("a request is denied")
  func deny() throws {
    try withProsody { world throws in
      let watcher = try world.daemon.client()
      try watcher.ask("watch kinds=roster")
      let bob = try world.bob()
      try bob.sendPresence(to: "alice@example.test", type: "subscribe")
      _ = try event(watcher) { $0["request"]?.bool == true }
      try world.client.ask("deny bob@example.test")
      _ = try bob.event("presence") { $0.text("type") == "unsubscribed" }
      _ = try event(watcher) { $0["request"] == nil }
      #expect(try contact(world.client, "bob@example.test") == nil)
    }
  }

  @Test("presence and contacts are known after a restart, and presence is announced as it was left")
  func restart() throws {
    try withProsody { world throws in
      let watcher = try world.daemon.client()
      try watcher.ask("watch kinds=roster")
      let bob = try world.bob()
      try world.client.ask("presence xa asleep")
      try world.client.ask("add bob@example.test")
      _ = try bob.event("presence") { $0.text("type") == "subscribe" }
      try bob.sendPresence(to: "alice@example.test", type: "subscribed")
      _ = try event(watcher) { $0.text("subscription") == "to" }
      try bob.sendPresence(to: "alice@example.test", type: "subscribe")
      _ = try event(watcher) { $0["request"]?.bool == true }
      try world.client.ask("accept bob@example.test")
      _ = try bob.event("presence") { $0.text("show") == "xa" }
      // A person ends it: the stream is closed, not left.
      try world.daemon.signal(SIGINT)
      try world.daemon.waitForEnd()
      _ = try bob.event("presence") { $0.text("type") == "unavailable" }
      try world.daemon.start()
      let client = try world.daemon.client()
      #expect(try contact(client, "bob@example.test")?.text("subscription").isEmpty == false)
      #expect(try bob.event("presence") { $0.text("show") == "xa" }.text("status") == "asleep")
    }
  }

  @Test("a roster with a version is fetched once: the second login names it and is sent nothing")
  func versioning() throws {
    let item = "<item jid='carol@example.test' name='Carol' subscription='both'><group>Work</group></item>"
    let prepare = { (server: ScriptedServer) in
      try server.command("set", [JSONMember("features", .string("<ver xmlns='urn:xmpp:features:rosterver'/>"))])
      try server.rule(
        on: "roster-get",
        send: "<iq type='result' id='${id}'><query xmlns='jabber:iq:roster' ver='v7'>\(item)</query></iq>",
        times: 1)
      try server.rule(on: "roster-get", send: "<iq type='result' id='${id}'/>")
    }
    try withScriptedServer(prepare: prepare) { world throws in
      let watcher = try world.daemon.client()
      try watcher.ask("watch since=0 kinds=roster")
      _ = try event(watcher) { $0.text("jid") == "carol@example.test" }
      #expect(try world.server.received("roster-get").contains("ver=''"))
      try world.daemon.kill()
      try world.daemon.start()
      let client = try world.daemon.client()
      try client.waitUntilOnline()
      #expect(try world.server.received("roster-get").contains("ver='v7'"))
      let carol = try #require(try contact(client, "carol@example.test"))
      #expect(carol.text("name") == "Carol")

      try world.server.send(
        "<iq type='set' id='p1'><query xmlns='jabber:iq:roster' ver='v8'>"
          + "<item jid='carol@example.test' subscription='remove'/></query></iq>")
      #expect(try world.server.received("iq") { $0.contains("'p1'") }.contains("result"))
      #expect(try contact(client, "carol@example.test") == nil)
      try world.daemon.kill()
      try world.daemon.start()
      #expect(try world.server.received("roster-get").contains("ver='v8'"))
    }
  }

  @Test("what needs the server is refused while there is none, and what it refuses is told")
  func refusals() throws {
    try withScriptedServer { world throws in
      let client = world.client
      try world.server.rule(
        on: "roster-set",
        send:
          "<iq type='error' id='${id}'><error type='cancel'><not-allowed xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/>"
          + "<text xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'>no more contacts</text></error></iq>")
      let refused = try client.request("add bob@example.test")
      #expect(refused.error == "failed")
      #expect(refused.final.text("reason").contains("no more contacts"))
      try client.ask("disconnect")
      try world.server.event("end")
      #expect(try client.request("add bob@example.test").error == "not-connected")
      #expect(try client.request("add @nonsense").error == "bad-argument")
    }
  }
}
