import Clocks
import State
import JSON
import ConfabConfiguration
import Testing

@testable import ConfabEngine

/// XEP-0333 in the whole engine: who has read what.
@Suite("markers")
struct MarkerTests {
  private static func message(_ id: String, from: String = "bob@example.org/phone", isMarkable: Bool = true) -> String {
    "<message from='\(from)' type='chat' id='\(id)'><body>\(id)</body>"
      + (isMarkable ? "<markable xmlns='urn:xmpp:chat-markers:0'/>" : "") + "</message>"
  }

  private func markers(_ harness: Harness) -> [String] {
    harness.toServer.components("<displayed xmlns='urn:xmpp:chat-markers:0'").dropFirst().compactMap {
      ScriptedStream.value(of: "id", in: $0)
    }
  }

  @Test("`read` tells the sender, once, of the newest that asks for it, when the position is durable")
  func given() throws {
    let harness = try ReceiptTests.online()
    let client = harness.connect()
    harness.receive(Self.message("m1") + Self.message("m2") + Self.message("m3", isMarkable: false))
    harness.pass(.seconds(1))
    harness.clearTrace()
    harness.syncsAtOnce = false
    harness.send(client, "read bob@example.org\n")
    #expect(harness.trace.isEmpty)
    harness.sync()
    #expect(harness.trace.first == .synced)
    #expect(harness.toServer.contains("<message to='bob@example.org' type='chat' id='"))
    #expect(harness.toServer.contains("><displayed xmlns='urn:xmpp:chat-markers:0' id='m2'/></message>"))
    harness.syncsAtOnce = true
    _ = harness.ask(client, "read bob@example.org")
    harness.pass(.minutes(1))
    #expect(markers(harness) == ["m2"])
    // Nothing new that asks for it.
    harness.receive(Self.message("m4", isMarkable: false))
    harness.pass(.seconds(1))
    _ = harness.ask(client, "read bob@example.org")
    harness.pass(.minutes(1))
    #expect(markers(harness) == ["m2"])
  }

  @Test("not beyond the message that was named")
  func named() throws {
    let harness = try ReceiptTests.online()
    let client = harness.connect()
    harness.receive(Self.message("m1") + Self.message("m2"))
    harness.pass(.seconds(1))
    let id = try #require(harness.ask(client, "history bob@example.org").first?["message"]?["id"]?.integer)
    _ = harness.ask(client, "read bob@example.org \(id)")
    #expect(markers(harness) == ["m1"])
  }

  @Test("what was read while nobody was online is told at the next login, the newest only, over a restart too")
  func offline() throws {
    let harness = try ReceiptTests.online()
    let client = harness.connect()
    harness.receive(Self.message("m1") + Self.message("m2"))
    harness.pass(.seconds(1))
    let ids = harness.ask(client, "history bob@example.org").compactMap { $0["message"]?["id"]?.integer }
    _ = harness.ask(client, "disconnect")
    for id in ids { _ = harness.ask(client, "read bob@example.org \(id)") }
    #expect(markers(harness) == [])
    let next = try Harness(on: harness.storage, server: harness.server, now: harness.now, seed: 2)
    next.pass(.seconds(1))
    _ = next.ask(next.connect(), "connect")
    next.pass(.seconds(30))
    #expect(markers(next) == ["m2"])
    let last = try Harness(on: next.storage, server: next.server, now: next.now, seed: 3)
    last.pass(.seconds(30))
    #expect(markers(last) == [])
  }

  @Test(
    "what is read before the roster is here is told when it is, offline too, and to nobody else",
    arguments: [false, true])
  func beforeTheRoster(isOffline: Bool) throws {
    var server = ReceiptTests.server(resumption: "max='600'")
    server.isRosterLate = true
    var harness = try Harness(server: server)
    harness.pass(.seconds(1))
    harness.say(Self.message("m1"), Self.message("m2", from: "eve@example.org/x"))
    harness.pass(.seconds(1))
    if isOffline {
      harness = try Harness(on: harness.storage, server: harness.server, now: harness.now, seed: 2, holdsLinks: true)
    }
    let client = harness.connect()
    for jid in ["bob@example.org", "eve@example.org"] { _ = harness.ask(client, "read \(jid)") }
    if isOffline {
      harness.holdsLinks = false
      harness.cut()
      harness.pass(.seconds(10))
    }
    #expect(markers(harness) == [])
    harness.say(harness.server.lateRoster)
    harness.pass(.seconds(30))
    #expect(markers(harness) == ["m1"])
    #expect(harness.engine.state.accounts[1]?.pendingReceipts.entries.isEmpty == true)
  }

