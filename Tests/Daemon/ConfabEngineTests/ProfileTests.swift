import Clocks
import JSON
import Testing

@testable import ConfabAccounts

@Suite("Profiles")
struct ProfileTests {
  private static let card =
    "<vcard xmlns='urn:ietf:params:xml:ns:vcard-4.0'><fn><text>Bob</text></fn>"
    + "<email><text>a@b</text></email><email><text>c@d</text></email></vcard>"
  private static let absent =
    "<error type='cancel'><item-not-found xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>"

  private func id(_ harness: Harness, _ part: String) -> String {
    let request = harness.toServer.components("<iq").last { $0.contains(part) }
    return ScriptedStream.value(of: "id", in: request ?? "") ?? ""
  }

  private func answer(_ harness: Harness, _ part: String, _ content: String, type: String = "result", from: String) {
    harness.receive("<iq type='\(type)' from='\(from)' id='\(id(harness, part))'>\(content)</iq>")
  }

  private static func items(_ content: String) -> String {
    "<pubsub xmlns='http://jabber.org/protocol/pubsub'><items node='urn:xmpp:vcard4'>\(content)</items></pubsub>"
  }

  @Test("A profile comes from the newer card, out of the order of requests", arguments: ["bob", "alice"])
  func newer(name: String) throws {
    let harness = try Harness()
    let client = harness.connect()
    #expect(harness.ask(client, "profile tag=p \(name)@Example.org/x").isEmpty)
    #expect(harness.ask(client, "ping").count == 1)
    #expect(harness.toServer.contains("to='bob@example.org'><pubsub") == (name == "bob"))
    answer(harness, "urn:xmpp:vcard4", Self.items("<item>\(Self.card)</item>"), from: "\(name)@example.org")
    let lines = harness.takeLines(client)
    #expect(lines.count == 2 && lines.allSatisfy { $0["tag"]?.string == "p" } && lines.last?["ok"]?.bool == true)
    let profile = try #require(lines.first?["profile"])
    #expect(profile["jid"]?.string == "\(name)@example.org" && profile["full_name"]?.string == "Bob")
    #expect(profile["email"]?.array?.compactMap(\.string) == ["a@b", "c@d"] && profile["note"] == nil)
  }

  @Test("Without a newer card, the older one is asked for", arguments: ["result", "error", "empty"])
  func older(first: String) throws {
    let harness = try Harness()
    let client = harness.connect()
    _ = harness.ask(client, "profile bob@example.org")
    let content = first == "error" ? Self.absent : first == "empty" ? Self.items("<item/>") : ""
    answer(harness, "urn:xmpp:vcard4", content, type: first == "error" ? "error" : "result", from: "bob@example.org")
    answer(harness, "vcard-temp", "<vCard xmlns='vcard-temp'><FN>Bob</FN></vCard>", from: "bob@example.org")
    #expect(harness.takeLines(client).first?["profile"]?["full_name"]?.string == "Bob")
  }

  @Test("Nobody there, a refusal, silence, and the end of the connection")
  func failures() throws {
    let harness = try Harness()
    let client = harness.connect()
    func error() -> String? { harness.takeLines(client).last?["error"]?.string }
    for (reply, expected) in [
      (Self.absent, "not-found"),
      ("<error type='auth'><forbidden xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>", "failed"),
    ] {
      _ = harness.ask(client, "profile bob@example.org")
      answer(harness, "urn:xmpp:vcard4", reply, type: "error", from: "bob@example.org")
      answer(harness, "vcard-temp", reply, type: "error", from: "bob@example.org")
      #expect(error() == expected)
    }
    _ = harness.ask(client, "profile bob@example.org")
    answer(harness, "urn:xmpp:vcard4", Self.items("<item>\(Self.card)</item>"), from: "mallory@example.org")
    #expect(error() == nil)
    harness.pass(.seconds(31))
    #expect(error() == "timeout")
    harness.send(client, "profile bob@example.org\n")
    harness.cut()
    #expect(error() == "not-connected")
    harness.send(client, "profile bob@example.org\n")
    #expect(error() == "not-connected")
  }

  @Test("A client that is gone gets nothing, and another one its own answer")
  func gone() throws {
    let harness = try Harness()
    let (first, second) = (harness.connect(1), harness.connect(2))
    _ = harness.ask(first, "profile bob@example.org")
    let early = id(harness, "urn:xmpp:vcard4")
    _ = harness.ask(second, "profile bob@example.org")
    harness.handle(.client(first, .closed))
    for id in [early, id(harness, "urn:xmpp:vcard4")] {
      harness.receive(
        "<iq type='result' from='bob@example.org' id='\(id)'>\(Self.items("<item>\(Self.card)</item>"))</iq>")
    }
    #expect(harness.takeLines(first).isEmpty)
    #expect(harness.takeLines(second).count == 2)
  }
}
