import Clocks
import JSON
import MessageLog
import State
import Testing

@testable import ConfabAccounts
@testable import ConfabEngine

/// Corrections, retractions, reactions, replies and forwarded messages of mine.
@Suite("Changes that I make")
struct ChangingTests {
  private static let bob = ChangeTests.bob

  private func online(_ server: ScriptedStream = ReceiptTests.server()) throws -> (Harness, ClientID, id: Int64) {
    let harness = try ReceiptTests.online(server)
    let client = harness.connect()
    let id = try #require(harness.ask(client, "send \(Self.bob) helo").last?["id"]?.integer)
    return (harness, client, id)
  }

  /// The messages that the server was sent.
  private func sent(_ harness: Harness) -> [String] {
    harness.toServer.components("<message").dropFirst().map { "<message" + ($0.components("</message>").first ?? "") }
  }

  private func sentID(_ stanza: String?) -> String { ScriptedStream.value(of: "id", in: stanza ?? "") ?? "" }

  @Test("A correction goes out with the new text and the first stanza's id, whichever it is")
  func correction() throws {
    let (harness, client, id) = try online()
    let first = sentID(sent(harness).last)
    harness.clearTrace()
    let answer = harness.ask(client, "send replace=\(id) \(Self.bob) hello").last
    #expect(answer?["ok"]?.bool == true && answer?["id"]?.integer == id && answer?["state"] != nil)
    _ = harness.ask(client, "send replace=\(id) \(Self.bob) hello!")
    let stanzas = sent(harness).filter { $0.contains("<body>") }
    #expect(stanzas.count == 2)
    for stanza in stanzas {
      #expect(stanza.contains("<replace xmlns='urn:xmpp:message-correct:0' id='\(first)'/>"))
      #expect(sentID(stanza) != first && stanza.contains("<markable"))
    }
    #expect(ChangeTests.texts(harness) == ["hello!"])
    #expect(ChangeTests.history(harness).first?["mine"]?.bool == true)
    #expect(
      harness.ask(client, "versions \(id)").compactMap { $0["version"]?["text"]?.string } == ["helo", "hello"])
    #expect(harness.ask(client, "search helo").compactMap { $0["message"] }.isEmpty)
    let hits = harness.ask(client, "search hello").compactMap { $0["message"] }
    #expect(hits.count == 1 && hits.first?["id"]?.integer == id && hits.first?["text"]?.string == "hello!")
  }

  @Test("Only what I sent, and what was sent, can be replaced or retracted")
  func refusals() throws {
    let (harness, client, id) = try online()
    ChangeTests.receive(harness, ChangeTests.message("hers", id: "m1"))
    let hers = ChangeTests.history(harness).last?["id"]?.integer ?? 0
    func error(_ request: String) -> String? { harness.ask(client, request).last?["error"]?.string }
    #expect(error("send replace=\(hers) \(Self.bob) mine") == "not-allowed")
    #expect(error("retract \(hers)") == "not-allowed")
    #expect(error("send replace=999 \(Self.bob) x") == "not-found")
    #expect(error("send replace=\(id) carol@example.org x") == "not-found")
    #expect(error("send reply=\(id) carol@example.org x") == "not-found")
    #expect(error("send reply=\(id) replace=\(id) \(Self.bob) x") == "bad-argument")
    #expect(error("react \(id) hello") == "bad-argument")
    #expect(error("react 999 👍") == "not-found")
    let held = harness.ask(client, "send hold=1h \(Self.bob) later").last?["id"]?.integer ?? 0
    #expect(error("send replace=\(held) \(Self.bob) x") == "bad-argument")
    _ = harness.ask(client, "cancel \(held)")
    #expect(error("retract \(held)") == "bad-argument")
    ChangeTests.receive(harness, ChangeTests.message("nameless", id: "").replacing(" id=''", with: ""))
    let nameless = ChangeTests.history(harness).last?["id"]?.integer ?? 0
    #expect(error("react \(nameless) 👍") == "not-supported")
    ChangeTests.receive(harness, ChangeTests.message("endless", id: String(repeating: "i", count: 1025)))
    let endless = ChangeTests.history(harness).last?["id"]?.integer ?? 0
    #expect(endless != nameless)
    #expect(error("react \(endless) 👍") == "not-supported", "servers end the stream at what is too long")
    #expect(error("send reply=\(endless) \(Self.bob) x") == "not-supported")
  }

  @Test("A retraction goes out, and leaves nothing of the text; another one has no effect")
  func retraction() throws {
    let (harness, client, id) = try online()
    let first = sentID(sent(harness).last)
    harness.clearTrace()
    #expect(harness.ask(client, "retract \(id)").last?["id"]?.integer == id)
    #expect(harness.ask(client, "retract \(id)").last?["ok"]?.bool == true)
    let stanzas = sent(harness).filter { $0.contains("<retract ") }
    #expect(stanzas.count == 1)
    #expect(stanzas.first?.contains("<retract xmlns='urn:xmpp:message-retract:1' id='\(first)'/>") == true)
    #expect(stanzas.first?.contains("<store xmlns='urn:xmpp:hints'/>") == true)
    let found = ChangeTests.history(harness).first
    #expect(found?["text"]?.string == "" && found?["retracted"]?["by"]?.string == "alice@example.org")
    #expect(harness.ask(client, "send replace=\(id) \(Self.bob) x").last?["error"]?.string == "bad-argument")
    #expect(harness.ask(client, "forward \(id) carol@example.org").last?["error"]?.string == "bad-argument")
  }

  @Test("Reactions go out, and those that the recipient refuses are taken back")
  func reactions() throws {
    let (harness, client, _) = try online()
    ChangeTests.receive(harness, ChangeTests.message("hers", id: "m1"))
    let hers = ChangeTests.history(harness).last?["id"]?.integer ?? 0
    harness.clearTrace()
    #expect(harness.ask(client, "react \(hers) 👍 👍 ❤️").last?["id"]?.integer == hers)
    #expect(harness.ask(client, #"{"verb":"react","id":\#(hers),"emoji":["🐢"]}"#).last?["ok"]?.bool == true)
    let stanzas = sent(harness).filter { $0.contains("<reactions") }
    #expect(stanzas.first?.contains("id='m1'><reaction>👍</reaction><reaction>❤️</reaction></reactions>") == true)
    #expect(stanzas.last?.contains("id='m1'><reaction>🐢</reaction></reactions>") == true)
    func shown() -> [String] {
      ChangeTests.history(harness).last?["reactions"]?.array?.compactMap { $0["emoji"]?.string } ?? []
    }
    #expect(shown() == ["🐢"])
    ChangeTests.receive(
      harness,
      "<message from='\(Self.bob)/phone' type='error' id='\(sentID(stanzas.last))'><error type='modify'>"
        + "<not-acceptable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></message>")
    #expect(shown() == ["👍", "❤️"])
    #expect(harness.ask(client, "react \(hers)").last?["ok"]?.bool == true)
    #expect(shown().isEmpty)
  }

  @Test("A change that says what one on its way to the disk says waits for it, and is refused with it")
  func unchangedIsDurable() throws {
    let (harness, client, id) = try online()
    let other = harness.connect(2)
    harness.syncsAtOnce = false
    for failure in [nil, StorageError(.failed, "EIO")] {
      let line = "react \(id) \(failure == nil ? "👍" : "🎉")\n"
      for client in [client, other] { harness.send(client, line) }
      #expect(harness.takeLines(other).isEmpty)
      harness.sync(failing: failure)
      for client in [client, other] {
        let answer = harness.takeLines(client).last
        #expect(answer?["ok"]?.bool == (failure == nil) && answer?["error"]?.string == failure.map { _ in "storage" })
      }
    }
  }

  @Test("A reply goes out behind a quotation, and shows the message that it answers")
  func reply() throws {
    let (harness, client, id) = try online()
    ChangeTests.receive(harness, ChangeTests.message("lunch?", id: "m1"))
    let hers = ChangeTests.history(harness).last?["id"]?.integer ?? 0
    harness.clearTrace()
    _ = harness.ask(client, "send reply=\(hers) \(Self.bob) yes")
    let stanza = try #require(sent(harness).first { $0.contains("<reply") })
    #expect(stanza.contains("<body>&gt; lunch?\nyes</body>"))
    #expect(stanza.contains("<reply xmlns='urn:xmpp:reply:0' to='\(Self.bob)/phone' id='m1'/>"))
    #expect(stanza.contains("<body start='0' end='9'/>"))
    let found = try #require(ChangeTests.history(harness).last)
    #expect(found["text"]?.string == "yes" && found["plain"]?.string == "> lunch?\nyes")
    #expect(found["reply_to"]?["id"]?.integer == hers && found["reply_to"]?["text"]?.string == "lunch?")
    // Corrected, it still answers.
    harness.clearTrace()
    _ = harness.ask(client, "send replace=\(found["id"]?.integer ?? 0) \(Self.bob) no")
    let corrected = try #require(sent(harness).first { $0.contains("<replace") })
    #expect(corrected.contains("<body>&gt; lunch?\nno</body>") && corrected.contains("<reply "))
    #expect(ChangeTests.history(harness).last?["plain"]?.string == "> lunch?\nno")
    #expect(id > 0)
  }

  @Test("A forward of a forward has all of it, and its corrected comment leaves what is inside")
  func forwardTwice() throws {
    // It counts what is inside as messages, too.
    var server = ReceiptTests.server()
    server.acknowledges = false
    let (harness, client, _) = try online(server)
    ChangeTests.receive(harness, ChangeTests.message("inside", id: "m1"))
    let hers = ChangeTests.history(harness).last?["id"]?.integer ?? 0
    let first = harness.ask(client, "forward \(hers) \(Self.bob) look").last?["id"]?.integer ?? 0
    _ = harness.ask(client, "send replace=\(first) \(Self.bob) see")
    let corrected = ChangeTests.history(harness).last
    #expect(corrected?["text"]?.string == "see")
    #expect(corrected?["forwarded"]?.array?.first?["text"]?.string == "inside")
    let sent = harness.toServer.components("<body>see\n&gt; ")
    #expect(sent.count == 2 && sent.last?.contains("<forwarded") == true && sent.last?.contains("<replace") == true)
    _ = harness.ask(client, "forward \(first) carol@example.org")
    let second = ChangeTests.history(harness, "carol@example.org").last?["forwarded"]?.array?.first?["text"]?.string
    #expect(second?.hasPrefix("see\n> ") == true && second?.contains("> inside") == true)
  }

  @Test("A message of one account is forwarded by another one that account= names, else by its own")
  func forwardByAnother() throws {
    let harness = try Harness(accounts: [Harness.alice, Harness.work])
    harness.receive(ChangeTests.message("inside", id: "m1"), port: 5224)
    harness.pass(.seconds(1))
    let client = harness.connect()
    func texts(_ account: String) -> [String?] {
      let messages = harness.ask(client, "history account=\(account) carol@example.org").compactMap { $0["message"] }
      return messages.map { $0["forwarded"]?.array?.first?["text"]?.string }
    }
    let found = harness.ask(client, "history account=work \(Self.bob)").first?["message"]
    let id = try #require(found?["id"]?.integer)
    #expect(harness.ask(client, "forward account=home \(id) carol@example.org").last?["ok"]?.bool == true)
    #expect(texts("home") == ["inside"] && texts("work").isEmpty)
    #expect(harness.ask(client, "forward \(id) carol@example.org").last?["ok"]?.bool == true)
    #expect(texts("home") == ["inside"] && texts("work") == ["inside"])
    #expect(harness.ask(client, "forward account=none \(id) carol@example.org").last?["ok"]?.bool == false)
  }

  @Test("A message that would be too long inside of another one is not forwarded")
  func forwardTooLong() throws {
    let (harness, client, _) = try online()
    let text = String(repeating: "&amp;", count: 30_000)
    ChangeTests.receive(harness, ChangeTests.message(text, id: "m1"))
    let hers = ChangeTests.history(harness).last?["id"]?.integer ?? 0
    harness.clearTrace()
    #expect(harness.ask(client, "forward \(hers) carol@example.org").last?["error"]?.string == "too-large")
    #expect(!harness.toServer.contains("<message"))
  }

  @Test("A message is forwarded with its author and time, and quoted for clients that know no better")
  func forward() throws {
    let (harness, client, _) = try online()
    ChangeTests.receive(harness, ChangeTests.message("one\ntwo", id: "m1"))
    let hers = ChangeTests.history(harness).last?["id"]?.integer ?? 0
    harness.clearTrace()
    let answer = harness.ask(client, "forward \(hers) carol@example.org look").last
    #expect(answer?["ok"]?.bool == true)
    _ = harness.ask(client, "forward \(hers) carol@example.org")
    let stanza = try #require(sent(harness).first)
    #expect(harness.toServer.contains("<forwarded xmlns='urn:xmpp:forward:0'><delay xmlns='urn:xmpp:delay' stamp="))
    #expect(
      stanza.contains("<message xmlns='jabber:client' from='\(Self.bob)/phone'")
        || harness.toServer.contains("from='\(Self.bob)/phone' type='chat'><body>one\ntwo</body>"))
    let found = ChangeTests.history(harness, "carol@example.org")
    #expect(found.compactMap { $0["text"]?.string } == ["look", ""])
    #expect(found.first?["forwarded"]?.array?.first?["text"]?.string == "one\ntwo")
    #expect(found.first?["plain"]?.string?.hasPrefix("look\n> \(Self.bob)/phone, ") == true)
    #expect(found.last?["plain"]?.string?.hasSuffix(":\n> one\n> two") == true)
  }

  @Test("What was changed offline goes out behind what was sent before, after a restart and once")
  func offline() throws {
    let (harness, client, id) = try online()
    harness.cut()
    harness.silence(port: 5223)
    _ = harness.ask(client, "send \(Self.bob) two")
    #expect(harness.ask(client, "send replace=\(id) \(Self.bob) hello").last?["state"]?.string == "queued")
    #expect(harness.ask(client, "react \(id) 👍").last?["state"]?.string == "queued")
    _ = harness.ask(client, "send \(Self.bob) three")
    #expect(harness.ask(client, "retract \(id)").last?["state"]?.string == "queued")
    let next = try Harness(on: harness.storage, server: ReceiptTests.server(), now: harness.now, seed: 3)
    next.pass(.seconds(5))
    let order = sent(next).compactMap { stanza in
      ["<replace", "<reactions", "<retract", "two<", "three<"].first { stanza.contains($0) }
    }
    #expect(order == ["two<", "<replace", "<reactions", "three<", "<retract"])
    #expect(next.ask(next.connect(), "status").first?["account"]?["queued"]?.integer == 0)
    #expect(next.engine.state.accounts[1]?.outbox.count == 0)
    next.cut()
    next.clearTrace()
    next.pass(.seconds(10))
    #expect(sent(next).isEmpty)
  }

  @Test("A cut after a change was sent sends it again under the same id")
  func again() throws {
    var server = ReceiptTests.server()
    server.acknowledges = false
    let (harness, client, id) = try online(server)
    harness.clearTrace()
    _ = harness.ask(client, "react \(id) 👍")
    let first = sent(harness).first { $0.contains("<reactions") }
    harness.cut()
    harness.servers[5223] = ReceiptTests.server()
    harness.clearTrace()
    harness.pass(.seconds(20))
    let second = sent(harness).first { $0.contains("<reactions") }
    #expect(first != nil && sentID(first) == sentID(second))
  }

  @Test("wait= and key= hold for a change; its receipt is about its message, too")
  func waiting() throws {
    let (harness, client, id) = try online()
    harness.send(client, "send wait=delivered key=k1 replace=\(id) \(Self.bob) hello\n")
    harness.pass(.milliseconds(50))
    let stanza = sent(harness).last { $0.contains("<replace") }
    #expect(harness.takeLines(client).isEmpty)
    ChangeTests.receive(
      harness,
      "<message from='\(Self.bob)/phone'><received xmlns='urn:xmpp:receipts' id='\(sentID(stanza))'/></message>")
    let answer = try #require(harness.takeLines(client).last)
    #expect(answer["id"]?.integer == id && answer["state"]?.string == "delivered")
    #expect(ChangeTests.history(harness).first?["state"]?.string == "delivered")
    let again = harness.ask(client, "send key=k1 replace=\(id) \(Self.bob) hello").last
    #expect(again?["repeated"]?.bool == true && again?["id"]?.integer == id)
    #expect(harness.ask(client, "send key=k1 replace=\(id) \(Self.bob) other").last?["error"]?.string == "key-mismatch")
    #expect(harness.ask(client, "send key=k1 \(Self.bob) hello").last?["error"]?.string == "key-mismatch")
  }

  @Test("What is forgotten is changed no more, and its changes are hidden with it")
  func forgotten() throws {
    let (harness, client, id) = try online()
    _ = harness.ask(client, "send replace=\(id) \(Self.bob) hello")
    _ = harness.ask(client, "forget-history \(Self.bob)")
    #expect(harness.ask(client, "versions \(id)").last?["error"]?.string == "not-found")
    #expect(harness.ask(client, "react \(id) 👍").last?["error"]?.string == "not-found")
    #expect(harness.ask(client, "search hello").compactMap { $0["message"] }.isEmpty)
    #expect(harness.ask(client, "watch since=0 kinds=message,edit").compactMap { $0["message"] }.isEmpty)
  }

  @Test("A search goes on behind texts that are no more, to as many messages as were asked for")
  func searching() throws {
    let (harness, client, _) = try online()
    for number in 0..<30 {
      ChangeTests.receive(harness, ChangeTests.message("word \(number)", id: "w\(number)"))
    }
    for number in 10..<30 {
      ChangeTests.receive(harness, ChangeTests.retract("w\(number)", stanza: "x\(number)"))
    }
    let found = harness.ask(client, "search limit=5 word")
    #expect(found.compactMap { $0["message"]?["text"]?.string } == (5..<10).reversed().map { "word \($0)" })
    #expect(found.last?["more_before"]?.bool == true)
  }
}
