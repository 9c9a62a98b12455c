import Clocks
import JSON
import ConfabConfiguration
import State
import TestSupport
import Testing

@testable import ConfabEngine

/// Receipts, markers and errors find the message that they are about, by whichever way they come, and wait for it.
@Suite("signals find their message")
struct SignalTests {
  static let bob = "bob@example.org"
  private static let phone = "alice@example.org/phone"

  private static func received(_ id: String) -> String { "<received xmlns='urn:xmpp:receipts' id='\(id)'/>" }

  private static func displayed(_ id: String) -> String { "<displayed xmlns='urn:xmpp:chat-markers:0' id='\(id)'/>" }

  /// A message of somebody's without a text.
  static func signal(_ content: String, from: String = "\(bob)/x", to: String = "alice@example.org") -> String {
    "<message xmlns='jabber:client' type='chat' from='\(from)' to='\(to)'>\(content)<store xmlns='urn:xmpp:hints'/></message>"
  }

  /// A message of mine from my phone.
  static func mine(_ id: String, more: String = "") -> String {
    "<message xmlns='jabber:client' type='chat' from='\(phone)' to='\(bob)' id='\(id)'><body>\(id)</body>\(more)</message>"
  }

  static func carbon(_ direction: String, _ message: String) -> String {
    "<message from='alice@example.org'><\(direction) xmlns='urn:xmpp:carbons:2'>"
      + "<forwarded xmlns='urn:xmpp:forward:0'>\(message)</forwarded></\(direction)></message>"
  }

  private static func archive(_ messages: [String], pageSize: Int = 50) -> ScriptedArchive {
    var archive = ScriptedArchive()
    archive.pageSize = pageSize
    for (number, xml) in messages.enumerated() {
      archive.items.append(.init(id: "a\(number)", stamp: ArchiveTests.stamp(minute: number), xml: xml))
    }
    return archive
  }

  /// The states of my messages by their texts.
  static func states(_ harness: Harness) -> [String: String] {
    let messages = harness.ask(harness.connect(UInt64.random(in: 10_000...1_000_000)), "history limit=1000 \(bob)")
      .compactMap { $0["message"] }
    return Dictionary(
      messages.compactMap { message in message["state"]?.string.map { (message["text"]?.string ?? "", $0) } },
      uniquingKeysWith: { _, newest in newest })
  }

  /// The states as they are, after a start on what is durable, and after one on the log alone.
  private static func expect(
    _ harness: Harness, _ expected: [String: String], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    harness.pass(.seconds(2))
    for harness in try ChangeTests.asWritten(harness) {
      #expect(states(harness) == expected, sourceLocation: sourceLocation)
    }
  }

  private static let signals = [signal(displayed("a1")), signal(received("a2"))]
  private static let expected = ["a1": "displayed", "a2": "delivered"]

  @Test("A catch-up that brings messages of my phone and their signals makes them displayed and delivered")
  func catchUp() throws {
    let harness = try ArchiveTests.harness(Self.archive([Self.mine("a0")]))
    harness.pass(.seconds(2))
    harness.cut()
    harness.server.archive = Self.archive([Self.mine("a0"), Self.mine("a1"), Self.mine("a2")] + Self.signals)
    harness.pass(.minutes(1))
    try Self.expect(harness, Self.expected.merging(["a0": "displayed"]) { $1 })
  }

  @Test("The first login finds them, too, whichever pages have the messages and the signals", arguments: [1, 2, 3, 50])
  func firstLogin(pageSize: Int) throws {
    let messages = [Self.mine("a0"), Self.mine("a1"), Self.mine("a2")] + Self.signals
    let harness = try ArchiveTests.harness(Self.archive(messages, pageSize: pageSize))
    try Self.expect(harness, Self.expected.merging(["a0": "displayed"]) { $1 })
    #expect(harness.engine.state.accounts[1]?.waiting.isEmpty == true)
  }

  @Test("Signals that came before their messages outlive a start", arguments: [false, true])
  func killed(isIndexLost: Bool) throws {
    let first = try ArchiveTests.harness(ScriptedArchive())
    first.pass(.seconds(2))
    for signal in Self.signals { first.receive(signal) }
    first.pass(.seconds(1))
    let storage = isIndexLost ? MemoryStorage(.init(segments: first.storage.snapshot.segments)) : first.storage
    var server = first.server
    server.archive = Self.archive([Self.mine("a1"), Self.mine("a2")])
    let next = try Harness(on: storage, server: server, now: first.now, seed: 2)
    try Self.expect(next, Self.expected)
    #expect(next.engine.state.accounts[1]?.waiting.isEmpty == true)
  }

  @Test("A signal by the id in our archive counts, for who may say it")
  func archiveID() throws {
    let harness = try ArchiveTests.harness(Self.archive([Self.mine("m1"), Self.mine("m2"), Self.mine("m3")]))
    harness.pass(.seconds(2))
    harness.receive(Self.signal(Self.displayed("a0")))
    harness.receive(Self.signal(Self.received("a1"), from: "eve@example.org/x"))
    try Self.expect(harness, ["m1": "displayed", "m2": "sent", "m3": "sent"])
  }

