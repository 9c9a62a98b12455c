import Clocks
import ConfabAccounts
import JSON
import ConfabConfiguration
import Testing

@Suite("blocking and reporting")
struct BlockingTests {
  private static let features = ["urn:xmpp:blocking", "urn:xmpp:reporting:1"]

  private func harness(
    _ features: [String] = features, isDiscoveryLate: Bool = false, accounts: [AccountSettings] = [Harness.alice]
  ) throws -> Harness {
    var server = ScriptedStream()
    server.serverFeatures = features
    server.isDiscoveryLate = isDiscoveryLate
    let harness = try Harness(accounts: accounts, server: server)
    harness.clearTrace()
    return harness
  }

  private func lastIQ(_ harness: Harness) -> String {
    ScriptedStream.value(of: "id", in: harness.toServer.components("<iq").last ?? "") ?? ""
  }

  private func errors(_ lines: [JSONValue]) -> [String?] { lines.map { $0["error"]?.string } }

  @Test(
    "a change is answered when the server has it",
    arguments: [
      ("block Bob@Example.org", "<block xmlns='urn:xmpp:blocking'><item jid='bob@example.org'/></block>"),
      ("block example.org", "<block xmlns='urn:xmpp:blocking'><item jid='example.org'/></block>"),
      ("block bob@example.org/phone", "<block xmlns='urn:xmpp:blocking'><item jid='bob@example.org/phone'/></block>"),
      ("unblock bob@example.org", "<unblock xmlns='urn:xmpp:blocking'><item jid='bob@example.org'/></unblock>"),
      (
        "report bob@example.org",
        "<item jid='bob@example.org'><report xmlns='urn:xmpp:reporting:1' reason='urn:xmpp:reporting:spam'/></item>"
      ),
      (
        "report reason=abuse bob@example.org <very>  rude",
        "reason='urn:xmpp:reporting:abuse'><text>&lt;very&gt;  rude</text></report></item>"
      ),
    ])
  func changes(request: String, stanza: String) throws {
    let harness = try harness()
    let client = harness.connect()
    #expect(harness.ask(client, request).isEmpty)
    #expect(harness.toServer.contains(stanza), "\(harness.toServer)")
    harness.receive("<iq type='result' id='\(lastIQ(harness))'/>")
    #expect(harness.takeLines(client).map { $0["ok"]?.bool } == [true])
  }

  @Test("blocked asks the server each time, and shows what it has")
  func list() throws {
    let harness = try harness()
    let client = harness.connect()
    for jids in [[], ["a@example.org", "example.net"]] {
      #expect(harness.ask(client, "blocked").isEmpty)
      let items = jids.reversed().map { "<item jid='\($0)'/>" }.joined()
      harness.receive(
        "<iq type='result' id='\(lastIQ(harness))'><blocklist xmlns='urn:xmpp:blocking'>\(items)</blocklist></iq>")
      let lines = harness.takeLines(client)
      #expect(lines.dropLast().map { $0["blocked"]?["jid"]?.string } == jids)
      #expect(lines.last?["ok"]?.bool == true)
    }
    _ = harness.ask(client, "blocked")
    harness.receive("<iq type='result' id='\(lastIQ(harness))'/>")
    #expect(errors(harness.takeLines(client)) == ["failed"])
  }

  @Test("the list of one of several accounts names it")
  func accounts() throws {
    let harness = try harness(accounts: [Harness.alice, Harness.work])
    let client = harness.connect()
    #expect(errors(harness.ask(client, "blocked")) == ["account-needed"])
    harness.clearTrace()
    _ = harness.ask(client, "blocked account=home")
    harness.receive(
      "<iq type='result' id='\(lastIQ(harness))'><blocklist xmlns='urn:xmpp:blocking'><item jid='x.org'/></blocklist></iq>"
    )
    #expect(harness.takeLines(client).first?["blocked"]?["account"]?.string == "home")
  }

  @Test("the server's refusal, somebody else's answer, silence, and the end of the connection")
  func failures() throws {
    let harness = try harness()
    let client = harness.connect()
    for request in ["block bob@example.org", "blocked"] {
      _ = harness.ask(client, request)
      let error = "<error type='cancel'><not-allowed xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>"
      harness.receive("<iq type='result' from='mallory@example.org' id='\(lastIQ(harness))'/>")
      #expect(harness.takeLines(client).isEmpty)
      harness.receive("<iq type='error' id='\(lastIQ(harness))'>\(error)</iq>")
      let line = try #require(harness.takeLines(client).last)
      #expect(line["error"]?.string == "failed")
      #expect(line["reason"]?.string?.contains("not-allowed") == true)
    }
    harness.send(client, "block bob@example.org\n")
    harness.pass(.seconds(31))
    #expect(errors(harness.takeLines(client)) == ["timeout"])
    harness.send(client, "block bob@example.org\nblock carol@example.org\n")
    harness.cut()
    #expect(errors(harness.takeLines(client)) == ["not-connected", "not-connected"])
    for request in ["block bob@example.org", "unblock bob@example.org", "blocked", "report bob@example.org"] {
      #expect(errors(harness.ask(client, request)) == ["not-connected"])
    }
  }

