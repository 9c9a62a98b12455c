import Clocks
import JSON
import State
import TestSupport
import Testing

@testable import ConfabEngine

/// Corrections, retractions and reactions of others, and of my other devices.
@Suite("Changes that come")
struct ChangeTests {
  static let bob = "bob@example.org"

  static func correct(
    _ id: String, _ text: String, stanza: String = "c1", from: String = "\(bob)/phone", more: String = ""
  )
    -> String
  {
    "<message from='\(from)' to='alice@example.org/confab' type='chat' id='\(stanza)'><body>\(text)</body>"
      + "<replace xmlns='urn:xmpp:message-correct:0' id='\(id)'/>\(more)</message>"
  }

  static func retract(_ id: String, stanza: String = "r1", from: String = "\(bob)/phone") -> String {
    "<message from='\(from)' to='alice@example.org/confab' type='chat' id='\(stanza)'>"
      + "<retract xmlns='urn:xmpp:message-retract:1' id='\(id)'/>"
      + "<fallback xmlns='urn:xmpp:fallback:0' for='urn:xmpp:message-retract:1'/><body>/me retracted</body>"
      + "<store xmlns='urn:xmpp:hints'/></message>"
  }

  static func react(
    _ id: String, _ emoji: [String], stanza: String = "e1", from: String = "\(bob)/phone", more: String = ""
  )
    -> String
  {
    "<message from='\(from)' to='alice@example.org/confab' type='chat' id='\(stanza)'><reactions "
      + "xmlns='urn:xmpp:reactions:0' id='\(id)'>" + emoji.map { "<reaction>\($0)</reaction>" }.joined()
      + "</reactions>\(more)</message>"
  }

  static func message(_ text: String, id: String, from: String = "\(bob)/phone", more: String = "") -> String {
    "<message from='\(from)' to='alice@example.org/confab' type='chat' id='\(id)'><body>\(text)</body>\(more)</message>"
  }

  static func receive(_ harness: Harness, _ stanzas: String...) {
    for stanza in stanzas {
      harness.receive(stanza)
      harness.pass(.milliseconds(50))
    }
  }

  static func history(_ harness: Harness, _ jid: String = bob) -> [JSONValue] {
    harness.ask(harness.connect(UInt64.random(in: 10_000...1_000_000)), "history limit=1000 \(jid)")
      .compactMap { $0["message"] }
  }

  static func texts(_ harness: Harness, _ jid: String = bob) -> [String] {
    history(harness, jid).compactMap { $0["text"]?.string }
  }

  /// The harness, and a daemon that was started anew from what it wrote, with a checkpoint and without one.
  static func asWritten(_ harness: Harness) throws -> [Harness] {
    let logAlone = MemoryStorage(.init(segments: harness.storage.snapshot.segments))
    let anew = try Harness(on: logAlone, now: harness.now)
    anew.pass(.seconds(1))
    return [harness, try Harness(on: harness.storage, now: harness.now), anew]
  }

  @Test("A correction is the message's text from then on, and the versions tell what stood there")
  func correction() throws {
    let harness = try Harness()
    let client = harness.connect()
    _ = harness.ask(client, "watch kinds=message,edit")
    Self.receive(
      harness, Self.message("helo", id: "m1"), Self.message("other", id: "m2"), Self.correct("m1", "hello"),
      Self.correct("m1", "hello!", stanza: "c2", from: "\(Self.bob)/tablet"))
    let events = harness.takeLines(client)
    #expect(events.compactMap { $0["event"]?.string } == ["message", "message", "edit", "edit"])
    #expect(events.last?["message"]?["text"]?.string == "hello!")
    #expect(events.last?["id"] == events.first?["message"]?["id"])
    for harness in try Self.asWritten(harness) {
      #expect(Self.texts(harness) == ["hello!", "other"])
      let first = try #require(Self.history(harness).first)
      #expect(first["edited"]?.string != nil && first["from"]?.string == "\(Self.bob)/phone")
      let id = first["id"]?.integer ?? 0
      let versions = harness.ask(harness.connect(4), "versions \(id)").compactMap { $0["version"]?["text"]?.string }
      #expect(versions == ["helo", "hello"])
      #expect(harness.ask(harness.connect(5), "unread").last?["unread"]?.integer == 2)
    }
  }

