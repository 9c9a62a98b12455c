import JSON
import TestSupport
import Testing

/// XEP-0184 and XEP-0333 with slixmpp on the other side of a real Prosody.
@Suite("Receipts and markers, with slixmpp")
struct ReceiptTests {
  /// Alice and bob see each other's presence.
  private func befriended(in folder: TemporaryFolder) throws -> (world: World<Prosody>, bob: Peer) {
    let world = try World(try Prosody(in: folder), in: folder)
    let bob = try Peer("bob", password: "secret-b", at: world.server, in: folder, receipts: true)
    try world.befriend(bob)
    return (world, bob)
  }

  @Test("what slixmpp gives makes a message delivered and displayed, and it gets what it asks for")
  func bothWays() throws {
    let folder = try TemporaryFolder("receipts")
    try folder.reportingLogs {
      let (world, bob) = try befriended(in: folder)
      let sent = try world.client.request("send wait=delivered timeout=60s bob@example.test hello")
      #expect(sent.isOK && sent.final.text("state") == "delivered")
      let stanza = try bob.message().text("id")
      try bob.send(
        xml: "<message to='alice@example.test' type='chat'>"
          + "<displayed xmlns='urn:xmpp:chat-markers:0' id='\(stanza)'/></message>")
      #expect(try world.client.request("wait for=displayed timeout=60s \(sent.id ?? 0)").isOK)
      try bob.send(
        xml: "<message to='alice@example.test' type='chat' id='marked'><body>hello</body>"
          + "<request xmlns='urn:xmpp:receipts'/><markable xmlns='urn:xmpp:chat-markers:0'/></message>")
      #expect(try bob.event("receipt").text("about") == "marked")
      #expect(try world.client.request("read bob@example.test").isOK)
      let marker = try bob.event("displayed")
      #expect(marker.text("about") == "marked")
      #expect(marker.text("from").hasPrefix("alice@example.test/"))
    }
  }

  @Test("a daemon that is killed between two messages owes their receipts, and gives them when it is back")
  func killed() throws {
    let folder = try TemporaryFolder("receipts")
    try folder.reportingLogs {
      let (world, bob) = try befriended(in: folder)
      for round in 1...3 {
        for number in 1...5 { try bob.send("\(round) \(number)", to: "alice@example.test", id: "r\(round)n\(number)") }
        try world.daemon.kill()
        try world.daemon.start()
      }
      var missing = Set((1...3).flatMap { round in (1...5).map { "r\(round)n\($0)" } })
      while !missing.isEmpty { missing.remove(try bob.event("receipt").text("about")) }
      let client = try world.daemon.client()
      #expect(try client.history("bob@example.test").count == 15)
    }
  }
}
