import Clocks
import JSON
import Testing

@testable import ConfabAccounts

/// Stamps in our server's name (XEP-0203) that a sender may have written.
@Suite("delay stamps in the server's name")
struct DelayStampTests {
  private static let stamp = "2025-01-02T03:04:05Z"

  private func harness() throws -> Harness {
    var server = ScriptedStream()
    server.resumption = "max='600'"
    server.acknowledges = true
    return try Harness(server: server)
  }

  private func stamped(_ text: String, id: String = "d") -> String {
    "<message type='chat' from='bob@example.org/x' to='alice@example.org' id='\(id)'><body>\(text)</body>"
      + "<delay xmlns='urn:xmpp:delay' from='example.org' stamp='\(Self.stamp)'/></message>"
  }

  private func messages(_ harness: Harness) -> [JSONValue] {
    harness.ask(harness.connect(77), "history bob@example.org").compactMap { $0["message"] }
  }

  /// True if a message with such a stamp has the stamp's time; otherwise it has the present time, and the stamp as a
  /// claim.
  private func isBelieved(_ text: String, _ harness: Harness) throws -> Bool {
    let now = harness.now.wall.rfc3339
    harness.say(stamped(text, id: text))
    harness.pass(.seconds(1))
    let message = try #require(messages(harness).first { $0["text"]?.string == text })
    let isBelieved = message["delayed"]?.bool == true
    let time = message["time"]?.string
    #expect(isBelieved ? time?.hasPrefix("2025-01-02T03:04:05") == true : time == now)
    #expect((message["claimed_time"] == nil) == isBelieved)
    return isBelieved
  }

  @Test("a stamp is believed right after initial presence, while offline messages are delivered")
  func offline() throws {
    let harness = try harness()
    for number in 0..<30 {
      #expect(try isBelieved("\(number)", harness))
      harness.pass(.seconds(7))
    }
    harness.pass(.seconds(15))
    #expect(try !isBelieved("later", harness))
  }

  @Test("a stamp on a later live message is a claim, and the message keeps its time of arrival")
  func live() throws {
    let harness = try harness()
    harness.pass(.minutes(3))
    harness.say("<message type='chat' from='bob@example.org/x' id='1'><body>first</body></message>")
    #expect(try !isBelieved("forged", harness))
    #expect(messages(harness).map { $0["text"]?.string } == ["first", "forged"])
  }

  @Test("a stamp is believed on messages that come again after a resume")
  func resumed() throws {
    let harness = try harness()
    harness.pass(.minutes(5))
    harness.cut()
    harness.pass(.seconds(10))
    #expect(harness.toServer.contains("<resume "))
    #expect(try isBelieved("waited", harness))
    harness.pass(.minutes(3))
    #expect(try !isBelieved("later", harness))
  }

  @Test("a later copy with a stamp does not duplicate a known message")
  func redelivered() throws {
    let harness = try harness()
    harness.pass(.minutes(3))
    harness.say("<message type='chat' from='bob@example.org/x' to='alice@example.org' id='d'><body>x</body></message>")
    harness.pass(.seconds(1))
    let now = harness.now.wall.rfc3339
    harness.say(stamped("x").replacing(Self.stamp, with: now))
    harness.pass(.seconds(1))
    #expect(messages(harness).count == 1)
  }

  // MARK: - What an earlier session took as it came

  /// How a session ends.
  enum End: CaseIterable { case disconnect, stop, kill }

  private func message(_ text: String, stamps: [String], from: String = "bob@example.org/x") -> String {
    let delays = stamps.map { "<delay xmlns='urn:xmpp:delay' from='example.org' stamp='\($0)'/>" }.joined()
    return
      "<message type='chat' from='\(from)' to='alice@example.org' id='\(text)'><body>\(text)</body>\(delays)</message>"
  }

  private func received(_ text: String, _ harness: Harness) throws -> JSONValue {
    try #require(messages(harness).first { $0["text"]?.string == text })
  }

