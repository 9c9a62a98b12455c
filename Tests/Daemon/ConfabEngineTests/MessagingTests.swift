import Clocks
import ConfabEngine
import JSON
import MessageLog
import Testing

@Suite("messages, in and out")
struct MessagingTests {
  private func incoming(_ id: String, _ text: String, extra: String = "") -> String {
    "<message from='bob@example.org/phone' to='alice@example.org/confab' type='chat' id='\(id)'>"
      + "<body>\(text)</body>\(extra)</message>"
  }

  @Test("ok comes after the sync, the bytes leave after it too, and sent after the acknowledgement")
  func send() throws {
    let harness = try Harness()
    let client = harness.connect()
    harness.clearTrace()
    harness.syncsAtOnce = false
    harness.send(client, "send bob@example.org  two spaces\n")
    #expect(harness.trace.isEmpty)
    harness.sync()
    let answer = try #require(harness.takeLines(client).first)
    #expect(answer["ok"]?.bool == true)
    #expect(answer["state"]?.string == "queued")
    #expect(harness.trace.first == .synced)
    #expect(harness.toServer.contains("<body> two spaces</body>"))
    #expect(harness.toServer.contains("<r xmlns='urn:xmpp:sm:3'/>"))
    let id = try #require(answer["id"]?.integer)
    harness.send(client, "wait for=sent \(id)\n")
    #expect(harness.takeLines(client).isEmpty)
    harness.receive("<a xmlns='urn:xmpp:sm:3' h='\(harness.server.handled)'/>")
    harness.pass(.milliseconds(10))
    harness.sync()
    #expect(harness.takeLines(client).first?["state"]?.string == "sent")
  }

  @Test("a message is acknowledged only after its sync")
  func acknowledge() throws {
    let harness = try Harness()
    harness.clearTrace()
    harness.syncsAtOnce = false
    harness.receive(incoming("1", "hello") + "<r xmlns='urn:xmpp:sm:3'/>")
    harness.pass(.milliseconds(10))
    #expect(harness.trace.isEmpty)
    harness.sync()
    #expect(harness.trace == [.synced, .toServer("<a xmlns='urn:xmpp:sm:3' h='4'/>")])
  }

  @Test("an answer to <r/> comes within 5 seconds, then with the old count")
  func oldCount() throws {
    let harness = try Harness()
    harness.pass(.seconds(1))
    harness.clearTrace()
    harness.syncsAtOnce = false
    harness.receive(incoming("1", "hello") + "<r xmlns='urn:xmpp:sm:3'/>")
    harness.pass(.seconds(4))
    #expect(harness.trace.isEmpty)
    harness.pass(.seconds(2))
    #expect(harness.trace == [.toServer("<a xmlns='urn:xmpp:sm:3' h='3'/>")])
  }

  @Test("what was transmitted and not acknowledged goes again, with the same ids and in doubt, after a crash")
  func inDoubt() throws {
    let harness = try Harness()
    let client = harness.connect()
    let id = try #require(harness.ask(client, "send bob@example.org hello").last?["id"]?.integer)
    let stanza = try #require(ScriptedStream.value(of: "id", in: harness.toServer.components("<message").last ?? ""))
    let later = try Harness(on: harness.storage, seed: 2)
    later.pass(.milliseconds(10))
    #expect(later.toServer.contains("id='\(stanza)'"))
    #expect(later.toServer.contains("urn:xmpp:delay"))
    let other = later.connect()
    let message = later.ask(other, "history bob@example.org").first?["message"]
    #expect(message?["id"]?.integer == id)
    #expect(message?["in_doubt"]?.bool == true)
    later.receive("<a xmlns='urn:xmpp:sm:3' h='\(later.server.handled)'/>")
    later.pass(.milliseconds(10))
    #expect(later.ask(other, "history bob@example.org").first?["message"]?["state"]?.string == "sent")
    // Acknowledged: it does not go a third time.
    let last = try Harness(on: later.storage, seed: 3)
    last.pass(.milliseconds(10))
    #expect(!last.toServer.contains("<message"))
  }

