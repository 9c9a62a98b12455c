import Clocks
import ConfabAccounts
import JSON
import ConfabConfiguration
import Testing

@Suite("watch, sentence by sentence")
struct WatchContractTests {
  private func message(_ id: String, from jid: String = "bob@example.org/x", stamp: String? = nil) -> String {
    let delay = stamp.map { "<delay xmlns='urn:xmpp:delay' from='example.org' stamp='\($0)'/>" } ?? ""
    return "<message from='\(jid)' type='chat' id='\(id)'><body>\(id)</body>\(delay)</message>"
  }

  @Test("in= is only that conversation, kinds= only those events; caught-up always comes, once")
  func filters() throws {
    let harness = try Harness(server: .with(contacts: "bob@example.org"))
    let (bob, states) = (harness.connect(1), harness.connect(2))
    _ = harness.ask(bob, "watch in=bob@example.org")
    let caughtUp = harness.ask(states, "watch kinds=state,draft")
    #expect(caughtUp.map { $0["event"]?.string } == [nil, "caught-up"])
    #expect(caughtUp.first?["seq"]?.integer == caughtUp.last?["seq"]?.integer)
    harness.receive(message("1") + message("2", from: "carol@example.org/x"))
    harness.receive("<presence from='carol@example.org/x'/><presence from='bob@example.org/x'/>")
    harness.pass(.milliseconds(50))
    let other = harness.connect(3)
    _ = harness.ask(other, "draft carol@example.org hm")
    harness.cut()
    harness.pass(.seconds(3))
    let heard = harness.takeLines(bob)
    #expect(heard.map { $0["event"]?.string } == ["message", "presence", "presence", "presence"])
    // The message shows that bob is not offline.
    #expect(heard.dropFirst().map { $0["presence_known"]?.bool } == [false, nil, false])
    #expect(heard.first?["message"]?["conversation"]?.string == "bob@example.org")
    #expect(harness.takeLines(states).map { $0["event"]?.string } == ["draft"])
  }

  @Test("since=now and none are the same; options that make no sense")
  func options() throws {
    let harness = try Harness()
    let client = harness.connect()
    #expect(harness.ask(client, "unwatch").last?["error"]?.string == "not-found")
    #expect(harness.ask(client, "watch kinds=nothing").last?["error"]?.string == "bad-argument")
    #expect(harness.ask(client, "watch as=").last?["error"]?.string == "bad-argument")
    #expect(harness.ask(client, "watch since=now in=@@").last?["error"]?.string == "bad-argument")
    harness.handle(.client(ClientID(2), .connected(Caller(user: 1000))))
    let log = try #require(harness.takeLines(ClientID(2)).first?["log"]?.string)
    #expect(harness.ask(client, "watch since=now log=\(log)").count == 2)
    #expect(harness.ask(client, "unwatch").map { $0["ok"]?.bool } == [true])
    #expect(harness.ask(client, "watch since=0 kinds=presence").map { $0["event"]?.string } == [nil, "caught-up"])
  }

  @Test("an empty log is caught up with at 0")
  func empty() throws {
    let harness = try Harness(accounts: [])
    let lines = harness.ask(harness.connect(), "watch since=0")
    #expect(lines.last?["event"]?.string == "caught-up")
    #expect(lines.last?["seq"]?.integer == 0)
  }

  @Test("connection and presence events say what they must")
  func ephemeral() throws {
    let harness = try Harness(server: .with(contacts: "bob@example.org"))
    let client = harness.connect()
    _ = harness.ask(client, "watch kinds=connection,presence")
    harness.receive("<presence from='bob@example.org/x'><show>away</show><status>lunch</status></presence>")
    let presence = harness.takeLines(client).first
    #expect(presence?["jid"]?.string == "bob@example.org")
    #expect(presence?["show"]?.string == "away")
    #expect(presence?["status"]?.string == "lunch")
    #expect(presence?["seq"] == nil)
    harness.cut()
    let lost = harness.takeLines(client)
    #expect(lost.map { $0["event"]?.string } == ["connection", "presence"] || lost.count == 2)
    #expect(lost.contains { $0["state"]?.string == "waiting" && $0["account"]?.string == "home" })
    #expect(lost.contains { $0["show"]?.string == "unavailable" })
    #expect(lost.allSatisfy { $0["seq"] == nil })
  }

  @Test("events never stand between the lines of an answer, nor does somebody's turn out of order")
  func notBetween() throws {
    let harness = try Harness()
    let client = harness.connect()
    let text = String(repeating: "z", count: 20_000)
    for number in 0..<40 { _ = harness.ask(client, "send bob@example.org \(number) \(text)") }
    let id = try #require(harness.ask(client, "send bob@example.org waited").last?["id"]?.integer)
    _ = harness.ask(client, "watch")
    harness.send(client, "wait for=sent tag=w \(id)\n")
    harness.stalled.insert(client)
    harness.send(client, "history tag=h bob@example.org\n")
    harness.receive("<a xmlns='urn:xmpp:sm:3' h='\(harness.server.handled)'/>" + message("x"))
    harness.pass(.milliseconds(50))
    #expect(harness.pending(client) < 700_000)
    for _ in 0..<20 {
      harness.handle(.client(client, .drained))
      harness.pass(.milliseconds(5))
    }
    let lines = harness.takeLines(client)
    let answer = lines.indices.filter { lines[$0]["tag"]?.string == "h" }
    #expect(answer.count == 42)
    #expect(answer == Array((answer.first ?? 0)...(answer.last ?? 0)))
    #expect(lines.filter { $0["tag"]?.string == "w" }.map { $0["state"]?.string } == ["sent"])
    #expect(lines.contains { $0["event"]?.string == "message" && $0["message"]?["text"]?.string == "x" })
  }