  /// A session that took messages as they came for ten minutes, its end, an hour later the next one.
  private func afterAnHour(_ end: End) throws -> (harness: Harness, ended: Timestamp) {
    var harness = try harness()
    harness.pass(.minutes(10))
    harness.say(message("live", stamps: []))
    harness.pass(.seconds(5))
    let ended = harness.now.wall
    switch end {
    case .disconnect:
      _ = harness.ask(harness.connect(8), "disconnect")
      harness.pass(.hours(1))
      _ = harness.ask(harness.connect(8), "connect")
    case .stop, .kill:
      if end == .stop { harness.handle(.stop(.terminate)) }
      harness.pass(.seconds(1))
      let now = Moment(instant: harness.now.instant.advanced(by: .hours(1)), wall: ended.advanced(by: .hours(1)))
      harness = try Harness(on: harness.storage, server: harness.server, now: now, seed: 2)
    }
    harness.pass(.seconds(1))
    #expect(harness.isOnline)
    return (harness, ended)
  }

  @Test(
    "a stamp from before the end of an earlier session is a claim, and the message is unread", arguments: End.allCases)
  func beforeTheEarlierSession(_ end: End) throws {
    let (harness, ended) = try afterAnHour(end)
    #expect(harness.ask(harness.connect(5), "read bob@example.org").last?["ok"]?.bool == true)
    let waited = ended.advanced(by: .minutes(20)).rfc3339
    let forged = ended.advanced(by: .minutes(-5)).rfc3339
    harness.say(message("waited", stamps: [waited]), message("forged", stamps: [forged]))
    harness.pass(.seconds(1))
    #expect(try received("waited", harness)["time"]?.string == waited)
    let message = try received("forged", harness)
    #expect(message["claimed_time"]?.string == forged)
    #expect(message["delayed"] == nil)
    #expect(messages(harness).last?["text"]?.string == "forged")
    #expect(harness.ask(harness.connect(4), "unread in=bob@example.org").last?["unread"]?.integer == 2)
  }

  @Test("of several stamps in the server's name the last counts, and an earlier one is a claim")
  func lastStamp() throws {
    let (harness, ended) = try afterAnHour(.disconnect)
    let waited = ended.advanced(by: .minutes(20)).rfc3339
    harness.say(message("waited", stamps: [Self.stamp, waited]))
    harness.pass(.seconds(1))
    #expect(try received("waited", harness)["time"]?.string == waited)
    #expect(try received("waited", harness)["claimed_time"]?.string?.hasPrefix("2025-01-02") == true)
  }

  @Test("a server's clock may be two minutes behind ours")
  func slowClock() throws {
    let (harness, ended) = try afterAnHour(.kill)
    let stamp = ended.advanced(by: .seconds(-100)).rfc3339
    harness.say(message("waited", stamps: [stamp]))
    harness.pass(.seconds(1))
    #expect(try received("waited", harness)["delayed"]?.bool == true)
  }

  @Test("offline messages that come again after a crash in their delivery keep their stamps")
  func crashedDelivery() throws {
    let (first, ended) = try afterAnHour(.kill)
    first.pass(.minutes(1))
    let later = Moment(
      instant: first.now.instant.advanced(by: .minutes(5)), wall: first.now.wall.advanced(by: .minutes(5)))
    let harness = try Harness(on: first.storage, server: first.server, now: later, seed: 3)
    harness.pass(.seconds(1))
    let waited = ended.advanced(by: .minutes(20)).rfc3339
    harness.say(message("waited", stamps: [waited]))
    harness.pass(.seconds(1))
    #expect(try received("waited", harness)["time"]?.string == waited)
  }

  @Test("a sender cannot keep stamps believed by sending without a pause")
  func withoutPause() throws {
    let harness = try harness()
    for number in 0..<100 {
      harness.say(stamped("\(number)", id: "\(number)"))
      harness.pass(.seconds(7))
    }
    #expect(try !isBelieved("later", harness))
  }

  @Test("a message that was delayed to a time already read is unread")
  func aboveRead() throws {
    let harness = try harness()
    harness.say(message("one", stamps: []))
    harness.pass(.seconds(30))
    harness.say(message("two", stamps: []))
    harness.pass(.seconds(1))
    _ = harness.ask(harness.connect(5), "read bob@example.org")
    harness.pass(.seconds(10))
    #expect(try isBelieved("waited", harness))
    #expect(harness.ask(harness.connect(4), "unread in=bob@example.org").last?["unread"]?.integer == 1)
  }