  @Test("a server without the feature is asked for nothing")
  func unsupported() throws {
    let none = try harness([])
    let client = none.connect()
    for request in ["block bob@example.org", "unblock bob@example.org", "blocked", "report bob@example.org x"] {
      #expect(errors(none.ask(client, request)) == ["not-supported"])
    }
    #expect(none.toServer.isEmpty)
    // Without reports, a report does not become a block in silence.
    let blocking = try harness(["urn:xmpp:blocking"])
    #expect(errors(blocking.ask(blocking.connect(), "report bob@example.org")) == ["not-supported"])
    #expect(blocking.toServer.isEmpty)
  }

  @Test("what is asked before the server's features are known waits for them, or for the end of the connection")
  func early() throws {
    let harness = try harness(isDiscoveryLate: true)
    let client = harness.connect()
    #expect(harness.ask(client, "report bob@example.org").isEmpty)
    #expect(!harness.toServer.contains("urn:xmpp:blocking"))
    harness.receive(harness.server.lateDiscoveries.joined())
    #expect(harness.toServer.contains("<report "))
    harness.receive("<iq type='result' id='\(lastIQ(harness))'/>")
    #expect(harness.takeLines(client).map { $0["ok"]?.bool } == [true])

    let cut = try self.harness(isDiscoveryLate: true)
    cut.send(cut.connect(), "block bob@example.org\n")
    cut.cut()
    #expect(errors(cut.takeLines(ClientID(1))) == ["not-connected"])
  }

  @Test("contacts say that they are blocked, as soon as the server has said it, and watchers hear of it")
  func contacts() throws {
    var server = ScriptedStream()
    server.serverFeatures = ["urn:xmpp:blocking"]
    server.roster =
      "<query xmlns='jabber:iq:roster'><item jid='bob@example.org' subscription='both'/>"
      + "<item jid='carol@evil.example' subscription='both'/></query>"
    let harness = try Harness(server: server)
    let client = harness.connect()
    func blocked() throws -> [Bool?] {
      harness.ask(client, "roster").dropLast().map { $0["contact"]?["blocked"]?.bool }
    }
    harness.pass(.milliseconds(50))
    #expect(try blocked() == [nil, nil])
    harness.receive(
      "<iq type='result' id='\(lastIQ(harness))'><blocklist xmlns='urn:xmpp:blocking'><item jid='evil.example'/>"
        + "</blocklist></iq>")
    #expect(try blocked() == [nil, true])
    _ = harness.ask(client, "watch kinds=presence")
    for (change, isBlocked) in [("block", true), ("unblock", nil)] {
      harness.receive(
        "<iq type='set' id='p'><\(change) xmlns='urn:xmpp:blocking'><item jid='bob@example.org'/></\(change)></iq>")
      let events = harness.takeLines(client).filter { $0["event"]?.string == "presence" }
      #expect(events.map { $0["jid"]?.string } == ["bob@example.org"])
      #expect(events.map { $0["blocked"]?.bool } == [isBlocked])
      #expect(try blocked() == [isBlocked, true])
    }
  }

  @Test("what was known of a presence before the block is known no longer, and is not believed after it")
  func presence() throws {
    let harness = try harness()
    harness.receive(
      "<iq type='set' id='r'><query xmlns='jabber:iq:roster'><item jid='bob@example.org' subscription='both'/>"
        + "</query></iq><presence from='bob@example.org/x'><show>away</show></presence>")
    harness.pass(.seconds(1))
    let client = harness.connect()
    func resources() -> Int? { harness.ask(client, "roster").first?["contact"]?["presence"]?.array?.count }
    #expect(resources() == 1)
    for change in ["block", "unblock"] {
      harness.receive(
        "<iq type='set' id='p'><\(change) xmlns='urn:xmpp:blocking'><item jid='bob@example.org'/></\(change)></iq>")
      harness.pass(.seconds(1))
      #expect(resources() == 0)
    }
    harness.receive("<presence from='bob@example.org/x'/>")
    harness.pass(.seconds(1))
    #expect(resources() == 1)
  }

  @Test("a push is answered; one of somebody else is refused")
  func pushes() throws {
    let harness = try harness()
    let change = "<block xmlns='urn:xmpp:blocking'><item jid='bob@example.org'/></block>"
    harness.receive("<iq type='set' id='mine'>\(change)</iq>")
    #expect(harness.toServer.contains("<iq type='result' id='mine'/>"))
    harness.clearTrace()
    harness.receive("<iq type='set' id='theirs' from='mallory@example.org/x'>\(change)</iq>")
    #expect(harness.toServer.contains("<service-unavailable") && !harness.toServer.contains("type='result'"))
  }
}
