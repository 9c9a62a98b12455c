import Clocks
import State
import JSON
import Testing

@testable import ConfabEngine

/// XEP-0280 in the whole engine: what goes to and from my other devices.
@Suite("carbon copies")
struct CarbonTests {
  private static let carbons = "urn:xmpp:carbons:2"

  private func harness(_ features: [String] = [carbons], account: [String] = []) throws -> Harness {
    var server = ScriptedStream()
    server.serverFeatures = features
    server.features = account
    return try Harness(server: server)
  }

  private func carbon(_ direction: String, _ message: String) -> String {
    "<message from='alice@example.org' to='alice@example.org/confab' type='chat'><\(direction) xmlns='urn:xmpp:carbons:2'>"
      + "<forwarded xmlns='urn:xmpp:forward:0'>\(message)</forwarded></\(direction)></message>"
  }

  private func message(
    from: String, to: String, _ text: String, id: String = "m1", more: String = ""
  ) -> String {
    "<message xmlns='jabber:client' from='\(from)' to='\(to)' id='\(id)' type='chat'><body>\(text)</body>\(more)</message>"
  }

  private func history(_ jid: String, _ harness: Harness) -> [JSONValue] {
    harness.ask(harness.connect(99), "history \(jid)").compactMap { $0["message"] }
  }

  @Test(
    "they are enabled where the server, or the account, offers them",
    arguments: [([carbons], [], 1), ([], [carbons], 1), ([carbons], [carbons], 1), ([], [], 0)]
      as [([String], [String], Int)])
  func enabling(server: [String], account: [String], times: Int) throws {
    let harness = try harness(server, account: account)
    harness.pass(.seconds(1))
    #expect(harness.toServer.components("<enable xmlns='urn:xmpp:carbons:2'/>").count - 1 == times)
  }

  @Test("a server that refuses to say what it can do loses nothing")
  func refusal() throws {
    let harness = try Harness()
    harness.receive("<message from='bob@example.org/x'><body>x</body></message>")
    harness.pass(.seconds(1))
    #expect(history("bob@example.org", harness).count == 1)
  }

  @Test("what I write on another device appears as mine, in the conversation that it belongs to")
  func sent() throws {
    let harness = try harness()
    harness.receive(
      carbon("sent", message(from: "alice@example.org/tablet", to: "bob@example.org/x", "from the tablet")))
    harness.pass(.seconds(1))
    let found = try #require(history("bob@example.org", harness).first)
    #expect(found["mine"]?.bool == true)
    #expect(found["state"]?.string == "sent")
    #expect(found["text"]?.string == "from the tablet")
    #expect(found["from"]?.string == "alice@example.org/tablet")
    #expect(harness.engine.state.accounts[1]?.outbox.count == 0)
  }

  @Test("what another device got appears as if it had come here")
  func received() throws {
    let harness = try harness()
    harness.receive(
      carbon("received", message(from: "bob@example.org/x", to: "alice@example.org/tablet", "to the tablet")))
    harness.pass(.seconds(1))
    let found = try #require(history("bob@example.org", harness).first)
    #expect(found["mine"]?.bool == false)
    #expect(found["from"]?.string == "bob@example.org/x")
  }

  @Test("the copy's stamp is its time, but never one from the future")
  func stamps() throws {
    let harness = try harness()
    for (id, stamp) in [("m1", "2020-01-01T00:00:00Z"), ("m2", "2999-01-01T00:00:00Z")] {
      let delay = "<delay xmlns='urn:xmpp:delay' stamp='\(stamp)'/>"
      let inner = message(from: "bob@example.org/x", to: "alice@example.org/tablet", "x", id: id)
      harness.receive(carbon("received", delay + inner))
    }
    let now = harness.now.wall.rfc3339
    harness.pass(.seconds(1))
    #expect(history("bob@example.org", harness).map { $0["time"]?.string } == ["2020-01-01T00:00:00.000Z", now])
  }

  @Test("a message that comes as a copy and as itself is one")
  func doubles() throws {
    let harness = try harness()
    let text = message(from: "bob@example.org/x", to: "alice@example.org", "once")
    harness.receive(text)
    harness.pass(.seconds(1))
    harness.receive(carbon("received", text))
    harness.pass(.seconds(1))
    #expect(history("bob@example.org", harness).count == 1)
    // The same id with another text is another message: senders choose ids.
    harness.receive(carbon("received", message(from: "bob@example.org/x", to: "alice@example.org", "twice")))
    harness.pass(.seconds(1))
    #expect(history("bob@example.org", harness).count == 2)
  }

  @Test("a forged copy is ignored, and the journal says so")
  func forged() throws {
    let harness = try harness()
    let inner = message(from: "boss@example.org/x", to: "alice@example.org", "you are fired")
    harness.receive(
      carbon("received", inner).replacing("from='alice@example.org' to=", with: "from='eve@example.net' to="))
    harness.pass(.seconds(1))
    #expect(history("boss@example.org", harness).isEmpty)
    #expect(harness.told.contains { $0.contains("forged") && $0.contains("eve@example.net") })
  }
}
