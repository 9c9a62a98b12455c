import Clocks
import JSON
import MessageLog
import State
import Records
import TestSupport
import Testing

@testable import ConfabAccounts
@testable import ConfabEngine

/// People who are neither in the roster nor were ever written to (docs/decisions/0096-strangers.md).
@Suite("strangers stand behind everybody else")
struct StrangerTests {
  /// Alice with Bob in her roster.
  private func harness() throws -> Harness {
    var server = ScriptedStream()
    server.roster =
      "<query xmlns='jabber:iq:roster'><item jid='bob@example.org' name='Bob' subscription='both'/></query>"
    let harness = try Harness(server: server)
    harness.pass(.seconds(1))
    return harness
  }

  private func say(_ harness: Harness, _ jid: String, _ text: String = "hello") {
    harness.say("<message from='\(jid)/x' type='chat' id='\(jid)-\(text)'><body>\(text)</body></message>")
    harness.pass(.milliseconds(20))
  }

  private func jids(_ harness: Harness, _ request: String) -> [String] {
    harness.ask(harness.connect(7), request).compactMap { $0["conversation"]?["jid"]?.string }
  }

  private func restarted(_ harness: Harness) throws -> Harness {
    let next = try Harness(on: harness.storage, server: harness.server, now: harness.now, seed: 2)
    next.pass(.seconds(1))
    return next
  }

  @Test("known=yes has friends in front of a flood, known=no the others, over a restart and a checkpoint")
  func lists() throws {
    var harness = try harness()
    say(harness, "bob@example.org")
    _ = harness.ask(harness.connect(), "send carl@elsewhere.example hi")
    for number in 0..<200 { say(harness, "s\(number)@evil.example") }
    for _ in 0..<2 {
      #expect(jids(harness, "conversations limit=1 known=yes") == ["carl@elsewhere.example"])
      #expect(jids(harness, "conversations known=yes") == ["carl@elsewhere.example", "bob@example.org"])
      #expect(jids(harness, "conversations known=yes before=carl@elsewhere.example") == ["bob@example.org"])
      let strangers = jids(harness, "conversations known=no limit=1000")
      #expect(strangers.count == 200 && strangers.allSatisfy { $0.hasSuffix("@evil.example") })
      let lines = harness.ask(harness.connect(6), "conversations limit=1000").compactMap { $0["conversation"] }
      #expect(lines.count { $0["known"]?.bool == true } == 2)
      harness.derive()
      harness = try restarted(harness)
    }
    #expect(harness.ask(harness.connect(5), "conversations known=maybe").last?["error"]?.string == "bad-argument")
    _ = harness.ask(harness.connect(5), "forget-history carl@elsewhere.example")
    say(harness, "carl@elsewhere.example", "again")
    #expect(jids(harness, "conversations known=yes") == ["bob@example.org"])
  }

  @Test("requests of one domain keep nobody else's out, make room when denied, and what was left out is said")
  func requests() throws {
    let harness = try harness()
    let client = harness.connect()
    func asking() -> [String] {
      harness.ask(client, "roster").compactMap { $0["contact"] }.filter { $0["request"]?.bool == true }
        .compactMap { $0["jid"]?.string }
    }
    func ask(_ jid: String) {
      harness.say("<presence type='subscribe' from='\(jid)'/>")
      harness.pass(.milliseconds(20))
    }
    for number in 0..<150 { ask("s\(number)@evil.example") }
    #expect(asking().count == RosterSync.mostRequestsOfDomain)
    #expect(harness.ask(client, "roster").last?["requests_left_out"]?.integer == 50)
    ask("friend@elsewhere.example")
    #expect(asking().contains("friend@elsewhere.example"))
    _ = harness.ask(client, "send met@evil.example hi")
    ask("met@evil.example")
    #expect(asking().contains("met@evil.example"))
    for jid in asking() { _ = harness.ask(client, "deny \(jid)") }
    #expect(asking().isEmpty)
    ask("late@evil.example")
    #expect(asking() == ["late@evil.example"])
  }