  @Test("what is queued while offline goes out at the next login, in order, without doubt")
  func offline() throws {
    let harness = try Harness()
    let client = harness.connect()
    _ = harness.ask(client, "disconnect")
    for number in 1...3 { _ = harness.ask(client, "send bob@example.org number \(number)") }
    harness.clearTrace()
    _ = harness.ask(client, "connect")
    let bodies = harness.toServer.components("<body>").dropFirst().map { $0.components("<").first }
    #expect(bodies == ["number 1", "number 2", "number 3"])
    #expect(harness.ask(client, "history bob@example.org").first?["message"]?["in_doubt"] == nil)
  }

  @Test("without stream management a ping behind the messages makes them sent")
  func ping() throws {
    let harness = try Harness()
    let client = harness.connect()
    _ = harness.ask(client, "disconnect")
    harness.server.offersManagement = false
    _ = harness.ask(client, "connect")
    harness.clearTrace()
    let id = try #require(harness.ask(client, "send bob@example.org hello").last?["id"]?.integer)
    let ping = try #require(harness.toServer.components("<iq").last)
    #expect(ping.contains("urn:xmpp:ping"))
    let iq = try #require(ScriptedStream.value(of: "id", in: ping))
    harness.receive("<iq type='result' id='\(iq)'/>")
    #expect(harness.ask(client, "wait for=sent \(id)").first?["state"]?.string == "sent")
  }

  @Test("an error stanza makes it failed, with its condition and text, and whoever waits is told")
  func failure() throws {
    let harness = try Harness()
    let client = harness.connect()
    harness.send(client, "send wait=delivered timeout=5m nobody@example.org hello\n")
    harness.pass(.milliseconds(10))
    let id = try #require(ScriptedStream.value(of: "id", in: harness.toServer.components("<message").last ?? ""))
    let error = "<error type='cancel'><service-unavailable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>"
    // Somebody else cannot make it fail.
    harness.receive("<message type='error' id='\(id)' from='mallory@example.org'>\(error)</message>")
    harness.pass(.milliseconds(50))
    #expect(harness.takeLines(client).isEmpty)
    harness.receive("<message type='error' id='\(id)' from='nobody@example.org'>\(error)</message>")
    harness.pass(.milliseconds(50))
    let answer = try #require(harness.takeLines(client).first)
    #expect(answer["error"]?.string == "failed")
    #expect(answer["state"]?.string == "failed")
    #expect(answer["failure"]?["condition"]?.string == "service-unavailable")
  }

  @Test(
    "an error from my own server or account, or without a sender, fails the message that has its id",
    arguments: ["from='example.org'", "from='alice@example.org'", ""])
  func failureByServer(from: String) throws {
    let harness = try Harness()
    let client = harness.connect()
    _ = harness.ask(client, "send bob@elsewhere.example hello")
    let id = try #require(ScriptedStream.value(of: "id", in: harness.toServer.components("<message").last ?? ""))
    let error = "<error type='cancel'><remote-server-not-found xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>"
    for (other, stanza) in [("from='mallory@example.org'", id), ("from='alice@example.org/there'", id), (from, "x")] {
      harness.receive("<message type='error' id='\(stanza)' \(other)>\(error)</message>")
    }
    harness.pass(.milliseconds(50))
    func state() -> String? {
      harness.ask(client, "history bob@elsewhere.example").first?["message"]?["state"]?.string
    }
    #expect(state() == "queued")
    harness.receive("<message type='error' id='\(id)' \(from)>\(error)</message>")
    harness.pass(.milliseconds(50))
    #expect(state() == "failed")
  }