  @Test("a message that is delayed to a time that is about to be read is unread")
  func abovePendingRead() throws {
    let harness = try harness()
    harness.say(message("one", stamps: []))
    harness.pass(.seconds(30))
    let client = harness.connect(5)
    harness.syncsAtOnce = false
    harness.send(client, "read bob@example.org\n")
    harness.say(stamped("waited"))
    harness.pass(.milliseconds(50))
    harness.syncsAtOnce = true
    harness.sync()
    harness.pass(.seconds(1))
    #expect(harness.takeLines(client).last?["ok"]?.bool == true)
    #expect(messages(harness).map { $0["text"]?.string } == ["waited", "one"])
    #expect(harness.ask(harness.connect(4), "unread in=bob@example.org").last?["unread"]?.integer == 1)
  }

  @Test("what comes after our clock was put right stands at its time, and is unread; what was read stays so")
  func clockPutRight() throws {
    let harness = try harness()
    func say(_ text: String) {
      harness.say("<message type='chat' from='bob@example.org/x' id='\(text)'><body>\(text)</body></message>")
      harness.pass(.seconds(1))
    }
    let right = harness.now.wall
    harness.now.wall = right.advanced(by: .minutes(120))
    say("ahead")
    _ = harness.ask(harness.connect(5), "read bob@example.org")
    harness.now.wall = right
    say("now")
    say("then")
    #expect(messages(harness).map { $0["text"]?.string } == ["now", "then", "ahead"])
    let client = harness.connect(4)
    func unread() -> Int64? { harness.ask(client, "unread in=bob@example.org").last?["unread"]?.integer }
    #expect(unread() == 2)
    let ids = messages(harness).compactMap { $0["id"]?.integer }
    _ = harness.ask(client, "read bob@example.org \(ids[1])")
    #expect(unread() == 0)
    _ = harness.ask(client, "unread-from bob@example.org \(ids[1])")
    // All that stands there or below, and what arrived later.
    #expect(unread() == 3)
    _ = harness.ask(client, "read bob@example.org \(ids[2])")
    #expect(unread() == 2)
    _ = harness.ask(client, "read bob@example.org")
    say("later")
    #expect(unread() == 1)
    #expect(messages(harness).last?["text"]?.string == "ahead")
  }

  @Test("a stamp inside of a carbon's message is a claim, one of the carbon itself counts")
  func carbons() throws {
    let harness = try harness()
    harness.pass(.minutes(5))
    let stamp = harness.now.wall.advanced(by: .minutes(-3)).rfc3339
    for (text, outer) in [("inner", ""), ("outer", "<delay xmlns='urn:xmpp:delay' stamp='\(stamp)'/>")] {
      harness.say(
        "<message from='alice@example.org' to='alice@example.org/c'><received xmlns='urn:xmpp:carbons:2'>"
          + "<forwarded xmlns='urn:xmpp:forward:0'>\(outer)"
          + message(text, stamps: [Self.stamp]).replacing("<message ", with: "<message xmlns='jabber:client' ")
          + "</forwarded></received></message>")
      harness.pass(.seconds(1))
    }
    #expect(try received("inner", harness)["time"]?.string?.hasPrefix("2025-01") == false)
    #expect(try received("inner", harness)["delayed"] == nil)
    #expect(try received("outer", harness)["time"]?.string == stamp)
  }

  @Test("a correction with a forged stamp has its time of arrival")
  func corrections() throws {
    let harness = try harness()
    harness.pass(.minutes(3))
    harness.say(message("one", stamps: []))
    harness.pass(.seconds(1))
    let now = harness.now.wall.rfc3339
    harness.say(
      stamped("two", id: "c").replacing(
        "</message>", with: "<replace xmlns='urn:xmpp:message-correct:0' id='one'/></message>"))
    harness.pass(.seconds(1))
    #expect(try received("two", harness)["edited"]?.string == now)
  }
}