  @Test(
    "nobody else is told",
    arguments: [
      ("", ReceiptPolicy.contacts, MarkerTests.message("m1")),
      (ReceiptTests.bob, .nobody, MarkerTests.message("m1")),
      (ReceiptTests.bob, .contacts, MarkerTests.message("m1", isMarkable: false)),
      ("<item jid='bob@example.org' subscription='to'/>", .contacts, MarkerTests.message("m1")),
    ])
  func withheld(roster: String, markers setting: ReceiptPolicy, stanza: String) throws {
    let harness = try ReceiptTests.online(ReceiptTests.server(roster)) { $0.markers = setting }
    harness.receive(stanza)
    harness.pass(.seconds(1))
    _ = harness.ask(harness.connect(), "read bob@example.org")
    harness.pass(.minutes(1))
    #expect(markers(harness) == [])
  }

  @Test("a marker makes all of mine up to there displayed, and takes none back")
  func taken() throws {
    let harness = try ReceiptTests.online()
    let client = harness.connect()
    var stanzas: [String] = []
    for number in 1...3 {
      _ = harness.ask(client, "send bob@example.org \(number)")
      let text = harness.toServer.components("<message").last ?? ""
      stanzas.append(try #require(ScriptedStream.value(of: "id", in: text)))
    }
    func states() -> [String?] {
      harness.ask(client, "history bob@example.org").compactMap { $0["message"] }.map { $0["state"]?.string }
    }
    func mark(_ id: String, from: String = "bob@example.org/phone") {
      harness.receive("<message from='\(from)'><displayed xmlns='urn:xmpp:chat-markers:0' id='\(id)'/></message>")
      harness.pass(.seconds(1))
    }
    mark(stanzas[1], from: "eve@example.org")
    mark("unknown")
    #expect(states() == ["sent", "sent", "sent"])
    harness.send(client, "send wait=displayed timeout=1h bob@example.org 4\n")
    mark(stanzas[1])
    #expect(harness.takeLines(client).isEmpty)
    #expect(states() == ["displayed", "displayed", "sent", "sent"])
    mark(stanzas[0])
    harness.receive(
      "<message from='bob@example.org/x'><received xmlns='urn:xmpp:receipts' id='\(stanzas[0])'/></message>")
    harness.pass(.seconds(1))
    #expect(states() == ["displayed", "displayed", "sent", "sent"])
    let last = try #require(ScriptedStream.value(of: "id", in: harness.toServer.components("<message").last ?? ""))
    mark(last)
    #expect(harness.takeLines(client).first?["state"]?.string == "displayed")
    #expect(states() == ["displayed", "displayed", "displayed", "displayed"])
  }

  /// A carbon of a marker from another device of mine.
  private static func ownMarker(_ id: String, from: String = "alice@example.org") -> String {
    "<message from='\(from)'><sent xmlns='urn:xmpp:carbons:2'><forwarded xmlns='urn:xmpp:forward:0'>"
      + "<message xmlns='jabber:client' from='alice@example.org/there' to='bob@example.org/phone'>"
      + "<displayed xmlns='urn:xmpp:chat-markers:0' id='\(id)'/></message></forwarded></sent></message>"
  }

  @Test("what I read on another device is read here, though its marker comes with the message")
  func elsewhereAtOnce() throws {
    let harness = try ReceiptTests.online()
    harness.syncsAtOnce = false
    harness.receive(Self.message("m1") + Self.message("m2") + Self.ownMarker("m1") + Self.ownMarker("unknown"))
    harness.pass(.seconds(1))
    harness.syncsAtOnce = true
    harness.sync()
    harness.pass(.seconds(1))
    #expect(harness.ask(harness.connect(), "unread").last?["unread"]?.integer == 1)
  }

  @Test("and out of the archive, whose page has both")
  func elsewhereArchived() throws {
    let harness = try ArchiveTests.harness(ScriptedArchive())
    harness.cut()
    for text in ["one", "two"] { harness.server.archive?.add(text, at: harness.now.wall.rfc3339, stanzaID: text) }
    harness.server.archive?.add(
      "", at: harness.now.wall.rfc3339, from: "alice@example.org/there", to: "bob@example.org",
      more: "<displayed xmlns='urn:xmpp:chat-markers:0' id='two'/>")
    harness.pass(.seconds(10))
    #expect(harness.ask(harness.connect(), "history bob@example.org").count == 3)
    #expect(harness.ask(harness.connect(), "unread").last?["unread"]?.integer == 0)
  }

  @Test("what I read on another device is read here, and nobody is told twice")
  func elsewhere() throws {
    let harness = try ReceiptTests.online()
    let client = harness.connect()
    harness.receive(Self.message("m1") + Self.message("m2") + Self.message("m3"))
    harness.pass(.seconds(1))
    func mark(_ id: String, from: String = "alice@example.org") {
      harness.receive(Self.ownMarker(id, from: from))
      harness.pass(.seconds(1))
    }
    mark("m2", from: "eve@example.org")
    mark("unknown")
    #expect(harness.ask(client, "unread").last?["unread"]?.integer == 3)
    mark("m2")
    #expect(harness.ask(client, "unread").last?["unread"]?.integer == 1)
    mark("m1")
    #expect(harness.ask(client, "unread").last?["unread"]?.integer == 1)
    #expect(markers(harness) == [])
    _ = harness.ask(client, "read bob@example.org")
    #expect(markers(harness) == ["m3"])
  }
}
