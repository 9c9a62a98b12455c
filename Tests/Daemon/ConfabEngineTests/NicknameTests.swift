import Clocks
import JSON
import TestSupport
import Testing

@testable import ConfabAccounts
@testable import ConfabEngine

@Suite("Nicknames")
struct NicknameTests {
  private func harness(hasNodes: Bool = true, isDiscoveryLate: Bool = false) throws -> Harness {
    var server = ScriptedStream()
    (server.hasNodes, server.isDiscoveryLate) = (hasNodes, isDiscoveryLate)
    server.roster =
      "<query xmlns='jabber:iq:roster'><item jid='bob@example.org' subscription='both'/>"
      + "<item jid='carol@example.org' name='Carol' subscription='both'/></query>"
    let harness = try Harness(server: server)
    harness.pass(.seconds(1))
    return harness
  }

  private static func event(_ nickname: String, from: String = "bob@example.org") -> String {
    "<message from='\(from)' type='headline'><event xmlns='http://jabber.org/protocol/pubsub#event'>"
      + "<items node='http://jabber.org/protocol/nick'><item><nick xmlns='http://jabber.org/protocol/nick'>\(nickname)"
      + "</nick></item></items></event></message>"
  }

  private func contacts(_ harness: Harness) -> [String: String] {
    let lines = harness.ask(harness.connect(50), "roster").compactMap { $0["contact"] }
    return Dictionary(uniqueKeysWithValues: lines.map { ($0["jid"]?.string ?? "", $0["nick"]?.string ?? "") })
  }

  private func id(_ harness: Harness, _ part: String) -> String {
    let request = harness.toServer.components("<iq").last { $0.contains(part) }
    return ScriptedStream.value(of: "id", in: request ?? "") ?? ""
  }