  @Test("A correction that asks for a receipt gets one")
  func receipt() throws {
    let harness = try ReceiptTests.online()
    Self.receive(
      harness, Self.message("one", id: "m1"),
      Self.correct("m1", "two", stanza: "c1", more: "<request xmlns='urn:xmpp:receipts'/>"))
    #expect(ReceiptTests.receipts(harness) == ["c1"])
  }

  @Test("A correction of the last correction changes the message, too")
  func correctionOfACorrection() throws {
    let harness = try Harness()
    Self.receive(
      harness, Self.message("one", id: "m1"), Self.correct("m1", "two", stanza: "c1"),
      Self.correct("c1", "three", stanza: "c2"))
    #expect(Self.texts(harness) == ["three"])
  }

  @Test("A correction that is older than the one before it is no text of the message, but one of its versions")
  func lateCorrection() throws {
    let harness = try Harness()
    func stamp(_ minute: Int) -> String {
      "<delay xmlns='urn:xmpp:delay' from='example.org' stamp='2025-10-01T10:0\(minute):00Z'/>"
    }
    Self.receive(
      harness, Self.message("one", id: "m1", more: stamp(0)), Self.correct("m1", "four", stanza: "c9"),
      Self.correct("m1", "three", stanza: "c3", more: stamp(2)),
      Self.correct("m1", "two", stanza: "c2", more: stamp(1)),
      Self.correct("m1", "two", stanza: "c2", more: stamp(1)), Self.react("m1", ["👍"]))
    for harness in try Self.asWritten(harness) {
      #expect(Self.texts(harness) == ["four"])
      let id = Self.history(harness).first?["id"]?.integer ?? 0
      let versions = harness.ask(harness.connect(4), "versions \(id)").compactMap { $0["version"] }
      #expect(versions.compactMap { $0["text"]?.string } == ["one", "two", "three"])
      #expect(versions.last?["time"]?.string == "2025-10-01T10:02:00.000Z")
    }
    Self.receive(harness, Self.correct("m1", "five", stanza: "c10"))
    let id = Self.history(harness).first?["id"]?.integer ?? 0
    #expect(harness.ask(harness.connect(4), "versions \(id)").count == 5)
    #expect(Self.texts(harness) == ["five"])
  }

  @Test("A correction that a server sends again after a crash is the same one")
  func repeatedCorrection() throws {
    let harness = try Harness()
    let correction = Self.correct("m1", "two", stanza: "c1")
    Self.receive(harness, Self.message("one", id: "m1"), correction, Self.correct("m1", "three", stanza: "c2"))
    Self.receive(harness, correction, Self.correct("m1", "three", stanza: "c2"))
    let id = Self.history(harness).first?["id"]?.integer ?? 0
    let versions = harness.ask(harness.connect(4), "versions \(id)").compactMap { $0["version"]?["text"]?.string }
    #expect(versions == ["one", "two"] && Self.texts(harness) == ["three"])
  }

  @Test("A correction behind a retraction leaves no text, whichever comes first", arguments: [false, true])
  func correctionOfARetracted(messageIsLast: Bool) throws {
    let harness = try Harness()
    let changes = [
      Self.retract("m1"), Self.correct("m1", "secret", stanza: "c1"), Self.correct("m1", "more", stanza: "c2"),
    ]
    let message = Self.message("one", id: "m1")
    for stanza in messageIsLast ? changes + [message] : [message] + changes { Self.receive(harness, stanza) }
    for harness in try Self.asWritten(harness) {
      let history = Self.history(harness)
      #expect(history.compactMap { $0["text"]?.string } == [""] && history.first?["retracted"] != nil)
      #expect(harness.ask(harness.connect(6), "search secret").compactMap { $0["message"] }.isEmpty)
    }
  }

