import Clocks
import ConfabAccounts
import Testing

/// XEP-0352: the server hears whether somebody is there.
@Suite("client state")
struct ClientStateTests {
  private static func harness(offer: String = "<csi xmlns='urn:xmpp:csi:0'/>") throws -> Harness {
    var server = ScriptedStream()
    (server.furtherOffers, server.acknowledges) = (offer, true)
    let harness = try Harness(server: server)
    harness.pass(.seconds(1))
    return harness
  }

  /// The states that it heard since the last look, in order.
  private static func states(_ harness: Harness) -> [String] {
    defer { harness.clearTrace() }
    return harness.toServer.matches(of: /<(active|inactive) xmlns='urn:xmpp:csi:0'\/>/).map { String($0.output.1) }
  }

  @Test("Active from a first request until a minute after the last one")
  func requests() throws {
    let harness = try Self.harness()
    #expect(Self.states(harness) == ["inactive"])
    let client = harness.connect()
    #expect(Self.states(harness).isEmpty)
    _ = harness.ask(client, "ping")
    #expect(Self.states(harness) == ["active"])
    harness.pass(.seconds(40))
    _ = harness.ask(client, "ping")
    harness.pass(.seconds(40))
    #expect(Self.states(harness).isEmpty)
    harness.pass(.seconds(25))
    #expect(Self.states(harness) == ["inactive"])
  }

  @Test(
    "Active while a client watches, shows a conversation or waits",
    arguments: [
      "watch", "focus bob@example.org", "send wait=displayed timeout=1h bob@example.org hi",
    ])
  func attending(request: String) throws {
    let harness = try Self.harness()
    let client = harness.connect()
    harness.send(client, request + "\n")
    harness.pass(.minutes(10))
    #expect(Self.states(harness) == ["inactive", "active"])
    harness.handle(.client(client, .closed))
    harness.pass(.seconds(1))
    #expect(Self.states(harness) == ["inactive"])
  }

  @Test("A resumed stream is active, and is told again")
  func resumed() throws {
    let harness = try Self.harness()
    _ = Self.states(harness)
    harness.cut()
    harness.pass(.seconds(2))
    #expect(Self.states(harness) == ["inactive"])
  }

  @Test("A server that does not offer it hears nothing")
  func notOffered() throws {
    let harness = try Self.harness(offer: "")
    _ = harness.ask(harness.connect(), "ping")
    harness.pass(.minutes(2))
    #expect(Self.states(harness).isEmpty)
  }
}