  @Test("Who is asked for a presence learns my nickname")
  func mineInARequest() throws {
    let harness = try harness()
    harness.receive(Self.event("Alice &amp; Co", from: "alice@example.org"))
    harness.pass(.seconds(1))
    _ = harness.ask(harness.connect(2), "add dave@example.org")
    #expect(
      harness.toServer.contains(
        "<presence type='subscribe' to='dave@example.org'><nick xmlns='http://jabber.org/protocol/nick'>Alice &amp; Co</nick>"
      ))
  }

  @Test("A contact's nickname is shown where the roster has no name, in an event too, and kept")
  func others() throws {
    let harness = try harness()
    let watcher = harness.connect(2)
    _ = harness.ask(watcher, "watch kinds=roster")
    harness.receive(Self.event("B\u{202E}obby") + Self.event("Mallory", from: "carol@example.org"))
    harness.receive(Self.event("Eve", from: "eve@example.org") + Self.event("Eve", from: "bob@example.org/x"))
    harness.pass(.seconds(1))
    #expect(contacts(harness) == ["bob@example.org": "Bobby", "carol@example.org": "Mallory"])
    #expect(harness.takeLines(watcher).compactMap { $0["contact"]?["nick"]?.string } == ["Bobby", "Mallory"])
    for name in ["bob", "carol"] {
      harness.receive("<message from='\(name)@example.org/x' type='chat' id='\(name)'><body>hello</body></message>")
    }
    harness.pass(.seconds(1))
    func nick(_ name: String, _ harness: Harness) -> String? {
      harness.ask(harness.connect(51), "history \(name)@example.org").first?["message"]?["nick"]?.string
    }
    let next = try Harness(on: harness.storage, server: harness.server, now: harness.now, seed: 2)
    for harness in [harness, next] {
      #expect(nick("bob", harness) == "Bobby")
      #expect(nick("carol", harness) == "Carol")
    }
    let last = harness.engine.storage.queue.last
    harness.receive(Self.event("Bobby"))
    #expect(harness.engine.storage.queue.last == last)
    harness.receive(Self.event(""))
    harness.pass(.seconds(1))
    #expect(contacts(harness)["bob@example.org"] == "")
  }

  @Test("An address is no nickname, whoever's it is")
  func addresses() throws {
    let harness = try harness()
    harness.receive(Self.event("Bobby") + Self.event("carol@example.org"))
    harness.pass(.seconds(1))
    #expect(contacts(harness)["bob@example.org"] == "")
    #expect(harness.ask(harness.connect(), "nick carol@example.org").last?["error"]?.string == "bad-argument")
  }

  @Test("A contact that changes its nickname all the time fills no disk")
  func flood() throws {
    let harness = try harness()
    let first = harness.engine.storage.queue.last
    for number in 0..<2_000 { harness.receive(Self.event("b\(number)")) }
    #expect(harness.engine.storage.queue.last - first < 500)
  }

  @Test("The nickname in a subscription request is shown with the request")
  func requests() throws {
    let harness = try harness()
    harness.receive(
      "<presence from='dan@example.org' type='subscribe'><nick xmlns='http://jabber.org/protocol/nick'>Dan</nick>"
        + "</presence>")
    harness.pass(.seconds(1))
    #expect(contacts(harness)["dan@example.org"] == "Dan")
    let client = harness.connect()
    _ = harness.ask(client, "deny dan@example.org")
    harness.receive(
      "<presence from='dan@example.org' type='unsubscribed'><nick xmlns='http://jabber.org/protocol/nick'>D</nick>"
        + "</presence>")
    #expect(contacts(harness)["dan@example.org"] == nil)
  }

  private static func request(_ name: String, _ jid: String = "eve@evil.example") -> String {
    "<presence from='\(jid)' type='subscribe'><nick xmlns='http://jabber.org/protocol/nick'>\(name)</nick></presence>"
  }

  @Test(
    "The nickname of a stranger who is forgotten is shown no more, and a repeated request does not bring it back",
    arguments: ["eve@evil.example", "evil.example"])
  func forgotten(jid: String) throws {
    let harness = try harness()
    harness.receive(Self.event("Bobby") + Self.request("Eve") + Self.request("Dan", "dan@example.org"))
    harness.receive("<message from='eve@evil.example/x' type='chat' id='e'><body>hello</body></message>")
    harness.pass(.seconds(1))
    #expect(contacts(harness)["eve@evil.example"] == "Eve")
    let watcher = harness.connect(2)
    _ = harness.ask(watcher, "watch kinds=roster")
    #expect(harness.ask(harness.connect(3), "forget-history \(jid)").last?["forgotten"]?.integer == 1)
    let told = harness.takeLines(watcher).compactMap { $0["contact"] }
    #expect(told.map { $0["jid"]?.string } == ["eve@evil.example"] && told.first?["nick"] == nil)
    let last = harness.engine.storage.queue.last
    #expect(harness.ask(harness.connect(4), "forget-history \(jid)").last?["forgotten"]?.integer == 0)
    #expect(harness.engine.storage.queue.last == last, "nothing is written")
    _ = harness.ask(harness.connect(5), "forget-history bob@example.org")
    harness.handle(.stop(.terminate))
    harness.pass(.seconds(10))
    let files = harness.storage.snapshot.files.values.map { String(decoding: $0, as: UTF8.self) }
    #expect(files.contains { $0.contains("Dan") } && !files.contains { $0.contains("Eve") })
    let next = try Harness(on: harness.storage, server: harness.server, now: harness.now, seed: 2)
    next.pass(.seconds(1))
    next.receive(Self.request("Eve"))
    next.pass(.seconds(1))
    let names = ["eve@evil.example": "", "dan@example.org": "Dan", "bob@example.org": "Bobby"]
    #expect(contacts(next).filter { names.keys.contains($0.key) } == names)
    _ = next.ask(next.connect(), "deny eve@evil.example")
    next.receive(Self.request("Evelyn"))
    next.pass(.seconds(1))
    #expect(contacts(next)["eve@evil.example"] == "Evelyn", "a new request")
  }

  @Test("My nickname is published, answered when the server has it, and shown from then on")
  func mine() throws {
    let harness = try harness()
    let client = harness.connect()
    #expect(harness.ask(client, "nick").last?["nick"]?.string == "")
    for (text, stanza) in [(" Al <ice>", "Al &lt;ice&gt;</nick>"), ("", "nick'></nick>"), ("Alice", "Alice</nick>")] {
      harness.clearTrace()
      #expect(harness.ask(client, "nick \(text)").isEmpty)
      #expect(harness.toServer.contains("<publish node='http://jabber.org/protocol/nick'><item id='current'>"))
      #expect(harness.toServer.contains(stanza), "\(harness.toServer)")
      harness.receive("<iq type='result' id='\(id(harness, "<publish "))'/>")
      harness.pass(.seconds(1))
      #expect(harness.takeLines(client).map { $0["ok"]?.bool } == [true])
      #expect(harness.ask(client, "nick").last?["nick"]?.string == text.drop { $0 == " " }.description)
    }
    let next = try Harness(on: harness.storage, server: harness.server, now: harness.now, seed: 2)
    next.pass(.seconds(5))
    #expect(next.ask(next.connect(), "nick").last?["nick"]?.string == "Alice")
    // Another device changes it, or took it back meanwhile.
    next.receive(Self.event("Ally", from: "alice@example.org"))
    next.pass(.seconds(1))
    #expect(next.ask(next.connect(2), "nick").last?["nick"]?.string == "Ally")
    next.receive(
      "<iq type='error' id='\(id(next, "<items node='http://jabber.org/protocol/nick'"))'><error type='cancel'>"
        + "<item-not-found xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>")
    next.pass(.seconds(1))
    #expect(next.ask(next.connect(3), "nick").last?["nick"]?.string == "")
  }

  @Test("What goes wrong with my nickname is said")
  func failures() throws {
    let harness = try harness()
    let client = harness.connect()
    func error(_ lines: [JSONValue]) -> String? { lines.last?["error"]?.string }
    for text in ["a\u{202E}b", String(repeating: "x", count: 201)] {
      #expect(error(harness.ask(client, "nick \(text)")) == "bad-argument")
    }
    harness.send(client, "nick Alice\n")
    harness.receive(
      "<iq type='error' id='\(id(harness, "<publish "))'><error type='auth'>"
        + "<forbidden xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>")
    #expect(error(harness.takeLines(client)) == "failed")
    harness.send(client, "nick Alice\n")
    harness.cut()
    #expect(error(harness.takeLines(client)) == "not-connected")
    #expect(error(harness.ask(client, "nick Alice")) == "not-connected")
    #expect(harness.ask(client, "nick").last?["ok"]?.bool == true)

    let none = try self.harness(hasNodes: false)
    #expect(error(none.ask(none.connect(), "nick Alice")) == "not-supported")
    #expect(!none.toServer.contains("pubsub"))

    let late = try self.harness(isDiscoveryLate: true)
    let early = late.connect()
    #expect(late.ask(early, "nick Alice").isEmpty && !late.toServer.contains("<publish "))
    late.receive(late.server.lateDiscoveries.joined())
    #expect(late.toServer.contains("<publish "))
  }
}