  @Test("a late message that joins or splits sections is told as a resection, with both ends and no number")
  func resection() throws {
    let harness = try Harness(gap: .hours(1))
    let client = harness.connect()
    harness.receive(
      message("a", stamp: "2025-01-01T10:00:00Z") + message("b", stamp: "2025-01-01T11:30:00Z")
        + message("c", stamp: "2025-01-01T11:40:00Z"))
    harness.pass(.milliseconds(50))
    let ids = harness.ask(client, "history bob@example.org").compactMap { $0["message"]?["id"]?.integer }
    _ = harness.ask(client, "watch kinds=resection")
    harness.receive(message("late", stamp: "2025-01-01T10:45:00Z"))
    harness.pass(.milliseconds(50))
    let event = try #require(harness.takeLines(client).first)
    #expect(event["conversation"]?.string == "bob@example.org")
    #expect(event["seq"] == nil)
    #expect(event["to"]?.integer == ids.last)
    #expect(event["from"]?.integer != nil)
    #expect(harness.ask(client, "sections bob@example.org").dropLast().count == 1)
  }

  @Test("a changed snap-interval is told for each conversation, without ends, in the same order always")
  func changeGap() throws {
    let harness = try Harness()
    let client = harness.connect()
    for name in ["dora", "bob", "carol"] { harness.receive(message("1", from: "\(name)@example.org/x")) }
    harness.pass(.milliseconds(50))
    _ = harness.ask(client, "watch kinds=resection")
    harness.reload { $0.daemon.snapInterval = .minutes(5) }
    let events = harness.takeLines(client)
    #expect(events.map { $0["conversation"]?.string } == ["bob", "carol", "dora"].map { "\($0)@example.org" })
    #expect(events.allSatisfy { $0["from"] == nil && $0["to"] == nil && $0["seq"] == nil })
  }

  @Test("a reader that stalls costs a bounded amount, and gets every durable event and the newest presences later")
  func stalled() throws {
    let harness = try Harness(server: .with(contacts: "bob@example.org"))
    let client = harness.connect()
    _ = harness.ask(client, "watch kinds=message,presence")
    harness.stalled.insert(client)
    let text = String(repeating: "q", count: 4000)
    for number in 0..<400 {
      harness.receive(
        "<message from='bob@example.org/x' id='s\(number)'><body>\(number) \(text)</body></message>"
          + "<presence from='bob@example.org/x'><status>\(number)</status></presence>")
      harness.pass(.milliseconds(10))
    }
    #expect((32 << 10..<48 << 10).contains(harness.pending(client)))
    for _ in 0..<100 { harness.handle(.client(client, .drained)) }
    let lines = harness.takeLines(client)
    let numbers = lines.compactMap { $0["message"]?["text"]?.string?.components(" ").first }
    #expect(numbers == (0..<400).map(String.init))
    #expect(lines.last { $0["event"]?.string == "presence" }?["status"]?.string == "399")
    #expect(lines.count { $0["event"]?.string == "presence" } < 200)
  }

  @Test("a connection that waits and watches hears everything that one sync made durable")
  func waitsAndWatches() throws {
    let harness = try Harness()
    let client = harness.connect()
    let id = try #require(harness.ask(client, "send bob@example.org hello").last?["id"]?.integer)
    _ = harness.ask(client, "watch kinds=message,state")
    harness.send(client, "wait for=sent tag=w \(id)\n")
    harness.syncsAtOnce = false
    harness.receive(message("1") + "<a xmlns='urn:xmpp:sm:3' h='\(harness.server.handled)'/>" + message("2"))
    harness.pass(.milliseconds(20))
    harness.sync()
    let lines = harness.takeLines(client)
    #expect(lines.compactMap { $0["event"]?.string } == ["message", "state", "message"])
    #expect(lines.count { $0["tag"]?.string == "w" } == 1)
  }

  @Test("a watcher that reads a long log and is told nothing of it leaves the others their turn")
  func longLog() throws {
    let harness = try Harness()
    let client = harness.connect()
    let text = String(repeating: "x", count: 1000)
    for number in 1...500 { harness.send(client, "send bob@example.org \(number) \(text)\n") }
    harness.pass(.seconds(1))
    _ = harness.takeLines(client)
    let watcher = harness.connect(2)
    harness.send(watcher, "watch since=0 in=carol@example.org\n")
    #expect(harness.takeLines(watcher).map { $0["event"]?.string } == [nil])
    #expect(harness.ask(client, "ping").first?["ok"]?.bool == true)
    harness.pass(.seconds(1))
    #expect(harness.takeLines(watcher).map { $0["event"]?.string } == ["caught-up"])
  }
}
