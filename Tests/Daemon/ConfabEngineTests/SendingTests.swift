import Clocks
import ConfabEngine
import JSON
import Testing

@Suite("send and wait, sentence by sentence")
struct SendingTests {
  private func acknowledge(_ harness: Harness) {
    harness.receive("<a xmlns='urn:xmpp:sm:3' h='\(harness.server.handled)'/>")
    harness.pass(.milliseconds(50))
  }

  @Test("wait= answers when the message has got that far, or that it has not in time; it is stored all the same")
  func waits() throws {
    let harness = try Harness()
    let client = harness.connect()
    harness.send(client, "send wait=sent bob@example.org one\n")
    harness.pass(.milliseconds(50))
    #expect(harness.takeLines(client).isEmpty)
    acknowledge(harness)
    let sent = try #require(harness.takeLines(client).first)
    #expect(sent["ok"]?.bool == true)
    #expect(sent["state"]?.string == "sent")
    harness.send(client, "send wait=delivered timeout=2s bob@example.org two\n")
    harness.pass(.seconds(3))
    let late = try #require(harness.takeLines(client).first)
    #expect(late["error"]?.string == "timeout")
    #expect(late["id"]?.integer != nil)
    #expect(late["state"]?.string == "queued")
    #expect(harness.ask(client, "history limit=1 bob@example.org").first?["message"]?["text"]?.string == "two")
  }

  @Test("an immense time-out is no trap")
  func immense() throws {
    let harness = try Harness()
    let client = harness.connect()
    #expect(harness.ask(client, "send wait=sent timeout=100000000000d bob@example.org x").isEmpty)
    acknowledge(harness)
    #expect(harness.takeLines(client).first?["state"]?.string == "sent")
  }

  @Test("an answer that was overtaken by its message says how far that is")
  func overtaken() throws {
    let harness = try Harness()
    let client = harness.connect()
    // `add` is answered by the server, and everything behind it waits.
    harness.send(
      client, "add carol@example.org\nsend tag=a wait=sent bob@example.org one\nsend tag=b bob@example.org two\n")
    harness.pass(.milliseconds(50))
    acknowledge(harness)
    #expect(harness.takeLines(client).isEmpty)
    let iq = try #require(ScriptedStream.value(of: "id", in: harness.toServer.components("<iq").last ?? ""))
    harness.receive("<iq type='result' id='\(iq)'/>")
    harness.pass(.milliseconds(50))
    let lines = harness.takeLines(client)
    #expect(lines.map { $0["state"]?.string } == [nil, "sent", "sent"])
  }

  @Test("a full JID is sent there and belongs to the bare one's conversation")
  func fullJID() throws {
    let harness = try Harness()
    let client = harness.connect()
    harness.clearTrace()
    #expect(harness.ask(client, "send Bob@Example.org/phone hello").last?["ok"]?.bool == true)
    #expect(harness.toServer.contains("to='bob@example.org/phone'"))
    let message = harness.ask(client, "history bob@example.org").first?["message"]
    #expect(message?["conversation"]?.string == "bob@example.org")
    #expect(message?["from"]?.string == "alice@example.org")
    #expect(message?["mine"]?.bool == true)
  }

  @Test("my own JID is one message, mine; its echo is known, and delivers it")
  func ownJID() throws {
    let harness = try Harness()
    let client = harness.connect()
    let sent = harness.ask(client, "send alice@example.org note to self").last?["id"]?.integer
    let waiter = harness.connect(2)
    harness.send(waiter, "wait for=delivered \(try #require(sent))\n")
    let stanza = try #require(harness.toServer.components("<message").last)
    let id = try #require(ScriptedStream.value(of: "id", in: stanza))
    harness.receive(
      "<message from='alice@example.org/confab' to='alice@example.org' type='chat' id='\(id)'>"
        + "<body>note to self</body><origin-id xmlns='urn:xmpp:sid:0' id='\(id)'/></message>")
    harness.pass(.milliseconds(50))
    #expect(harness.takeLines(waiter).last?["state"]?.string == "delivered")
    let lines = harness.ask(client, "history alice@example.org")
    #expect(lines.dropLast().map { $0["message"]?["mine"]?.bool } == [true])
    #expect(lines.first?["message"]?["state"]?.string == "delivered")
  }

