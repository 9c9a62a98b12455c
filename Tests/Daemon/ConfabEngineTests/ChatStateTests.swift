import Clocks
import ConfabAccounts
import JSON
import Testing

@Suite("chat states")
struct ChatStateTests {
  private static let namespace = "http://jabber.org/protocol/chatstates"

  /// The states that the server was sent.
  private func sent(_ harness: Harness) -> [String] {
    harness.toServer.components("<message").dropFirst().compactMap { message in
      ["active", "composing", "paused", "inactive", "gone"].first {
        message.components("<\($0) xmlns='\(Self.namespace)'").count > 1
      }
    }
  }

  private func receive(_ state: String, from: String, _ harness: Harness, extra: String = "") {
    harness.receive("<message from='\(from)' type='chat'><\(state) xmlns='\(Self.namespace)'/>\(extra)</message>")
  }

  private func events(_ client: ClientID, _ harness: Harness) -> [String] {
    harness.takeLines(client).filter { $0["event"]?.string == "typing" }.compactMap { $0["state"]?.string }
  }

  @Test("A contact that may see us is sent each state once, and paused after 30 seconds")
  func sending() throws {
    let harness = try ReceiptTests.online(ReceiptTests.server())
    let client = harness.connect()
    harness.clearTrace()
    for state in ["active", "composing", "composing", "inactive"] {
      #expect(harness.ask(client, "typing bob@example.org \(state)").last?["ok"]?.bool == true)
    }
    #expect(sent(harness) == ["active", "composing", "inactive"])
    harness.clearTrace()
    _ = harness.ask(client, "typing bob@example.org composing")
    harness.pass(.seconds(20))
    _ = harness.ask(client, "typing bob@example.org composing")
    harness.pass(.seconds(20))
    #expect(sent(harness) == ["composing"])
    harness.pass(.seconds(11))
    #expect(sent(harness) == ["composing", "paused"])
  }

  @Test("A client that closes pauses; one that has sent its message does not")
  func closing() throws {
    let harness = try ReceiptTests.online(ReceiptTests.server())
    let (one, other) = (harness.connect(1), harness.connect(2))
    harness.clearTrace()
    _ = harness.ask(one, "typing bob@example.org composing")
    _ = harness.ask(one, "send bob@example.org hello")
    harness.handle(.client(one, .closed))
    #expect(sent(harness) == ["composing"])
    _ = harness.ask(other, "typing bob@example.org composing")
    harness.handle(.client(other, .closed))
    harness.pass(.milliseconds(10))
    #expect(sent(harness) == ["composing", "composing", "paused"])
  }

  @Test("A stranger is sent nothing before it has sent a state")
  func strangers() throws {
    let harness = try ReceiptTests.online(ReceiptTests.server())
    let client = harness.connect()
    harness.clearTrace()
    #expect(harness.ask(client, "typing eve@example.net composing").last?["ok"]?.bool == true)
    #expect(sent(harness).isEmpty)
    receive("active", from: "eve@example.net/x", harness)
    _ = harness.ask(client, "typing eve@example.net composing")
    #expect(sent(harness) == ["composing"])
  }

  @Test("A state is refused while offline, and an unknown one always")
  func refusals() throws {
    let harness = try ReceiptTests.online(ReceiptTests.server())
    let client = harness.connect()
    _ = harness.ask(client, "disconnect")
    harness.pass(.seconds(1))
    #expect(harness.ask(client, "typing bob@example.org composing").last?["error"]?.string == "not-connected")
    #expect(harness.ask(client, "typing bob@example.org asleep").last?["error"]?.string == "bad-argument")
  }

  @Test("Watchers hear what a contact does; a message, 30 seconds or its going offline ends composing")
  func receiving() throws {
    let harness = try ReceiptTests.online(ReceiptTests.server())
    let client = harness.connect()
    _ = harness.ask(client, "watch kinds=typing")
    receive("composing", from: "bob@example.org/phone", harness)
    let event = try #require(harness.takeLines(client).last)
    #expect(event["conversation"]?.string == "bob@example.org")
    #expect(event["from"]?.string == "bob@example.org/phone")
    #expect(event["state"]?.string == "composing")
    harness.receive("<message from='bob@example.org/phone' type='chat'><body>hi</body></message>")
    #expect(events(client, harness) == ["active"])
    receive("composing", from: "bob@example.org/phone", harness)
    harness.pass(.seconds(31))
    #expect(events(client, harness) == ["composing", "paused"])
    receive("composing", from: "bob@example.org/phone", harness)
    harness.receive("<presence from='bob@example.org/phone' type='unavailable'/>")
    #expect(events(client, harness) == ["composing", "gone"])
  }

  @Test("A cut ends what a contact composes, and what we do is said anew on the resumed stream")
  func cut() throws {
    let harness = try ReceiptTests.online(ReceiptTests.server())
    let client = harness.connect()
    _ = harness.ask(client, "typing bob@example.org composing")
    _ = harness.ask(client, "watch kinds=typing")
    receive("composing", from: "bob@example.org/phone", harness)
    harness.cut()
    #expect(events(client, harness) == ["composing", "gone"])
    harness.pass(.seconds(5))
    harness.clearTrace()
    #expect(harness.ask(client, "typing bob@example.org composing").last?["ok"]?.bool == true)
    #expect(sent(harness) == ["composing"])
  }

  @Test("What we sent elsewhere, what was delayed and what is unknown are no news")
  func ignored() throws {
    let harness = try ReceiptTests.online(ReceiptTests.server())
    let client = harness.connect()
    _ = harness.ask(client, "watch kinds=typing")
    receive("composing", from: "alice@example.org/other", harness)
    receive("sleeping", from: "bob@example.org/phone", harness)
    receive(
      "composing", from: "bob@example.org/phone", harness,
      extra: "<delay xmlns='urn:xmpp:delay' stamp='2025-10-09T08:53:20Z'/>")
    #expect(events(client, harness).isEmpty)
  }

  @Test("Strangers' states are bounded")
  func bound() throws {
    let harness = try ReceiptTests.online(ReceiptTests.server())
    let client = harness.connect()
    _ = harness.ask(client, "watch kinds=typing")
    for number in 0..<1200 { receive("composing", from: "s\(number)@example.net/x", harness) }
    #expect(events(client, harness).count == 1000)
  }
}