  @Test("A live receipt to my bare JID counts for a message of my phone, by its stanza's id and by its origin-id")
  func toBareJID() throws {
    let harness = try ReceiptTests.online()
    let other = "<origin-id xmlns='urn:xmpp:sid:0' id='o2'/>"
    for message in [Self.mine("a1"), Self.mine("a2", more: other), Self.mine("a3", more: other), Self.mine("a4")] {
      harness.receive(Self.carbon("sent", message))
    }
    harness.pass(.seconds(1))
    for id in ["a1", "a2", "o2"] { harness.receive(Self.signal(Self.received(id))) }
    harness.receive(Self.signal(Self.received("a4"), from: "eve@example.org/x"))
    try Self.expect(harness, ["a1": "delivered", "a2": "delivered", "a3": "delivered", "a4": "sent"])
  }

  @Test("A signal in the batch of its message counts")
  func oneBatch() throws {
    let harness = try ReceiptTests.online()
    harness.syncsAtOnce = false
    harness.receive(
      Self.carbon("sent", Self.mine("a1")) + Self.carbon("sent", Self.mine("a2")) + Self.carbon("sent", Self.mine("a3"))
        + Self.signal(Self.displayed("a2")) + Self.signal(Self.received("a3")))
    harness.syncsAtOnce = true
    while harness.hasBatch { harness.sync() }
    try Self.expect(harness, ["a1": "displayed", "a2": "displayed", "a3": "delivered"])
  }

  @Test("An error by a carbon fails a message of my phone, and takes a correction of it back")
  func errorCarbon() throws {
    let harness = try ReceiptTests.online()
    func error(_ id: String) -> String {
      Self.carbon(
        "received",
        "<message xmlns='jabber:client' type='error' from='\(Self.bob)' to='\(Self.phone)' id='\(id)'>"
          + "<error type='cancel'><service-unavailable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></message>")
    }
    let replace = "<replace xmlns='urn:xmpp:message-correct:0' id='a2'/>"
    // An error may come before the message, too.
    for stanza in [error("a3"), Self.carbon("sent", Self.mine("a1")), Self.carbon("sent", Self.mine("a2"))] {
      harness.receive(stanza)
    }
    harness.receive(Self.carbon("sent", Self.mine("c1", more: replace)))
    harness.pass(.seconds(1))
    for stanza in [error("a1"), error("c1"), Self.carbon("sent", Self.mine("a3"))] { harness.receive(stanza) }
    try Self.expect(harness, ["a1": "failed", "a2": "sent", "a3": "failed"])
  }

  @Test("A marker for a later message says nothing of one whose error came just before it, and is not durable yet")
  func errorBeforeMarker() throws {
    let harness = try ReceiptTests.online()
    for id in ["a1", "a2", "a3"] { harness.receive(Self.carbon("sent", Self.mine(id))) }
    harness.pass(.seconds(1))
    harness.syncsAtOnce = false
    harness.receive(
      "<message type='error' from='\(Self.bob)' to='\(Self.phone)' id='a1'>"
        + "<error type='cancel'><service-unavailable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></message>"
        + "<message from='\(Self.bob)' to='alice@example.org'><displayed xmlns='urn:xmpp:chat-markers:0' id='a3'/></message>"
    )
    harness.pass(.seconds(1))
    harness.syncsAtOnce = true
    harness.sync()
    try Self.expect(harness, ["a1": "failed", "a2": "displayed", "a3": "displayed"])
  }