  @Test("a message that is first unacknowledged at two stream errors is failed")
  func poison() throws {
    let harness = try Harness()
    let client = harness.connect()
    let id = try #require(harness.ask(client, "send bob@example.org poison").last?["id"]?.integer)
    let error =
      "<stream:error><policy-violation xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></stream:error></stream:stream>"
    harness.receive(error)
    harness.pass(.minutes(1))
    #expect(harness.ask(client, "history bob@example.org").first?["message"]?["state"]?.string == "queued")
    harness.receive(error)
    harness.pass(.minutes(1))
    harness.clearTrace()
    let message = harness.ask(client, "history bob@example.org").first?["message"]
    #expect(message?["state"]?.string == "failed")
    #expect(message?["id"]?.integer == id)
    harness.pass(.seconds(10))
    #expect(!harness.toServer.contains("poison"))
  }

  @Test("the same key never sends twice; with another text it is refused")
  func key() throws {
    let harness = try Harness()
    let client = harness.connect()
    harness.syncsAtOnce = false
    harness.send(client, "send key=k1 bob@example.org once\nsend key=k1 bob@example.org once\n")
    harness.sync()
    harness.sync()
    let lines = harness.takeLines(client)
    #expect(lines.count == 2)
    #expect(lines.first?["id"] == lines.last?["id"])
    #expect(lines.last?["repeated"]?.bool == true)
    harness.syncsAtOnce = true
    #expect(harness.ask(client, "send key=k1 bob@example.org other").last?["error"]?.string == "key-mismatch")
    #expect(harness.ask(client, "send key=k1 carol@example.org once").last?["error"]?.string == "key-mismatch")
    #expect(harness.toServer.components("<body>").count == 2)
    let later = try Harness(on: harness.storage)
    #expect(later.ask(later.connect(), "send key=k1 bob@example.org once").last?["repeated"]?.bool == true)
  }

  @Test("the same key with another style, or for another answer, is refused, after a restart too")
  func keyOfOptions() throws {
    let harness = try Harness()
    harness.receive(incoming("m1", "one?") + incoming("m2", "two?"))
    harness.pass(.seconds(1))
    let client = harness.connect()
    let ids = harness.ask(client, "history bob@example.org").compactMap { $0["message"]?["id"]?.integer }
    let options = ["", "unstyled=yes "] + ids.map { "reply=\($0) " }
    func send(_ options: String, _ key: Int, _ harness: Harness) -> JSONValue? {
      harness.ask(
        harness.connect(UInt64.random(in: 1_000...1_000_000)), "send key=k\(key) \(options)bob@example.org *yes*"
      ).last
    }
    let sent = options.enumerated().map { send($1, $0, harness)?["id"]?.integer }
    #expect(options.count == 4 && Set(sent).count == 4 && !sent.contains(nil))
    for harness in [harness, try Harness(on: harness.storage)] {
      for (key, id) in sent.enumerated() {
        for (number, words) in options.enumerated() {
          let answer = send(words, key, harness)
          #expect(number == key ? answer?["id"]?.integer == id : answer?["error"]?.string == "key-mismatch", "\(words)")
        }
      }
    }
  }

  @Test("what the last session stored and could not acknowledge is not stored again when the server delivers it again")
  func redelivery() throws {
    let harness = try Harness()
    harness.receive(incoming("m1", "once"))
    harness.pass(.seconds(1))
    let later = try Harness(on: harness.storage)
    let delay = "<delay xmlns='urn:xmpp:delay' from='example.org' stamp='2025-10-09T08:53:20Z'/>"
    later.receive(incoming("m1", "once", extra: delay) + incoming("m1", "another", extra: delay))
    later.pass(.seconds(1))
    let texts = later.ask(later.connect(), "history bob@example.org").compactMap { $0["message"]?["text"]?.string }
    #expect(texts.sorted() == ["another", "once"])
  }