  @Test("Requests that wait for the disk are counted on the next stream, too")
  func pendingRequests() throws {
    let harness = try harness()
    harness.syncsAtOnce = false
    for number in 0..<150 {
      harness.say("<presence type='subscribe' from='s\(number)@evil.example'/>")
      if number == 60 {
        harness.cut()
        harness.pass(.seconds(10))
      }
    }
    harness.syncsAtOnce = true
    harness.sync()
    harness.pass(.seconds(1))
    #expect(harness.engine.state.accounts[1]?.contacts.all.count { $0.request } == RosterSync.mostRequestsOfDomain)
  }

  @Test("presences of strangers are neither events nor stored, those of people written to are")
  func presences() throws {
    let harness = try harness()
    _ = harness.ask(harness.connect(), "send carl@elsewhere.example hi")
    let watcher = harness.connect(2)
    _ = harness.ask(watcher, "watch kinds=presence")
    for jid in ["bob@example.org", "s@evil.example", "carl@elsewhere.example"] {
      harness.say("<presence from='\(jid)/x'><status>here</status></presence>")
      harness.pass(.milliseconds(20))
    }
    let seen = harness.ask(watcher, "ping").compactMap { $0["jid"]?.string }
    #expect(seen == ["bob@example.org", "carl@elsewhere.example"])
    #expect(harness.engine.state.accounts[1]?.stream?.presences.jids == ["bob@example.org", "carl@elsewhere.example"])
  }

  @Test("forget-history of a domain hides its strangers' conversations, and those of no others")
  func domain() throws {
    var harness = try harness()
    say(harness, "bob@example.org")
    for number in 0..<20 { say(harness, "s\(number)@evil.example") }
    say(harness, "evil.example")
    _ = harness.ask(harness.connect(), "send met@evil.example hi")
    let answer = harness.ask(harness.connect(), "forget-history evil.example").last
    #expect(answer?["forgotten"]?.integer == 21 && answer?["kept"]?.integer == 1)
    for _ in 0..<2 {
      #expect(harness.ask(harness.connect(8), "search hello").compactMap { $0["message"] }.count == 1)
      #expect(jids(harness, "conversations known=yes") == ["met@evil.example", "bob@example.org"])
      harness = try restarted(harness)
    }
    let again = harness.ask(harness.connect(), "forget-history evil.example").last
    #expect(again?["forgotten"]?.integer == 0 && again?["kept"]?.integer == 1)
    say(harness, "s7@evil.example")
    #expect(harness.ask(harness.connect(), "forget-history evil.example").last?["forgotten"]?.integer == 1)
    let refused = harness.ask(harness.connect(), "forget-history evil.example/x").last
    #expect(refused?["error"]?.string == "bad-argument" && refused?["argument"]?.string == "jid")
    #expect(harness.ask(harness.connect(), "forget-history nobody.example").last?["forgotten"]?.integer == 0)
  }

  @Test(
    "a nickname that the contact chose, and a name like mine or like an address, are marked",
    arguments: [
      ("Bob", nil), ("me", "alike"), (" ME ", "alike"), ("ｍｅ", "alike"), ("m\u{200B}e", "alike"), ("Alice", "alike"),
      ("alice@example.org", "alike"), ("example.org", "alike"), ("Dr. Bob", nil), ("\u{200B}", "alike"),
    ] as [(String, String?)])
  func names(_ name: String, _ doubt: String?) throws {
    var server = ScriptedStream()
    server.roster =
      "<query xmlns='jabber:iq:roster'><item jid='bob@example.org' name='\(name)' subscription='both'/></query>"
    let harness = try Harness(server: server)
    harness.pass(.seconds(1))
    say(harness, "bob@example.org")
    let message = harness.ask(harness.connect(), "history bob@example.org").first?["message"]
    #expect(message?["nick"]?.string == name && message?["nick_is"]?.string == doubt)
  }

  @Test("a nickname that a stranger sends with a request is only claimed")
  func claimed() throws {
    let harness = try harness()
    harness.say(
      "<presence from='dan@evil.example' type='subscribe'><nick xmlns='http://jabber.org/protocol/nick'>Bob</nick></presence>"
    )
    say(harness, "dan@evil.example")
    let message = harness.ask(harness.connect(), "history dan@evil.example").first?["message"]
    #expect(message?["nick"]?.string == "Bob" && message?["nick_is"]?.string == "claimed")
  }
}