  @Test("A correction in the same batch finds its message, and one of a correction in it")
  func oneBatch() throws {
    let harness = try Harness()
    harness.pass(.seconds(1))
    harness.syncsAtOnce = false
    harness.receive(
      Self.message("one", id: "m1") + Self.correct("m1", "two", stanza: "c1")
        + Self.correct("m1", "three", stanza: "c2")
        + Self.react("m1", ["👍"]))
    harness.syncsAtOnce = true
    while harness.hasBatch { harness.sync() }
    harness.pass(.seconds(1))
    for harness in try Self.asWritten(harness) {
      #expect(Self.texts(harness) == ["three"])
      #expect(Self.history(harness).first?["reactions"]?.array?.count == 1)
    }
  }

  @Test("A correction by anybody else is a message of its own")
  func foreign() throws {
    let harness = try Harness()
    let client = harness.connect()
    let id = harness.ask(client, "send \(Self.bob) mine").last?["id"]?.integer ?? 0
    harness.pass(.seconds(1))
    let stanza = try #require(Self.history(harness).first?["origin_id"]?.string)
    Self.receive(harness, Self.correct(stanza, "not yours"), Self.retract(stanza))
    #expect(Self.texts(harness) == ["mine", "not yours", "/me retracted"])
    #expect(Self.history(harness).first?["edited"] == nil && Self.history(harness).first?["retracted"] == nil)
    Self.receive(
      harness, Self.message("hers", id: "m1", from: "carol@example.org/x"), Self.correct("m1", "by bob", stanza: "c9"))
    #expect(Self.texts(harness, "carol@example.org") == ["hers"])
    #expect(Self.texts(harness) == ["mine", "not yours", "/me retracted", "by bob"])
    #expect(id > 0)
  }

  @Test("A correction of a message that is not here stands for itself, and is that message once it comes")
  func waitingCorrection() throws {
    let harness = try Harness()
    let client = harness.connect()
    Self.receive(harness, Self.correct("m1", "hello"))
    #expect(Self.texts(harness) == ["hello"])
    _ = harness.ask(client, "watch kinds=message,edit,resection")
    Self.receive(harness, Self.message("helo", id: "m1"))
    let events = harness.takeLines(client)
    #expect(events.compactMap { $0["event"]?.string } == ["message", "edit", "resection"])
    #expect(events[1]["instead_of"]?.array?.count == 1)
    for harness in try Self.asWritten(harness) {
      #expect(Self.texts(harness) == ["hello"])
      let history = Self.history(harness)
      #expect(history.first?["edited"]?.string != nil)
      #expect(harness.ask(harness.connect(6), "search hel").compactMap { $0["message"] }.count == 1)
      #expect(harness.ask(harness.connect(5), "unread").last?["unread"]?.integer == 1)
      let id = history.first?["id"]?.integer ?? 0
      #expect(harness.ask(harness.connect(7), "versions \(id)").first?["version"]?["text"]?.string == "helo")
    }
  }

  @Test("Reactions and retractions wait for their message, across a restart")
  func waiting() throws {
    let first = try Harness()
    Self.receive(first, Self.react("m1", ["👍"]), Self.retract("m2"))
    #expect(Self.texts(first).isEmpty)
    let harness = try Harness(on: first.storage, now: first.now)
    harness.pass(.seconds(1))
    Self.receive(harness, Self.message("one", id: "m1"), Self.message("two", id: "m2"))
    let history = Self.history(harness)
    #expect(history.first?["reactions"]?.array?.first?["emoji"]?.string == "👍")
    #expect(history.last?["retracted"]?["by"]?.string == Self.bob && history.last?["text"]?.string == "")
  }

