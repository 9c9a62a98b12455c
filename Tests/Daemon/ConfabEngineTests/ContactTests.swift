import Clocks
import ConfabAccounts
import JSON
import Testing

@Suite("contacts")
struct ContactTests {
  private func push(_ id: String, _ item: String, version: String = "") -> String {
    "<iq type='set' id='\(id)'><query xmlns='jabber:iq:roster'>\(item)</query></iq>"
  }

  private func lastIQ(_ harness: Harness) -> String {
    ScriptedStream.value(of: "id", in: harness.toServer.components("<iq").last ?? "") ?? ""
  }

  private func contacts(_ harness: Harness, _ client: ClientID) -> [String?] {
    harness.ask(client, "roster").dropLast().map { $0["contact"]?["jid"]?.string }
  }

  @Test("add is answered when the server has done it, and roster shows it then, push or no push")
  func add() throws {
    let harness = try Harness()
    let client = harness.connect()
    harness.clearTrace()
    harness.send(client, #"{"verb":"add","jid":"Bob@Example.org","name":"Bob B","group":"Old Friends"}"# + "\nroster\n")
    #expect(harness.takeLines(client).isEmpty)
    #expect(harness.toServer.contains("<item jid='bob@example.org' name='Bob B'><group>Old Friends</group></item>"))
    #expect(harness.toServer.contains("<presence type='subscribe' to='bob@example.org'/>"))
    harness.receive("<iq type='result' id='\(lastIQ(harness))'/>")
    harness.pass(.milliseconds(50))
    let lines = harness.takeLines(client)
    #expect(lines.map { $0["ok"]?.bool } == [true, nil, true])
    let contact = lines[1]["contact"]
    #expect(contact?["name"]?.string == "Bob B")
    #expect(contact?["groups"]?.array?.map(\.string) == ["Old Friends"])
    #expect(contact?["subscription"]?.string == "none")
    #expect(harness.ask(client, "add @@").last?["error"]?.string == "bad-argument")
  }

  @Test("the server's refusal, its silence, and the end of the connection")
  func failures() throws {
    let harness = try Harness()
    let client = harness.connect()
    harness.send(client, "add bob@example.org\n")
    let error = "<error type='cancel'><not-allowed xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>"
    harness.receive("<iq type='error' id='\(lastIQ(harness))'>\(error)</iq>")
    #expect(harness.takeLines(client).last?["error"]?.string == "failed")
    harness.send(client, "add bob@example.org\n")
    // Somebody else's answer is none.
    harness.receive("<iq type='result' from='mallory@example.org' id='\(lastIQ(harness))'/>")
    harness.pass(.seconds(29))
    #expect(harness.takeLines(client).isEmpty)
    harness.pass(.seconds(2))
    #expect(harness.takeLines(client).last?["error"]?.string == "timeout")
    harness.send(client, "add bob@example.org\nadd carol@example.org\n")
    harness.cut()
    #expect(harness.takeLines(client).map { $0["error"]?.string } == ["not-connected", "not-connected"])
    #expect(harness.ask(client, "add bob@example.org").last?["error"]?.string == "not-connected")
    #expect(contacts(harness, client) == [])
  }

  @Test("pushes that come faster than the disk end as the last one said")
  func fastPushes() throws {
    let harness = try Harness()
    let client = harness.connect()
    harness.syncsAtOnce = false
    harness.clearTrace()
    let there = "<item jid='bob@example.org' subscription='none'/>"
    let gone = "<item jid='bob@example.org' subscription='remove'/>"
    harness.receive(push("p1", there) + push("p2", gone) + push("p3", there) + push("p4", gone))
    #expect(!harness.toServer.contains("type='result'"))
    harness.syncsAtOnce = true
    harness.pass(.milliseconds(100))
    harness.sync()
    harness.pass(.milliseconds(100))
    #expect(contacts(harness, client) == [])
    #expect(harness.toServer.components("type='result'").count == 5)
    #expect(contacts(try Harness(on: harness.storage), ClientID(1)).isEmpty)
  }

  @Test("a push from somebody who may make none is refused and changes nothing")
  func forged() throws {
    let harness = try Harness()
    let client = harness.connect()
    harness.receive(
      "<iq type='set' id='f' from='mallory@example.org/x'><query xmlns='jabber:iq:roster'>"
        + "<item jid='mallory@example.org' subscription='both'/></query></iq>")
    harness.pass(.milliseconds(50))
    #expect(contacts(harness, client) == [])
    #expect(harness.toServer.contains("<service-unavailable"))
  }

  @Test("who asks us is a contact with request, in roster and in its event, until accept or deny")
  func requests() throws {
    let harness = try Harness()
    let (client, watcher) = (harness.connect(1), harness.connect(2))
    _ = harness.ask(watcher, "watch kinds=roster")
    harness.receive(
      "<presence type='subscribe' from='dan@example.org'/><presence type='subscribe' from='eve@example.org'/>")
    harness.pass(.milliseconds(50))
    #expect(harness.takeLines(watcher).map { $0["contact"]?["request"]?.bool } == [true, true])
    #expect(harness.ask(client, "roster").dropLast().map { $0["contact"]?["request"]?.bool } == [true, true])
    harness.clearTrace()
    #expect(harness.ask(client, "accept dan@example.org").last?["ok"]?.bool == true)
    #expect(harness.ask(client, "deny eve@example.org").last?["ok"]?.bool == true)
    #expect(harness.toServer.contains("<presence type='subscribed' to='dan@example.org'/>"))
    #expect(harness.toServer.contains("<presence type='unsubscribed' to='eve@example.org'/>"))
    #expect(harness.ask(client, "accept dan@example.org").last?["error"]?.string == "not-found")
    #expect(contacts(harness, client) == [])
    let events = harness.takeLines(watcher)
    #expect(events.allSatisfy { $0["contact"]?["request"] == nil && $0["seq"]?.integer != nil })
    harness.receive(push("p", "<item jid='dan@example.org' subscription='from'/>"))
    harness.pass(.milliseconds(50))
    #expect(harness.ask(client, "deny dan@example.org").last?["ok"]?.bool == true)
  }

  @Test("remove: who is not in the roster is not found; else the server does it")
  func remove() throws {
    let harness = try Harness()
    let client = harness.connect()
    #expect(harness.ask(client, "remove bob@example.org").last?["error"]?.string == "not-found")
    harness.receive(push("p", "<item jid='bob@example.org' subscription='both' ask='subscribe'/>"))
    harness.pass(.milliseconds(50))
    #expect(harness.ask(client, "roster").first?["contact"]?["ask"]?.string == "subscribe")
    harness.send(client, "remove bob@example.org\nroster\n")
    harness.receive("<iq type='result' id='\(lastIQ(harness))'/>")
    harness.pass(.milliseconds(50))
    #expect(harness.takeLines(client).map { $0["ok"]?.bool } == [true, true])
  }

  @Test("presences of a contact's resources, the most important first; my own other ones are mine")
  func presences() throws {
    let harness = try Harness()
    let client = harness.connect()
    harness.receive(
      push("p", "<item jid='bob@example.org' subscription='both'/>")
        + "<presence from='bob@example.org/tablet'><priority>1</priority><show>xa</show></presence>"
        + "<presence from='bob@example.org/phone'><priority>5</priority><status>here</status></presence>"
        + "<presence from='alice@example.org/other'/><presence from='not a jid@@'/><presence/>")
    harness.pass(.milliseconds(50))
    let presence = harness.ask(client, "roster").first?["contact"]?["presence"]?.array ?? []
    #expect(presence.map { $0["resource"]?.string } == ["phone", "tablet"])
    #expect(presence.map { $0["show"]?.string } == ["available", "xa"])
    #expect(presence.first?["status"]?.string == "here")
    #expect(contacts(harness, client) == ["bob@example.org"])
    harness.receive("<presence type='unavailable' from='bob@example.org/phone'/>")
    #expect(harness.ask(client, "roster").first?["contact"]?["presence"]?.array?.count == 1)
  }

  @Test("strangers can ask to see us without end; what is kept of it is bounded")
  func crowd() throws {
    let harness = try Harness()
    harness.receive(
      (0..<1_010).map { "<presence type='subscribe' from='stranger\($0)@d\($0 % 20).example'/>" }.joined())
    harness.pass(.seconds(1))
    #expect(contacts(harness, harness.connect()).count == 1_000)
  }
}
