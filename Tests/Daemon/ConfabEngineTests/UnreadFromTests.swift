import Clocks
import JSON
import State
import Testing
import Timelines

@testable import ConfabAccounts
@testable import ConfabEngine

/// `unread-from`: the read position moves back.
@Suite("Moving the read position back")
struct UnreadFromTests {
  private static func message(_ id: String) -> String {
    "<message from='bob@example.org/phone' type='chat' id='\(id)'><body>\(id)</body>"
      + "<markable xmlns='urn:xmpp:chat-markers:0'/></message>"
  }

  /// Bob's messages m1 to m5, all read; their ids.
  private static func read() throws -> (harness: Harness, client: ClientID, ids: [Int64]) {
    let harness = try ReceiptTests.online()
    let client = harness.connect()
    for number in 1...5 {
      harness.receive(message("m\(number)"))
      harness.pass(.seconds(1))
    }
    #expect(harness.ask(client, "read bob@example.org").last?["unread"]?.integer == 0)
    let ids = harness.ask(client, "history bob@example.org").compactMap { $0["message"]?["id"]?.integer }
    return (harness, client, ids)
  }

  /// Another device of mine has displayed a message.
  private static func displayed(_ id: String) -> String {
    "<message xmlns='jabber:client' from='alice@example.org/there' to='bob@example.org/phone' type='chat'>"
      + "<displayed xmlns='urn:xmpp:chat-markers:0' id='\(id)'/></message>"
  }

  private static func carbon(_ message: String) -> String {
    "<message from='alice@example.org'><sent xmlns='urn:xmpp:carbons:2'><forwarded xmlns='urn:xmpp:forward:0'>"
      + message + "</forwarded></sent></message>"
  }

  private static func unread(_ harness: Harness) -> Int64? {
    harness.ask(harness.connect(99), "unread in=bob@example.org").last?["unread"]?.integer
  }

  @Test("The position moves back before the message, durably and with an event, and no marker leaves")
  func movedBack() throws {
    let (harness, client, ids) = try Self.read()
    harness.pass(.minutes(1))
    harness.clearTrace()
    let watcher = harness.connect(2)
    _ = harness.ask(watcher, "watch kinds=read")
    harness.syncsAtOnce = false
    harness.send(client, "unread-from bob@example.org \(ids[2])\n")
    #expect(harness.takeLines(client).isEmpty)
    harness.sync()
    harness.syncsAtOnce = true
    #expect(harness.takeLines(client).map { $0["unread"]?.integer } == [3])
    #expect(harness.takeLines(watcher).last?["id"]?.integer == ids[1])
    harness.pass(.minutes(1))
    #expect(!harness.toServer.contains("<displayed"))
    let object = harness.ask(client, "conversations").first?["conversation"]
    #expect(object?["unread"]?.integer == 3 && object?["read"]?.integer == ids[1])
    let next = try Harness(on: harness.storage, server: harness.server, now: harness.now, seed: 2)
    #expect(Self.unread(next) == 3)
    // Read again, without a second marker for what was marked once.
    next.pass(.seconds(5))
    #expect(next.ask(next.connect(), "read bob@example.org").last?["unread"]?.integer == 0)
    next.pass(.minutes(1))
    #expect(!next.toServer.contains("<displayed"))
  }

  @Test("Before the first message nothing is read, and the event says 0")
  func first() throws {
    let (harness, client, ids) = try Self.read()
    let watcher = harness.connect(2)
    _ = harness.ask(watcher, "watch kinds=read")
    #expect(harness.ask(client, "unread-from bob@example.org \(ids[0])").last?["unread"]?.integer == 5)
    #expect(harness.takeLines(watcher).last?["id"]?.integer == 0)
    #expect(harness.ask(client, "conversations").first?["conversation"]?["read"]?.integer == 0)
    #expect(harness.ask(client, "read bob@example.org \(ids[1])").last?["unread"]?.integer == 3)
  }

  @Test("It never moves forward, and a message of another conversation is not found")
  func limits() throws {
    let (harness, client, ids) = try Self.read()
    _ = harness.ask(client, "unread-from bob@example.org \(ids[1])")
    let before = harness.engine.storage.queue.last
    #expect(harness.ask(client, "unread-from bob@example.org \(ids[4])").last?["unread"]?.integer == 4)
    #expect(harness.engine.storage.queue.last == before)
    func error(_ request: String) -> [String?] {
      let answer = harness.ask(client, request).last
      return [answer?["error"]?.string, answer?["argument"]?.string]
    }
    #expect(error("unread-from bob@example.org 1") == ["not-found", "id"])
    #expect(error("unread-from eve@example.org \(ids[0])") == ["not-found", "jid"])
    #expect(error("unread-from bob@example.org") == ["bad-argument", "id"])
    #expect(error("unread-from") == ["bad-argument", "jid"])
    #expect(error("unread-from bob@example.org x") == ["bad-argument", "id"])
  }

