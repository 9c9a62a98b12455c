import Clocks
import JSON
import TestSupport
import Testing

@testable import ConfabEngine

/// What somebody can try with changes of messages; see also `ChangeTests`.
@Suite("Changes that are meant badly")
struct HostileChangeTests {
  private static let carol = "carol@example.org"

  private func react(_ id: String, _ emoji: String, from: String) -> String {
    ChangeTests.react(id, [emoji], stanza: "x-\(id)", from: from)
  }

  @Test("A burst of changes in one batch is taken one by one, and those of a long message have a bound")
  func burst() throws {
    let harness = try Harness()
    let long = String(repeating: "x", count: 50_000)
    ChangeTests.receive(harness, ChangeTests.message(long, id: "m1"), ChangeTests.message("short", id: "m2"))
    func stored() -> Int { harness.storage.snapshot.segments.values.reduce(0) { $0 + $1.count } }
    let before = stored()
    for number in 0..<600 {
      harness.say(ChangeTests.react("m1", [number.isMultiple(of: 2) ? "👍" : "🐢"], stanza: "e\(number)"))
      harness.say(ChangeTests.react("m2", [number.isMultiple(of: 2) ? "👍" : "🐢"], stanza: "f\(number)"))
    }
    harness.pass(.seconds(1))
    #expect(stored() - before < 20 << 20)
    #expect(ChangeTests.history(harness).last?["reactions"]?.array?.first?["emoji"]?.string == "🐢")
  }

  @Test("A thousand messages with a reaction to each, in one burst, are so many events, and records of their own size")
  func manyReacted() throws {
    let harness = try Harness()
    let watcher = harness.connect()
    _ = harness.ask(watcher, "watch kinds=message,reaction")
    func stored() -> Int { harness.storage.snapshot.segments.values.reduce(0) { $0 + $1.count } }
    let before = stored()
    for number in 0..<1_000 {
      harness.say(ChangeTests.message("text \(number)", id: "m\(number)"))
      harness.say(ChangeTests.react("m\(number)", ["👍"], stanza: "e\(number)"))
    }
    harness.pass(.seconds(1))
    let events = harness.takeLines(watcher).compactMap { $0["event"]?.string }
    #expect(events.count { $0 == "message" } == 1_000)
    #expect(events.count { $0 == "reaction" } == 1_000)
    #expect(stored() - before < 1 << 20)
    let history = ChangeTests.history(harness)
    #expect(history.count == 1_000)
    #expect(history.allSatisfy { $0["reactions"]?.array?.first?["emoji"]?.string == "👍" })
  }

  @Test("Nobody changes what stands in another conversation, or speaks for its author there")
  func otherConversation() throws {
    let harness = try Harness()
    ChangeTests.receive(
      harness, ChangeTests.message("hers", id: "m1"), ChangeTests.message("theirs", id: "m2", from: "\(Self.carol)/x"))
    let other = "\(Self.carol)/x"
    ChangeTests.receive(
      harness, react("m1", "👎", from: other), ChangeTests.correct("m1", "not hers", from: other))
    #expect(ChangeTests.texts(harness, Self.carol) == ["theirs", "not hers"])
    ChangeTests.receive(
      harness, ChangeTests.retract("m1", from: other), ChangeTests.correct("m1", "taken back", from: other))
    // A carbon that another account sends brings nothing.
    let inside = ChangeTests.correct("m1", "by carbon").replacing("<message ", with: "<message xmlns='jabber:client' ")
    ChangeTests.receive(
      harness,
      "<message from='\(Self.carol)' to='alice@example.org/confab'><received xmlns='urn:xmpp:carbons:2'>"
        + "<forwarded xmlns='urn:xmpp:forward:0'>\(inside)</forwarded></received></message>")
    let hers = ChangeTests.history(harness)
    #expect(hers.compactMap { $0["text"]?.string } == ["hers"])
    #expect(hers.first?["edited"] == nil && hers.first?["retracted"] == nil && hers.first?["reactions"] == nil)
    #expect(ChangeTests.texts(harness, Self.carol) == ["theirs", ""])
  }

