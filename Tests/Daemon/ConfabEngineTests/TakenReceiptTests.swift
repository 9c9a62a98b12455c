import Clocks
import State
import JSON
import ConfabConfiguration
import Testing

@testable import ConfabAccounts

/// XEP-0184 in the whole engine: what we hear of our messages; what others hear of theirs: ReceiptTests.
@Suite("receipts that are taken")
struct TakenReceiptTests {
  @Test("each message asks for one, but for what goes to myself")
  func asked() throws {
    let harness = try ReceiptTests.online()
    let client = harness.connect()
    _ = harness.ask(client, "send bob@example.org hello")
    #expect(
      harness.toServer.contains("<request xmlns='urn:xmpp:receipts'/><markable xmlns='urn:xmpp:chat-markers:0'/>"))
    harness.clearTrace()
    _ = harness.ask(client, "send alice@example.org hello")
    #expect(!harness.toServer.contains("<request"))
  }

  private func sent(_ harness: Harness, _ client: ClientID) throws -> (id: Int64, stanza: String) {
    let id = try #require(harness.ask(client, "send bob@example.org hello").last?["id"]?.integer)
    let stanza = try #require(ScriptedStream.value(of: "id", in: harness.toServer.components("<message").last ?? ""))
    return (id, stanza)
  }

  private func states(_ harness: Harness, _ client: ClientID) -> [String?] {
    harness.takeLines(client).filter { $0["event"]?.string == "state" }.map { $0["state"]?.string }
  }

  @Test("a receipt makes it delivered, told once, and whoever waits has his answer; an error behind it changes nothing")
  func taken() throws {
    let harness = try ReceiptTests.online()
    let (client, watcher) = (harness.connect(), harness.connect(2))
    _ = harness.ask(watcher, "watch")
    let (id, stanza) = try sent(harness, client)
    harness.send(client, "wait for=delivered \(id)\n")
    let receipt = "<received xmlns='urn:xmpp:receipts' id='\(stanza)'/>"
    for stranger in ["eve@example.org/x", "bob@example.com", "alice@example.org/x"] {
      harness.receive("<message from='\(stranger)' id='r'>\(receipt)</message>")
    }
    harness.receive("<message from='bob@example.org/x' type='error' id='r'>\(receipt)</message>")
    harness.receive("<message from='bob@example.org/x' type='groupchat' id='r'>\(receipt)</message>")
    harness.pass(.seconds(1))
    #expect(harness.takeLines(client).isEmpty)
    // Each of his devices has it.
    harness.receive("<message from='bob@example.org/x' type='normal'>\(receipt)</message>")
    harness.receive("<message from='bob@example.org/y' type='chat' id='r'>\(receipt)</message>")
    let error = "<error type='cancel'><service-unavailable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>"
    harness.receive("<message type='error' id='\(stanza)' from='bob@example.org'>\(error)</message>")
    harness.pass(.seconds(1))
    #expect(harness.takeLines(client).first?["state"]?.string == "delivered")
    #expect(states(harness, watcher) == ["sent", "delivered"])
    #expect(harness.ask(client, "send wait=delivered bob@example.org x").isEmpty)
  }

  @Test("a receipt of another resource follows an error of one, is reported too, and survives a restart")
  func afterError() throws {
    let harness = try ReceiptTests.online()
    let (client, watcher) = (harness.connect(), harness.connect(2))
    _ = harness.ask(watcher, "watch")
    let (id, stanza) = try sent(harness, client)
    let error = "<error type='cancel'><service-unavailable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>"
    harness.receive("<message type='error' id='\(stanza)' from='bob@example.org/x'>\(error)</message>")
    harness.pass(.seconds(1))
    #expect(harness.ask(client, "wait for=delivered \(id)").last?["error"]?.string == "failed")
    harness.receive("<message from='bob@example.org/y'><received xmlns='urn:xmpp:receipts' id='\(stanza)'/></message>")
    harness.receive("<message type='error' id='\(stanza)' from='bob@example.org/z'>\(error)</message>")
    harness.pass(.seconds(1))
    #expect(states(harness, watcher).suffix(2) == ["failed", "delivered"])
    #expect(harness.ask(client, "wait for=delivered \(id)").last?["state"]?.string == "delivered")
    let next = try Harness(on: harness.storage, server: harness.server, now: harness.now, seed: 2)
    let kept = next.ask(next.connect(3), "history bob@example.org").first?["message"]
    #expect(kept?["state"]?.string == "delivered" && kept?["failure"] == nil)
  }

  @Test("one that comes before the server's acknowledgement counts, and the message does not go again")
  func early() throws {
    var server = ReceiptTests.server(resumption: "max='600'")
    server.acknowledges = false
    let harness = try ReceiptTests.online(server)
    let client = harness.connect()
    let watcher = harness.connect(2)
    _ = harness.ask(watcher, "watch")
    let (id, stanza) = try sent(harness, client)
    harness.say("<message from='bob@example.org/x'><received xmlns='urn:xmpp:receipts' id='\(stanza)'/></message>")
    harness.pass(.seconds(1))
    harness.server.lost = 1
    harness.clearTrace()
    harness.cut()
    harness.pass(.minutes(1))
    #expect(!harness.toServer.contains("<body>"))
    #expect(harness.ask(client, "wait for=delivered \(id)").first?["state"]?.string == "delivered")
    #expect(states(harness, watcher) == ["delivered"])
  }

  @Test("it comes as a copy, too, for what went from here and for what went from there")
  func copied() throws {
    let harness = try ReceiptTests.online()
    let client = harness.connect()
    let (_, stanza) = try sent(harness, client)
    func carbon(_ direction: String, _ message: String) -> String {
      "<message from='alice@example.org'><\(direction) xmlns='urn:xmpp:carbons:2'>"
        + "<forwarded xmlns='urn:xmpp:forward:0'>\(message)</forwarded></\(direction)></message>"
    }
    let there = "alice@example.org/there"
    harness.receive(
      carbon(
        "sent", "<message xmlns='jabber:client' from='\(there)' to='bob@example.org' id='t1'><body>x</body></message>"))
    harness.pass(.seconds(1))
    for id in [stanza, "t1"] {
      harness.receive(
        carbon(
          "received",
          "<message xmlns='jabber:client' from='bob@example.org/x' to='\(there)'>"
            + "<received xmlns='urn:xmpp:receipts' id='\(id)'/></message>"))
    }
    harness.pass(.seconds(1))
    let found = harness.ask(client, "history bob@example.org").compactMap { $0["message"]?["state"]?.string }
    #expect(found == ["delivered", "delivered"])
  }

  @Test("it comes out of the archive, too, and settles what became of a message")
  func fromTheArchive() throws {
    var server = ArchiveTests.server(ScriptedArchive())
    server.roster = "<query xmlns='jabber:iq:roster'>\(ReceiptTests.bob)</query>"
    let harness = try ReceiptTests.online(server)
    let client = harness.connect()
    let (id, stanza) = try sent(harness, client)
    harness.cut()
    harness.server.archive?.items = [
      .init(
        id: "a1", stamp: harness.now.wall.rfc3339,
        xml: "<message xmlns='jabber:client' from='bob@example.org/x' to='alice@example.org'>"
          + "<received xmlns='urn:xmpp:receipts' id='\(stanza)'/></message>")
    ]
    harness.clearTrace()
    harness.pass(.minutes(1))
    #expect(!harness.toServer.contains("<body>"))
    #expect(harness.ask(client, "wait for=delivered \(id)").first?["state"]?.string == "delivered")
  }
}