  @Test("a delay stamp of the own server places the message; anybody else's is only claimed")
  func delays() throws {
    let harness = try Harness()
    harness.receive(
      incoming(
        "1", "late", extra: "<delay xmlns='urn:xmpp:delay' from='example.org' stamp='2025-01-02T03:04:05Z'/>")
        + incoming(
          "2", "forged", extra: "<delay xmlns='urn:xmpp:delay' from='bob@example.org' stamp='1999-01-02T03:04:05Z'/>"))
    harness.pass(.seconds(1))
    let messages = harness.ask(harness.connect(), "history bob@example.org").compactMap { $0["message"] }
    #expect(messages.map { $0["text"]?.string } == ["late", "forged"])
    #expect(messages.first?["time"]?.string == "2025-01-02T03:04:05.000Z")
    #expect(messages.first?["delayed"]?.bool == true)
    #expect(messages.last?["claimed_time"]?.string == "1999-01-02T03:04:05.000Z")
  }

  @Test("a full disk: the answer is no-space, nothing is acknowledged, and all is well when there is room again")
  func fullDisk() throws {
    let harness = try Harness()
    let client = harness.connect()
    harness.clearTrace()
    harness.syncsAtOnce = false
    harness.receive(incoming("1", "lost?") + "<r xmlns='urn:xmpp:sm:3'/>")
    harness.send(client, "send bob@example.org hello\n")
    harness.sync(failing: StorageError(.noSpace, "no room"))
    harness.sync(failing: StorageError(.noSpace, "no room"))
    #expect(harness.takeLines(client).first?["error"]?.string == "no-space")
    #expect(!harness.toServer.contains("<a "))
    #expect(harness.ask(client, "send bob@example.org hello").last?["error"]?.string == "no-space")
    harness.syncsAtOnce = true
    harness.pass(.seconds(20))
    #expect(harness.ask(client, "send bob@example.org hello").last?["ok"]?.bool == true)
    let texts = harness.ask(client, "history bob@example.org").compactMap { $0["message"]?["text"]?.string }
    #expect(texts == ["hello"])
  }

  @Test("an error before the acknowledgement is what counts")
  func failedThenAcknowledged() throws {
    let harness = try Harness()
    let client = harness.connect()
    _ = harness.ask(client, "send carol@example.org hello")
    let id = try #require(ScriptedStream.value(of: "id", in: harness.toServer.components("<message").last ?? ""))
    harness.receive(
      "<message from='carol@example.org' type='error' id='\(id)'><error type='cancel'>"
        + "<service-unavailable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></message>"
        + "<a xmlns='urn:xmpp:sm:3' h='\(harness.server.handled)'/>")
    harness.pass(.milliseconds(50))
    let message = try #require(harness.ask(client, "history carol@example.org").first?["message"])
    #expect(message["state"]?.string == "failed")
    #expect(message["failure"]?["condition"]?.string == "service-unavailable")
  }

  @Test("a server that is not as far as it was asked about has time, and is asked again")
  func requestsArePaced() throws {
    let harness = try Harness()
    let client = harness.connect()
    _ = harness.ask(client, "send bob@example.org hello")
    harness.clearTrace()
    for _ in 1...3 { harness.receive("<a xmlns='urn:xmpp:sm:3' h='1'/>") }
    harness.pass(.seconds(1))
    #expect(!harness.toServer.contains("<r "))
    harness.pass(.seconds(5))
    #expect(harness.toServer.components("<r ").count == 2)
  }

  @Test("a server whose count stands still is asked once for each 32 answers, not at each of its own")
  func countStandsStill() throws {
    let harness = try Harness()
    harness.pass(.seconds(1))
    let handled = harness.server.handled
    harness.clearTrace()
    for number in 1...320 {
      harness.receive("<iq type='get' id='q\(number)' from='example.org'><ping xmlns='urn:xmpp:ping'/></iq>")
      harness.receive("<a xmlns='urn:xmpp:sm:3' h='\(handled)'/>")
    }
    harness.pass(.seconds(1))
    #expect(harness.toServer.components("<iq ").count == 321)
    #expect(harness.toServer.components("<r ").count - 1 == 10)
  }
}