  @Test("Of a thousand emoji in one reaction the first ones count, and what is none does not")
  func manyEmoji() throws {
    let harness = try Harness()
    let animals = (0..<1000).compactMap { Unicode.Scalar(0x1F400 + $0 % 64).map { String(Character($0)) } }
    ChangeTests.receive(
      harness, ChangeTests.message("one", id: "m1"),
      ChangeTests.react("m1", ["hello", "👍👍", "\u{202E}", String(repeating: "👍", count: 1000)] + animals))
    let reactions = try #require(ChangeTests.history(harness).first?["reactions"]?.array)
    #expect(reactions.count == 32 && reactions.first?["emoji"]?.string == "🐀")
  }

  @Test("A range that reaches beyond the text leaves all of it, and the answer it is")
  func ranges() throws {
    let harness = try Harness()
    let ranges = ["start='0' end='100'", "start='-1' end='2'", "start='3' end='2'", "start='x' end='1'"]
    for (number, range) in ranges.enumerated() {
      ChangeTests.receive(
        harness,
        ChangeTests.message(
          "all of it", id: "m\(number)",
          more: "<reply xmlns='urn:xmpp:reply:0' id='none'/><fallback xmlns='urn:xmpp:fallback:0' "
            + "for='urn:xmpp:reply:0'><body \(range)/></fallback>"))
    }
    #expect(ChangeTests.texts(harness) == ranges.map { _ in "all of it" })
    #expect(ChangeTests.history(harness).allSatisfy { $0["reply_to"] != nil && $0["plain"] == nil })
  }

  @Test("A message ten deep inside of others, or from me, is a message of who sent it")
  func deep() throws {
    let harness = try Harness()
    let message = (0..<10).reduce("<body>deepest</body>") { inside, level in
      "<body>level \(level)</body><forwarded xmlns='urn:xmpp:forward:0'><message xmlns='jabber:client' "
        + "from='alice@example.org/me' to='\(ChangeTests.bob)' type='chat' id='d\(level)'>\(inside)</message></forwarded>"
    }
    ChangeTests.receive(
      harness,
      "<message from='\(ChangeTests.bob)/phone' to='alice@example.org/confab' type='chat' id='f'>\(message)</message>")
    let history = ChangeTests.history(harness)
    #expect(history.count == 1 && history.first?["mine"]?.bool == false)
    #expect(history.first?["forwarded"]?.array?.count == 1)
    #expect(ChangeTests.history(harness, "alice@example.org").isEmpty)
  }

  @Test("A long chain of corrections of what is not here leaves a text, and the last ones before it")
  func chain() throws {
    let harness = try Harness()
    for number in 0..<40 {
      ChangeTests.receive(harness, ChangeTests.correct("k\(number + 1)", "text \(number)", stanza: "k\(number)"))
    }
    ChangeTests.receive(
      harness, ChangeTests.correct("k0", "closed", stanza: "k40"), ChangeTests.message("first", id: "k20"))
    let texts = ChangeTests.texts(harness)
    #expect(!texts.isEmpty && texts.count <= 42 && texts.contains { $0.hasPrefix("text") || $0 == "closed" })
    let client = harness.connect()
    let versions = ChangeTests.history(harness).reduce(0) { count, message in
      count + harness.ask(client, "versions \(message["id"]?.integer ?? 0)").count - 1
    }
    #expect(texts.count + versions >= 17)
  }

  @Test("Hundreds of corrections of one message are as many versions, and one message")
  func manyCorrections() throws {
    let harness = try Harness()
    ChangeTests.receive(harness, ChangeTests.message("text", id: "m1"))
    let long = String(repeating: "x", count: 2_000)
    for number in 0..<300 { harness.receive(ChangeTests.correct("m1", "\(long)\(number)", stanza: "c\(number)")) }
    harness.pass(.seconds(1))
    let history = ChangeTests.history(harness)
    #expect(history.count == 1 && history.first?["text"]?.string?.hasSuffix("x299") == true)
    let id = history.first?["id"]?.integer ?? 0
    #expect(harness.ask(harness.connect(), "versions \(id)").count == 301)
  }
}