  @Test("Corrections in a loop, and of themselves, lose no text")
  func loop() throws {
    let harness = try Harness()
    Self.receive(
      harness, Self.correct("c1", "itself", stanza: "c1"), Self.correct("b", "one", stanza: "a"),
      Self.correct("a", "two", stanza: "b"), Self.correct("b", "three", stanza: "x"))
    #expect(Self.texts(harness).contains("itself"))
    #expect(Self.texts(harness).contains("three") || Self.texts(harness).contains("two"))
  }

  @Test("A retracted message has no text anywhere but in the log, and nothing changes it any more")
  func retraction() throws {
    let harness = try Harness()
    let client = harness.connect()
    Self.receive(harness, Self.message("secret word", id: "m1"), Self.message("open", id: "m2"))
    _ = harness.ask(client, "watch kinds=retract")
    Self.receive(
      harness, Self.retract("m1"), Self.correct("m1", "secret again", stanza: "c5"), Self.react("m1", ["👍"]))
    let event = try #require(harness.takeLines(client).first)
    #expect(event["event"]?.string == "retract" && event["message"]?["text"]?.string == "")
    for harness in try Self.asWritten(harness) {
      let history = Self.history(harness)
      #expect(history.compactMap { $0["text"]?.string } == ["", "open"])
      #expect(history.first?["retracted"]?["by"]?.string == Self.bob && history.first?["reactions"] == nil)
      #expect(harness.ask(harness.connect(6), "search secret").compactMap { $0["message"] }.isEmpty)
      let id = history.first?["id"]?.integer ?? 0
      #expect(harness.ask(harness.connect(7), "versions \(id)").count == 1)
      let seen = harness.ask(harness.connect(8), "watch since=0").compactMap { $0["message"]?["text"]?.string }
      #expect(!seen.contains("secret word"))
      #expect(harness.ask(harness.connect(9), "conversations").first?["conversation"]?["count"]?.integer == 2)
    }
  }

  @Test("Reactions are those of the last message, and both sides have theirs")
  func reactions() throws {
    let harness = try Harness()
    let client = harness.connect()
    Self.receive(harness, Self.message("one", id: "m1"))
    _ = harness.ask(client, "watch kinds=reaction")
    Self.receive(harness, Self.react("m1", ["👍", "hello", "🐢"]), Self.react("m1", ["🐢"], stanza: "e2"))
    #expect(harness.takeLines(client).count == 2)
    let id = Self.history(harness).first?["id"]?.integer ?? 0
    #expect(harness.ask(harness.connect(2), "react \(id) 🐢 ❤️").last?["id"]?.integer == id)
    for harness in try Self.asWritten(harness) {
      let reactions = try #require(Self.history(harness).first?["reactions"]?.array)
      #expect(reactions.compactMap { $0["emoji"]?.string } == ["🐢", "❤️"])
      #expect(reactions.first?["from"]?.array?.compactMap(\.string) == [Self.bob, "alice@example.org"])
      #expect(reactions.compactMap { $0["mine"]?.bool } == [true, true])
    }
    Self.receive(harness, Self.react("m1", [], stanza: "e3"))
    #expect(Self.history(harness).first?["reactions"]?.array?.first?["from"]?.array?.count == 1)
  }

  @Test("A thousand reactions leave one set, and the same set again is no event")
  func manyReactions() throws {
    let harness = try Harness()
    Self.receive(harness, Self.message("one", id: "m1"))
    let emoji = ["👍", "👎", "🐢"]
    for number in 0..<1000 { harness.receive(Self.react("m1", [emoji[number % 3]], stanza: "e\(number)")) }
    harness.pass(.seconds(1))
    #expect(Self.history(harness).first?["reactions"]?.array?.compactMap { $0["emoji"]?.string } == ["👍"])
    let client = harness.connect()
    _ = harness.ask(client, "watch kinds=reaction")
    Self.receive(harness, Self.react("m1", ["👍"], stanza: "again"))
    #expect(harness.takeLines(client).isEmpty)
  }

