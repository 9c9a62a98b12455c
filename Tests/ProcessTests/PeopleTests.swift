import JSON
import TestSupport
import Testing

@Suite("Nicknames, profiles and what my devices have displayed, with slixmpp at real servers")
struct PeopleTests {
  private static let nick = "http://jabber.org/protocol/nick"
  private static let displayed = "urn:xmpp:mds:displayed:0"

  private static func pubsub(_ content: String) -> String {
    "<pubsub xmlns='http://jabber.org/protocol/pubsub'>\(content)</pubsub>"
  }

  private static func publish(_ node: String, _ item: String) -> String {
    pubsub("<publish node='\(node)'><item id='current'>\(item)</item></publish>")
  }

  @Test("Nicknames go both ways") func nicknames() throws {
    try withProsody { try nicknames($0) }
    try withEjabberd { try nicknames($0) }
  }

  private func nicknames(_ world: World<some LoginServer>) throws {
    let bob = try world.bob()
    try world.befriend(bob)
    let watcher = try world.daemon.client()
    #expect(try watcher.request("watch kinds=roster").isOK)
    try bob.ask("test-1", type: "set", Self.publish(Self.nick, "<nick xmlns='\(Self.nick)'>Bobby</nick>"))
    _ = try watcher.event("roster") { $0["contact"]?.text("nick") == "Bobby" }
    try bob.send("hello", to: "alice@example.test")
    let reader = try world.daemon.client()
    #expect(try reader.request("watch since=0 kinds=message").isOK)
    #expect(try reader.event("message")["message"]?.text("nick") == "Bobby")

    #expect(try world.client.request("nick Alice <3").isOK)
    #expect(try world.client.request("nick").final.text("nick") == "Alice <3")
    let items = try bob.ask(
      "test-2", type: "get", to: "alice@example.test", Self.pubsub("<items node='\(Self.nick)'/>"))
    #expect(items.text("xml").contains("Alice &lt;3"))
  }

  @Test("A profile comes from a vCard 4, else from an older vCard, and nobody has none")
  func profiles() throws {
    try withProsody(with: ["vcard"]) { try profiles($0) }
    try withEjabberd { try profiles($0) }
  }

  private func profiles(_ world: World<some LoginServer>) throws {
    let bob = try world.bob()
    try world.befriend(bob)
    #expect(try world.client.request("profile bob@example.test").final.text("error") == "not-found")
    #expect(try world.client.request("profile nobody@example.test").final.text("error") == "not-found")
    try bob.ask("test-1", type: "set", "<vCard xmlns='vcard-temp'><FN>Old Bob</FN><TITLE>Builder</TITLE></vCard>")
    func profile() throws -> JSONValue? {
      try world.client.request("profile bob@example.test").data.first?["profile"]
    }
    #expect(try profile()?.text("full_name") == "Old Bob")
    let card = "<vcard xmlns='urn:ietf:params:xml:ns:vcard-4.0'><fn><text>Bob</text></fn></vcard>"
    try bob.ask("test-2", type: "set", Self.publish("urn:xmpp:vcard4", card))
    #expect(try profile()?.text("full_name") == "Bob")
  }

  @Test("What one device has displayed is displayed on the others, also by devices that were away")
  func displayed() throws {
    try withProsody { try displayed($0) }
    try withEjabberd { try displayed($0) }
  }

  private func displayed(_ world: World<some LoginServer>) throws {
    let bob = try world.bob()
    let other = try Peer("alice", password: "secret-a", at: world.server, in: world.folder)
    // Its presence counts before bob writes.
    try other.settle()
    let watcher = try world.daemon.client()
    #expect(try watcher.request("watch kinds=message,read").isOK)
    for text in ["one", "two", "three"] {
      try bob.send(text, to: "alice@example.test", id: text)
      _ = try watcher.event("message")
    }
    func stanzaID(_ text: String) throws -> String {
      let xml = try other.event("message") { $0.text("text") == text }.text("xml")
      let parts = xml.split(separator: "urn:xmpp:sid:0").dropFirst()
      let id = parts.lazy.compactMap { $0.firstMatch(of: /\bid="([^"]+)"/)?.1 }.first
      return try #require(id.map { String($0) }, "\(xml)")
    }
    func items() throws -> String {
      try other.ask("test-items", type: "get", Self.pubsub("<items node='\(Self.displayed)'/>")).text("xml")
    }
    func publish(_ id: String, _ stanzaID: String) throws {
      try other.ask(
        id, type: "set",
        Self.pubsub(
          "<publish node='\(Self.displayed)'><item id='bob@example.test'><displayed xmlns='\(Self.displayed)'>"
            + "<stanza-id xmlns='urn:xmpp:sid:0' by='alice@example.test' id='\(stanzaID)'/></displayed></item>"
            + "</publish>"))
    }
    let (first, second, third) = (try stanzaID("one"), try stanzaID("two"), try stanzaID("three"))
    let ids = try world.client.historyWithBob().compactMap { $0["id"]?.integer }
    #expect(try world.client.request("read bob@example.test \(ids[0])").isOK)
    var found = ""
    let deadline = Deadline.seconds(60)
    while !found.contains(first), !deadline.hasPassed { found = (try? items()) ?? "" }
    #expect(found.contains(first))
    try publish("test-push", second)
    _ = try watcher.event("read") { $0["id"]?.integer == ids[1] }
    #expect(try world.client.request("unread in=bob@example.test").final["unread"]?.integer == 1)

    #expect(try world.client.request("disconnect").isOK)
    try publish("test-away", third)
    #expect(try world.client.request("connect").isOK)
    _ = try watcher.event("read") { $0["id"]?.integer == ids[2] }
    #expect(try world.client.request("unread in=bob@example.test").final["unread"]?.integer == 0)
  }
}