  @Test(
    "A correction asks for receipt and marker, and a state for its id or its message's counts",
    arguments: [false, true])
  func correction(namesMessage: Bool) throws {
    let harness = try ReceiptTests.online()
    let client = harness.connect()
    func last() throws -> String {
      try #require(ScriptedStream.value(of: "id", in: harness.toServer.components("<message").last ?? ""))
    }
    let id = try #require(harness.ask(client, "send \(Self.bob) helo").last?["id"]?.integer)
    let message = try last()
    harness.pass(.seconds(1))
    harness.send(client, "send replace=\(id) wait=displayed timeout=1h \(Self.bob) hello\n")
    harness.pass(.seconds(1))
    #expect(harness.takeLines(client).isEmpty)
    let sent = harness.toServer.components("<message").last ?? ""
    #expect(
      sent.contains("<request xmlns='urn:xmpp:receipts'/>")
        && sent.contains("<markable xmlns='urn:xmpp:chat-markers:0'/>"))
    let correction = try last()
    #expect(correction != message)
    harness.receive(Self.signal(Self.displayed(namesMessage ? message : correction)))
    harness.pass(.seconds(1))
    #expect(harness.takeLines(client).first?["state"]?.string == "displayed")
    try Self.expect(harness, ["hello": "displayed"])
  }

  @Test("A signal for a correction of my phone counts for its message, whichever comes first")
  func correctionElsewhere() throws {
    let harness = try ReceiptTests.online()
    for id in ["1", "2"] {
      let replace = "<replace xmlns='urn:xmpp:message-correct:0' id='a\(id)'/>"
      let signal = Self.signal(Self.displayed("c\(id)"))
      if id == "2" { harness.receive(signal) }
      harness.receive(Self.carbon("sent", Self.mine("a\(id)")))
      harness.receive(Self.carbon("sent", Self.mine("c\(id)", more: replace)))
      harness.pass(.seconds(1))
      if id == "1" { harness.receive(signal) }
      harness.pass(.seconds(1))
    }
    try Self.expect(harness, ["c1": "displayed", "c2": "displayed"])
  }

  @Test("Markers of before XEP-0333 1.0 count, and each of several signals, with or without a text beside them")
  func forms() throws {
    let harness = try ReceiptTests.online()
    for number in 1...7 { harness.receive(Self.carbon("sent", Self.mine("a\(number)"))) }
    harness.pass(.seconds(1))
    harness.receive(Self.signal("<acknowledged xmlns='urn:xmpp:chat-markers:0' id='a1'/>"))
    harness.receive(Self.signal("<received xmlns='urn:xmpp:chat-markers:0' id='a2'/>"))
    harness.receive(Self.signal("<body>yes</body>" + Self.received("a3")))
    harness.receive(Self.signal(Self.received("a4") + Self.received("a5")))
    harness.receive(
      "<message from='alice@example.org'><received xmlns='urn:xmpp:carbons:2'><forwarded xmlns='urn:xmpp:forward:0'>"
        + Self.signal("<body>copied</body>" + Self.received("a6"), to: Self.phone) + "</forwarded></received></message>"
    )
    try Self.expect(
      harness,
      [
        "a1": "displayed", "a2": "delivered", "a3": "delivered", "a4": "delivered", "a5": "delivered",
        "a6": "delivered", "a7": "sent",
      ])
    #expect(ChangeTests.texts(harness).contains("yes") && ChangeTests.texts(harness).contains("copied"))
  }

  @Test("A receipt beside a text is written before the text, whose record acknowledges the stanza")
  func besideTextFirst() throws {
    let harness = try ReceiptTests.online()
    harness.receive(Self.carbon("sent", Self.mine("a1")))
    harness.pass(.seconds(1))
    let watcher = harness.connect()
    _ = harness.ask(watcher, "watch kinds=message,state")
    harness.receive(Self.signal("<body>yes</body>" + Self.received("a1")))
    harness.pass(.seconds(1))
    #expect(harness.takeLines(watcher).compactMap { $0["event"]?.string } == ["state", "message"])
  }

  @Test("A receipt beside a text in the archive waits for its message, and the text is there once")
  func besideText() throws {
    let beside = Self.signal("<body>yes</body>" + Self.received("a1"))
    let harness = try ArchiveTests.harness(Self.archive([Self.mine("a1"), beside], pageSize: 1))
    try Self.expect(harness, ["a1": "delivered"])
    harness.cut()
    harness.pass(.minutes(1))
    #expect(ChangeTests.texts(harness) == ["a1", "yes"])
  }

  @Test("A marker of my phone that comes before its message outlives a start, and reads the message")
  func ownMarker() throws {
    let first = try ArchiveTests.harness(ScriptedArchive())
    first.pass(.seconds(2))
    first.receive(Self.carbon("sent", Self.signal(Self.displayed("m1"), from: Self.phone, to: Self.bob)))
    first.pass(.seconds(1))
    var server = first.server
    server.archive?.add("one", at: ArchiveTests.stamp(minute: 1), stanzaID: "m1")
    server.archive?.add("two", at: ArchiveTests.stamp(minute: 2), stanzaID: "m2")
    let next = try Harness(on: first.storage, server: server, now: first.now, seed: 2)
    next.pass(.seconds(5))
    for harness in try ChangeTests.asWritten(next) {
      #expect(harness.ask(harness.connect(5), "unread").last?["unread"]?.integer == 1)
    }
  }

  @Test("Signals of strangers push none of a contact's out of where they wait")
  func strangers() throws {
    let harness = try ReceiptTests.online()
    harness.receive(Self.signal(Self.received("a1")))
    let flood = (0..<WaitingReferences.most + 100).map {
      Self.signal(Self.received("x\($0)"), from: "eve\($0 % 10)@example.com/x")
    }
    harness.receive(flood.joined())
    harness.pass(.seconds(2))
    #expect(harness.engine.state.accounts[1]?.waiting.awaited.count ?? 0 <= WaitingReferences.most)
    harness.receive(Self.carbon("sent", Self.mine("a1")))
    try Self.expect(harness, ["a1": "delivered"])
  }

  @Test("Receipts for a message that was forgotten wait for nothing")
  func forgotten() throws {
    let harness = try ReceiptTests.online()
    let client = harness.connect()
    _ = harness.ask(client, "send \(Self.bob) hello")
    let stanza = try #require(ScriptedStream.value(of: "id", in: harness.toServer.components("<message").last ?? ""))
    harness.pass(.seconds(1))
    _ = harness.ask(client, "forget-history \(Self.bob)")
    harness.receive(Self.signal(Self.received(stanza)))
    harness.pass(.seconds(1))
    #expect(harness.engine.state.accounts[1]?.waiting.isEmpty == true)
  }
}
