import Clocks
import JSON
import State
import Testing

@testable import ConfabEngine

/// XEP-0490: read positions go to our other devices, and come from them.
@Suite("Displayed synchronisation")
struct DisplayedSyncTests {
  private static let node = "urn:xmpp:mds:displayed:0"

  private static func server(_ archive: ScriptedArchive = ScriptedArchive(), hasOptions: Bool = true) -> ScriptedStream
  {
    var server = ArchiveTests.server(archive)
    (server.hasNodes, server.acknowledges) = (true, true)
    if hasOptions { server.features.append("http://jabber.org/protocol/pubsub#publish-options") }
    server.roster = "<query xmlns='jabber:iq:roster'><item jid='bob@example.org' subscription='both'/></query>"
    return server
  }

  /// Alice online, with an archive that is here, and nothing displayed elsewhere.
  private static func harness(_ server: ScriptedStream = server(), items: String? = "") throws -> Harness {
    let harness = try Harness(server: server)
    harness.pass(.seconds(2))
    answer(harness, "<items node='http://jabber.org/protocol/nick'")
    if let items { answerItems(harness, items) }
    return harness
  }

  private static func answerItems(_ harness: Harness, _ items: String) {
    answer(
      harness, "<items node='\(node)'/>",
      "<pubsub xmlns='http://jabber.org/protocol/pubsub'><items node='\(node)'>\(items)</items></pubsub>")
  }

  /// Answers the last request that contains a text.
  private static func answer(_ harness: Harness, _ part: String, _ content: String = "", type: String = "result") {
    let request = harness.toServer.components("<iq").last { $0.contains(part) } ?? ""
    harness.receive("<iq type='\(type)' id='\(ScriptedStream.value(of: "id", in: request) ?? "")'>\(content)</iq>")
    harness.pass(.seconds(1))
  }

  private static func item(_ id: String, of jid: String = "bob@example.org", by: String = "alice@example.org") -> String
  {
    "<item id='\(jid)'><displayed xmlns='\(node)'><stanza-id xmlns='urn:xmpp:sid:0' by='\(by)' id='\(id)'/></displayed></item>"
  }

  private static func push(_ item: String, from: String = "alice@example.org") -> String {
    "<message from='\(from)' type='headline'><event xmlns='http://jabber.org/protocol/pubsub#event'>"
      + "<items node='\(node)'>\(item)</items></event></message>"
  }

  private static func message(_ number: Int, hasID: Bool = true) -> String {
    let id = hasID ? "<stanza-id xmlns='urn:xmpp:sid:0' by='alice@example.org' id='s\(number)'/>" : ""
    return "<message from='bob@example.org/x' type='chat' id='m\(number)'><body>\(number)</body>"
      + "<markable xmlns='urn:xmpp:chat-markers:0'/>\(id)</message>"
  }

  private static func receive(_ harness: Harness, _ numbers: ClosedRange<Int>) {
    for number in numbers {
      let xml = message(number).replacing("<message ", with: "<message xmlns='jabber:client' to='alice@example.org' ")
      harness.server.archive?.items.append(.init(id: "s\(number)", stamp: harness.now.wall.rfc3339, xml: xml))
      harness.receive(message(number))
      harness.pass(.seconds(1))
    }
  }

  private static func unread(_ harness: Harness) -> Int64? {
    harness.ask(harness.connect(99), "unread in=bob@example.org").last?["unread"]?.integer
  }

  /// The ids that were published since the trace was cleared.
  private static func published(_ harness: Harness) -> [String] {
    harness.toServer.components("<publish node='\(node)'>").dropFirst()
      .compactMap { ScriptedStream.value(of: "id", in: $0.components("<stanza-id").last ?? "") }
  }

  private static func ids(_ harness: Harness) -> [Int64] {
    harness.ask(harness.connect(98), "history bob@example.org").compactMap { $0["message"]?["id"]?.integer }
  }

  private static func pending(_ harness: Harness) -> Int? {
    harness.engine.state.accounts[1]?.unpublishedReads.entries.count
  }