  @Test("What is pipelined counts in its order", arguments: ["read bob@example.org", "read all=yes"])
  func pipelined(read: String) throws {
    let (harness, client, ids) = try Self.read()
    harness.syncsAtOnce = false
    let back = "unread-from bob@example.org \(ids[3])\n"
    harness.send(client, back + read + "\n" + back)
    for _ in 0..<5 {
      harness.sync()
      harness.pass(.milliseconds(50))
    }
    #expect(harness.takeLines(client).count == 3)
    harness.syncsAtOnce = true
    #expect(Self.unread(harness) == 2)
    #expect(harness.ask(client, read).last?["unread"]?.integer == 0)
  }

  @Test("What another device had displayed before does not move it forward again; new messages that it displays do")
  func elsewhere() throws {
    let (harness, client, ids) = try Self.read()
    _ = harness.ask(client, "unread-from bob@example.org \(ids[1])")
    for id in ["m5", "m3"] {
      harness.receive(Self.carbon(Self.displayed(id)))
      harness.pass(.seconds(1))
    }
    #expect(Self.unread(harness) == 4)
    let next = try Harness(on: harness.storage, server: harness.server, now: harness.now, seed: 2)
    next.pass(.seconds(5))
    next.receive(Self.carbon(Self.displayed("m5")))
    next.pass(.seconds(1))
    #expect(Self.unread(next) == 4)
    next.receive(Self.message("m6"))
    next.pass(.seconds(1))
    next.receive(Self.carbon(Self.displayed("m6")))
    next.pass(.seconds(1))
    #expect(Self.unread(next) == 0)
  }

  @Test("A marker that the archive has from before does not move it, one from behind does", arguments: [true, false])
  func archived(isEarlier: Bool) throws {
    var archive = ArchiveTests.archive(3)
    let harness = try ArchiveTests.harness(archive)
    harness.pass(.seconds(5))
    let client = harness.connect()
    let ids = harness.ask(client, "history bob@example.org").compactMap { $0["message"]?["id"]?.integer }
    #expect(ids.count == 3)
    _ = harness.ask(client, "read bob@example.org \(ids[0])")
    // Only the first one has been read here when it is moved back.
    _ = harness.ask(client, "unread-from bob@example.org \(ids[0])")
    harness.cut()
    let stamp = harness.now.wall.advanced(by: .seconds(isEarlier ? -60 : 60))
    archive = try #require(harness.server.archive)
    let id = try #require(Self.stanzaID(of: archive.items[2].xml))
    archive.items.append(.init(id: "marker", stamp: stamp.rfc3339, xml: Self.displayed(id)))
    harness.server.archive = archive
    harness.pass(.seconds(30))
    #expect(Self.unread(harness) == (isEarlier ? 3 : 0))
  }

  @Test("A marker for history that was fetched behind a live message does not read that")
  func markerOfHistory() throws {
    let archive = ArchiveTests.archive(3)
    let harness = try ArchiveTests.harness(archive)
    harness.pass(.seconds(5))
    let conversation = try #require(harness.engine.state.accounts[1]?.conversations["bob@example.org"])
    #expect(conversation.unread == 0)
    harness.receive(Self.message("live"))
    harness.pass(.seconds(1))
    let live = try #require(conversation.unreadEntries.first)
    let history = conversation.timeline[0]
    #expect(history.flags.contains(.history) && !live.flags.contains(.history))
    let parts = try #require(harness.engine.accounts.numbered(1)?.parts)
    let mover = ReadPositionMove(state: parts.core.stream.state, storage: harness.engine.storage)
    let before = harness.engine.storage.queue.last
    mover.move("bob@example.org", to: history.place, at: nil, isToPublish: false)
    #expect(harness.engine.storage.queue.last == before)
    mover.move("bob@example.org", to: live.place, at: nil, isToPublish: false)
    #expect(harness.engine.storage.queue.last == before + 1)
  }

  private static func stanzaID(of xml: String) -> String? { ScriptedStream.value(of: "id", in: xml) }
}