  @Test("what cannot be sent is refused, and nothing is stored")
  func refused() throws {
    let harness = try Harness()
    let client = harness.connect()
    let long = String(repeating: "x", count: 60_001)
    let heavy = String(repeating: "&", count: 50_000)
    for (request, code) in [
      ("send bob@example.org", "bad-argument"), ("send bob@example.org ", "bad-argument"),
      (#"{"verb":"send","to":"bob@example.org","text":""}"#, "bad-argument"), ("send @@ hello", "bad-argument"),
      ("send bob@example.org \(long)", "too-large"), ("send bob@example.org \(heavy)", "too-large"),
      ("send wait=read bob@example.org x", "bad-argument"),
    ] {
      #expect(harness.ask(client, request).map { $0["error"]?.string } == [code], "\(request.prefix(60))")
    }
    let forbidden = harness.ask(client, #"{"verb":"send","to":"bob@example.org","text":"ab\u0007"}"#).last
    #expect(forbidden?["error"]?.string == "bad-argument")
    #expect(forbidden?["argument"]?.string == "text")
    #expect(forbidden?["position"]?.integer == 2)
    #expect(harness.ask(client, "conversations").count == 1)
  }

  @Test("wait: my messages only, and further states count; past answers come at once")
  func wait() throws {
    let harness = try Harness()
    let client = harness.connect()
    let id = try #require(harness.ask(client, "send bob@example.org hello").last?["id"]?.integer)
    #expect(harness.ask(client, "wait for=sent timeout=1s \(id)").isEmpty)
    harness.pass(.seconds(2))
    #expect(harness.takeLines(client).first?["error"]?.string == "timeout")
    acknowledge(harness)
    #expect(harness.ask(client, "wait for=queued \(id)").first?["error"]?.string == "bad-argument")
    #expect(harness.ask(client, "wait for=sent \(id)").first?["state"]?.string == "sent")
    harness.receive("<message from='bob@example.org/x' id='1'><body>hi</body></message>")
    harness.pass(.milliseconds(50))
    let other = try #require(harness.ask(client, "history limit=1 bob@example.org").first?["message"]?["id"]?.integer)
    #expect(harness.ask(client, "wait for=sent \(other)").first?["error"]?.string == "bad-argument")
    #expect(harness.ask(client, "wait for=sent 1").first?["error"]?.string == "not-found")
    #expect(harness.ask(client, "wait for=sent 9999999").first?["error"]?.string == "not-found")
    #expect(harness.ask(client, "wait \(id)").first?["error"]?.string == "bad-argument")
  }

  @Test("an acknowledgement that comes with the error does not make it sent again")
  func failedStays() throws {
    let harness = try Harness()
    let client = harness.connect()
    harness.send(client, "watch kinds=state\n")
    let id = try #require(harness.ask(client, "send nobody@example.org hello").last?["id"]?.integer)
    let stanza = try #require(ScriptedStream.value(of: "id", in: harness.toServer.components("<message").last ?? ""))
    let error =
      "<message type='error' id='\(stanza)' from='nobody@example.org'><error type='cancel'>"
      + "<service-unavailable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></message>"
    _ = harness.takeLines(client)
    harness.receive(error + "<a xmlns='urn:xmpp:sm:3' h='\(harness.server.handled)'/>" + error)
    harness.pass(.seconds(1))
    #expect(harness.takeLines(client).map { $0["state"]?.string } == ["failed"])
    #expect(harness.ask(client, "wait for=sent \(id)").first?["error"]?.string == "failed")
    let message = harness.ask(client, "history nobody@example.org").first?["message"]
    #expect(message?["failure"]?["condition"]?.string == "service-unavailable")
  }

  @Test("a slow link gets messages as it takes them, in their order, each once")
  func slowLink() throws {
    let harness = try Harness()
    let client = harness.connect()
    _ = harness.ask(client, "disconnect")
    let text = String(repeating: "y", count: 50_000)
    for number in 0..<40 { _ = harness.ask(client, "send bob@example.org \(number):\(text)") }
    harness.clearTrace()
    harness.linksDrain = false
    _ = harness.ask(client, "connect")
    let first = harness.toServer.utf8.count
    #expect(first > 100_000 && first < 600_000)
    // What is sent now waits behind them.
    _ = harness.ask(client, "send bob@example.org last:")
    #expect(harness.toServer.utf8.count == first)
    harness.drainLink()
    harness.pass(.milliseconds(100))
    // What the server has not acknowledged is no more than a window.
    #expect(harness.toServer.utf8.count < 1_700_000)
    for _ in 0..<3 {
      harness.receive("<a xmlns='urn:xmpp:sm:3' h='\(harness.server.handled)'/>")
      harness.pass(.milliseconds(100))
    }
    let numbers = harness.toServer.components("<body>").dropFirst().compactMap { $0.components(":").first }
    #expect(numbers == (0..<40).map(String.init) + ["last"])
  }

  @Test("250 unacknowledged messages fill the stream; the rest follow as they are acknowledged, in their order")
  func window() throws {
    let harness = try Harness()
    let client = harness.connect()
    harness.clearTrace()
    harness.send(client, (0..<600).map { "send bob@example.org n\($0)\n" }.joined())
    harness.pass(.milliseconds(500))
    #expect(harness.takeLines(client).count == 600)
    #expect(harness.toServer.components("<body>").count - 1 == 250)
    for _ in 0..<4 { acknowledge(harness) }
    let bodies = harness.toServer.components("<body>").dropFirst().compactMap { $0.components("<").first }
    #expect(bodies == (0..<600).map { "n\($0)" })
    #expect(harness.ask(client, "status").first?["account"]?["queued"]?.integer == 0)
  }

  @Test("after a cut all that is unacknowledged goes again, in order, and only that is in doubt")
  func again() throws {
    let harness = try Harness()
    let client = harness.connect()
    for number in 0..<3 { _ = harness.ask(client, "send bob@example.org n\(number)") }
    harness.cut()
    _ = harness.ask(client, "send bob@example.org n3")
    harness.clearTrace()
    harness.pass(.seconds(3))
    let bodies = harness.toServer.components("<body>").dropFirst().compactMap { $0.components("<").first }
    #expect(bodies == ["n0", "n1", "n2", "n3"])
    let doubts = harness.ask(client, "history bob@example.org").dropLast().map { $0["message"]?["in_doubt"]?.bool }
    #expect(doubts == [true, true, true, nil])
  }

  @Test("a server that never answers <enable/> is left")
  func silentServer() throws {
    let harness = try Harness()
    let client = harness.connect()
    _ = harness.ask(client, "disconnect")
    harness.server.ignoresEnable = true
    _ = harness.ask(client, "connect")
    _ = harness.ask(client, "send bob@example.org hello")
    harness.pass(.milliseconds(30_100))
    harness.server.ignoresEnable = false
    harness.pass(.seconds(3))
    #expect(harness.toServer.contains("<body>hello</body>"))
  }
}