  @Test("A position counts though another one, of a message that is not here, follows it at once")
  func followedByUnknown() throws {
    let harness = try Self.harness()
    Self.receive(harness, 1...3)
    harness.syncsAtOnce = false
    harness.receive(Self.message(4) + Self.push(Self.item("s2")) + Self.push(Self.item("unknown")))
    harness.syncsAtOnce = true
    while harness.hasBatch { harness.sync() }
    harness.pass(.seconds(1))
    #expect(Self.unread(harness) == 2)
  }

  @Test("The newest displayed message is published, for our own devices alone, and once")
  func publishes() throws {
    let harness = try Self.harness()
    Self.receive(harness, 1...3)
    harness.clearTrace()
    _ = harness.ask(harness.connect(), "read bob@example.org \(Self.ids(harness)[1])")
    #expect(Self.published(harness) == ["s2"])
    #expect(harness.toServer.contains("<item id='bob@example.org'><displayed xmlns='urn:xmpp:mds:displayed:0'>"))
    for (name, value) in [
      ("access_model", "whitelist"), ("persist_items", "true"), ("max_items", "max"),
      ("send_last_published_item", "never"),
    ] { #expect(harness.toServer.contains("<field var='pubsub#\(name)'><value>\(value)</value>")) }
    Self.answer(harness, "<publish ")
    harness.clearTrace()
    _ = harness.ask(harness.connect(2), "read bob@example.org \(Self.ids(harness)[1])")
    #expect(Self.published(harness).isEmpty)
    _ = harness.ask(harness.connect(3), "read bob@example.org")
    #expect(Self.published(harness) == ["s3"])
    Self.answer(harness, "<publish ")
    Self.receive(harness, 4...4)
    #expect(Self.pending(harness) == 0)
  }

  @Test(
    "A position waits for the answer to an earlier one, and for the connection, a crash or not",
    arguments: [true, false])
  func waits(isAnswered: Bool) throws {
    let harness = try Self.harness()
    Self.receive(harness, 1...3)
    let (client, ids) = (harness.connect(), Self.ids(harness))
    harness.clearTrace()
    for id in ids { _ = harness.ask(client, "read bob@example.org \(id)") }
    #expect(Self.published(harness) == ["s1"])
    Self.answer(harness, "<publish ")
    #expect(Self.published(harness) == ["s1", "s3"])
    if isAnswered { Self.answer(harness, "<publish ") }
    harness.pass(.seconds(30))
    if isAnswered { Self.receive(harness, 4...4) }
    let next = try Harness(on: harness.storage, server: harness.server, now: harness.now, seed: 2)
    next.pass(.seconds(2))
    #expect(Self.published(next).isEmpty)
    Self.answerItems(next, Self.item("s1"))
    #expect(Self.published(next) == (isAnswered ? [] : ["s3"]))
  }

  @Test("Where it stays unknown what other devices have displayed, nothing is published before the next stream")
  func unanswered() throws {
    let harness = try Self.harness(items: nil)
    Self.receive(harness, 1...1)
    _ = harness.ask(harness.connect(), "read bob@example.org")
    harness.pass(.minutes(2))
    #expect(Self.published(harness).isEmpty)
    harness.cut()
    harness.pass(.minutes(1))
    Self.answerItems(harness, "")
    #expect(Self.published(harness) == ["s1"])
  }

  @Test("What is read offline is published after the login")
  func offline() throws {
    let harness = try Self.harness()
    Self.receive(harness, 1...2)
    let client = harness.connect()
    _ = harness.ask(client, "disconnect")
    harness.pass(.seconds(5))
    _ = harness.ask(client, "read bob@example.org")
    harness.clearTrace()
    _ = harness.ask(client, "connect")
    harness.pass(.seconds(2))
    #expect(Self.published(harness).isEmpty)
    Self.answerItems(harness, "")
    #expect(Self.published(harness) == ["s2"])
  }

  @Test("A message without an id in the archive is published when it has one; until then an older one is")
  func withoutID() throws {
    let harness = try Self.harness()
    Self.receive(harness, 1...1)
    harness.receive(Self.message(2, hasID: false))
    harness.pass(.seconds(1))
    harness.clearTrace()
    _ = harness.ask(harness.connect(), "read bob@example.org")
    #expect(Self.published(harness) == ["s1"])
  }

  @Test("What another device displays is read here, with an event, and not published again")
  func takesOver() throws {
    let harness = try Self.harness()
    Self.receive(harness, 1...4)
    let watcher = harness.connect(2)
    _ = harness.ask(watcher, "watch kinds=read")
    harness.clearTrace()
    harness.receive(Self.push(Self.item("s3")))
    harness.pass(.seconds(1))
    #expect(Self.unread(harness) == 1)
    #expect(harness.takeLines(watcher).map { $0["id"]?.integer } == [Self.ids(harness)[2]])
    for item in [
      Self.item("s1"), Self.item("s9"), Self.item("s4", of: "eve@example.org"), Self.item("s4", by: "bob@example.org"),
      Self.item("s4", of: "bob@example.org/x"), "<item id='bob@example.org'/>",
    ] { harness.receive(Self.push(item)) }
    harness.receive(Self.push(Self.item("s4"), from: "bob@example.org"))
    harness.pass(.seconds(1))
    #expect(Self.unread(harness) == 1)
    #expect(Self.published(harness).isEmpty)
    #expect(!harness.toServer.contains("chat-markers"))
  }

  @Test("The id of a correction, or of a reaction, stands for all messages before it")
  func changes() throws {
    let harness = try Self.harness()
    Self.receive(harness, 1...2)
    let correction = "<replace xmlns='urn:xmpp:message-correct:0' id='m1'/><body>one</body>"
    let reaction = "<reactions xmlns='urn:xmpp:reactions:0' id='m3'><reaction>👍</reaction></reactions>"
    for (number, change) in [correction, reaction].enumerated() {
      harness.receive(
        "<message from='bob@example.org/x' type='chat' id='c\(number)'>\(change)"
          + "<stanza-id xmlns='urn:xmpp:sid:0' by='alice@example.org' id='t\(number)'/></message>")
      harness.pass(.seconds(1))
      if number == 0 { Self.receive(harness, 3...4) }
    }
    Self.receive(harness, 5...5)
    for (id, unread) in [("t0", 3), ("t1", 1)] as [(String, Int64)] {
      harness.receive(Self.push(Self.item(id)))
      harness.pass(.seconds(1))
      #expect(Self.unread(harness) == unread)
    }
  }

  @Test("A push right behind its message counts, though the message is not durable yet")
  func pushAtOnce() throws {
    let harness = try Self.harness()
    harness.syncsAtOnce = false
    harness.receive(Self.message(1) + Self.push(Self.item("s1")))
    for _ in 0..<4 {
      harness.sync()
      harness.pass(.milliseconds(50))
    }
    harness.syncsAtOnce = true
    #expect(Self.unread(harness) == 0)
  }

  @Test("An event that comes before its message counts once the message is here")
  func eventFirst() throws {
    let harness = try Self.harness()
    Self.receive(harness, 1...1)
    harness.receive(Self.push(Self.item("s2")))
    harness.pass(.seconds(1))
    #expect(Self.unread(harness) == 1)
    Self.receive(harness, 2...3)
    #expect(Self.unread(harness) == 1)
  }

  @Test("What was displayed while we were away is taken over once the archive has brought the message")
  func comesLater() throws {
    let harness = try Self.harness()
    Self.receive(harness, 1...1)
    harness.cut()
    for number in 2...3 {
      harness.server.archive?.add("\(number)", at: harness.now.wall.rfc3339, id: "s\(number)")
    }
    harness.server.archive?.pageSize = 1
    harness.pass(.seconds(5))
    Self.answerItems(harness, Self.item("s2"))
    harness.pass(.seconds(5))
    #expect(Self.ids(harness).count == 3)
    #expect(Self.unread(harness) == 1)
    #expect(Self.published(harness).isEmpty)
  }

  @Test("What another device had displayed before the position moved back does not move it forward again")
  func movedBack() throws {
    let harness = try Self.harness()
    Self.receive(harness, 1...4)
    let client = harness.connect()
    _ = harness.ask(client, "read bob@example.org \(Self.ids(harness)[2])")
    Self.answer(harness, "<publish ")
    _ = harness.ask(client, "unread-from bob@example.org \(Self.ids(harness)[0])")
    #expect(Self.unread(harness) == 4)
    harness.receive(Self.push(Self.item("s3")))
    harness.pass(.seconds(1))
    #expect(Self.unread(harness) == 4)
    // At the next login, of the last one nobody can say when it was displayed.
    let next = try Harness(on: harness.storage, server: harness.server, now: harness.now, seed: 2)
    next.pass(.seconds(2))
    Self.answerItems(next, Self.item("s4"))
    #expect(Self.unread(next) == 4)
    Self.receive(next, 5...5)
    next.receive(Self.push(Self.item("s5")))
    next.pass(.seconds(1))
    #expect(Self.unread(next) == 0)
  }

  @Test("A marker of another device is published for those that do not read markers, unless that device has done so")
  func markers() throws {
    let harness = try Self.harness()
    Self.receive(harness, 1...2)
    func marker(_ id: String) -> String {
      "<message from='alice@example.org'><sent xmlns='urn:xmpp:carbons:2'><forwarded xmlns='urn:xmpp:forward:0'>"
        + "<message xmlns='jabber:client' from='alice@example.org/there' to='bob@example.org/x' type='chat'>"
        + "<displayed xmlns='urn:xmpp:chat-markers:0' id='\(id)'/></message></forwarded></sent></message>"
    }
    harness.clearTrace()
    harness.receive(marker("m1"))
    harness.pass(.seconds(1))
    #expect(Self.published(harness) == ["s1"])
    Self.answer(harness, "<publish ")
    harness.clearTrace()
    harness.cut()
    harness.pass(.seconds(5))
    Self.answerItems(harness, Self.item("s1"))
    #expect(Self.published(harness).isEmpty)
  }

  @Test("Where publish-options are not checked, nothing is sent, and nothing kept for later")
  func unsupported() throws {
    let harness = try Self.harness(Self.server(hasOptions: false), items: nil)
    Self.receive(harness, 1...2)
    _ = harness.ask(harness.connect(), "read bob@example.org")
    Self.receive(harness, 3...4)
    #expect(!harness.toServer.contains(Self.node))
    #expect(Self.pending(harness) == 0)
  }

  @Test("A server that does not know the options gets a node made of them, and publications without")
  func unknownOptions() throws {
    let harness = try Self.harness()
    Self.receive(harness, 1...2)
    let client = harness.connect()
    for (number, id) in Self.ids(harness).enumerated() {
      harness.clearTrace()
      _ = harness.ask(client, "read bob@example.org \(id)")
      if number == 0 {
        #expect(harness.toServer.contains("pubsub#max_items"))
        Self.answer(
          harness, "<publish ",
          "<error type='wait'><resource-constraint xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>", type: "error"
        )
        let create = harness.toServer.components("<iq").last ?? ""
        #expect(create.contains("<create node='\(Self.node)'/>") && create.contains("pubsub#max_items"))
        Self.answer(harness, "<create ")
      }
      let publication = harness.toServer.components("<iq").last ?? ""
      #expect(publication.contains("<publish ") && !publication.contains("pubsub#max_items"))
      Self.answer(harness, "<publish ")
    }
    #expect(Self.published(harness) == ["s2"])
  }

  @Test("A server that refuses is not asked again on the stream, and one that is busy at the next login")
  func refused() throws {
    for (error, isAskedAgain) in [
      ("<error type='cancel'><not-allowed", false), ("<error type='wait'><internal-server-error", true),
    ] {
      let harness = try Self.harness()
      Self.receive(harness, 1...2)
      let (client, ids) = (harness.connect(), Self.ids(harness))
      harness.clearTrace()
      _ = harness.ask(client, "read bob@example.org \(ids[0])")
      // The options, a node made of them, a change of it, and the publication without.
      for request in ["<publish ", "<create ", "<configure ", "<publish "] {
        Self.answer(
          harness, request, "\(error) xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>", type: "error")
      }
      harness.clearTrace()
      harness.pass(.seconds(60))
      #expect(Self.published(harness).isEmpty)
      Self.receive(harness, 3...3)
      #expect(Self.pending(harness) == (isAskedAgain ? 1 : 0))
      let next = try Harness(on: harness.storage, server: harness.server, now: harness.now, seed: 2)
      next.pass(.seconds(2))
      Self.answerItems(next, "")
      #expect(Self.published(next) == (isAskedAgain ? ["s1"] : []))
    }
  }
}