  @Test("What waits for messages that never come is bounded")
  func boundedWaiting() throws {
    let harness = try ReceiptTests.online(ReceiptTests.server())
    let reactions = (0..<WaitingReferences.most + 100).map { Self.react("none\($0)", ["👍"], stanza: "e\($0)") }
    harness.receive(reactions.joined())
    harness.pass(.seconds(2))
    #expect(harness.engine.state.accounts[1]?.waiting.awaited.count == WaitingReferences.most)
  }

  @Test("What my other device changes is changed here, by carbons and from the archive", arguments: [false, true])
  func otherDevice(fromArchive: Bool) throws {
    var archive = ScriptedArchive()
    archive.add("one", at: "2025-10-01T10:00:00Z", stanzaID: "m1")
    archive.add("two", at: "2025-10-01T10:01:00Z", from: "alice@example.org/tablet", to: Self.bob, stanzaID: "m2")
    let correction = Self.correct("m2", "two!", from: "alice@example.org/tablet")
      .replacing("to='alice@example.org/confab'", with: "to='\(Self.bob)'").replacing(
        "<message ", with: "<message xmlns='jabber:client' ")
    let reaction = Self.react("m1", ["👍"], from: "alice@example.org/tablet")
      .replacing("to='alice@example.org/confab'", with: "to='\(Self.bob)'").replacing(
        "<message ", with: "<message xmlns='jabber:client' ")
    if fromArchive {
      archive.items.append(.init(id: "a8", stamp: "2025-10-01T10:02:00Z", xml: correction))
      archive.items.append(.init(id: "a9", stamp: "2025-10-01T10:03:00Z", xml: reaction))
    }
    let harness = try ArchiveTests.harness(archive)
    harness.pass(.seconds(2))
    if !fromArchive {
      for stanza in [correction, reaction] {
        Self.receive(
          harness,
          "<message from='alice@example.org' to='alice@example.org/confab' type='chat'><sent xmlns='urn:xmpp:carbons:2'>"
            + "<forwarded xmlns='urn:xmpp:forward:0'>\(stanza)</forwarded></sent></message>")
      }
    }
    let history = Self.history(harness)
    #expect(history.compactMap { $0["text"]?.string } == ["one", "two!"])
    #expect(history.first?["reactions"]?.array?.first?["mine"]?.bool == true)
    #expect(Self.texts(harness, "alice@example.org").isEmpty)
  }

  @Test("An archive that is fetched backwards brings changes before their messages")
  func backwards() throws {
    var archive = ScriptedArchive()
    archive.pageSize = 10
    archive.add("helo", at: "2025-10-01T10:00:00Z", stanzaID: "m1")
    archive.add("bye", at: "2025-10-01T10:00:10Z", stanzaID: "m2")
    for number in 0..<25 { archive.add("word \(number)", at: ArchiveTests.stamp(minute: 6_000_000 + number)) }
    let late = [Self.correct("m1", "hello"), Self.retract("m2"), Self.react("m1", ["👍"])]
    for (number, stanza) in late.enumerated() {
      archive.items.append(
        .init(
          id: "late\(number)", stamp: ArchiveTests.stamp(minute: 7_000_000 + number),
          xml: stanza.replacing("<message ", with: "<message xmlns='jabber:client' ")))
    }
    let harness = try ArchiveTests.harness(archive)
    harness.pass(.seconds(5))
    for harness in try Self.asWritten(harness) {
      let history = Self.history(harness)
      #expect(history.count == 27)
      #expect(history.first?["text"]?.string == "hello" && history.first?["reactions"]?.array?.count == 1)
      #expect(history.dropFirst().first?["retracted"] != nil)
    }
  }
}
