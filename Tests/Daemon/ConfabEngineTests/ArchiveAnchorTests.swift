import Clocks
import State
import JSON
import Records
import Testing

@testable import ConfabAccounts
@testable import ConfabEngine

/// Catch-ups after the server or its archive was replaced: the archive does not know the anchor.
@Suite("anchors that the archive does not know")
struct ArchiveAnchorTests {
  private static func harness(_ archive: ScriptedArchive = ArchiveTests.archive(10)) throws -> Harness {
    let harness = try ArchiveTests.harness(archive)
    harness.pass(.seconds(1))
    #expect(harness.engine.state.accounts[1]?.server.archive?.anchor?.id == "a10")
    return harness
  }

  /// Another archive: the last three messages of the old one, and three that came since.
  private static func another(_ unknown: String?) -> ScriptedArchive {
    var archive = ScriptedArchive()
    archive.unknown = unknown
    for number in 7..<13 {
      archive.add("\(number)", at: ArchiveTests.stamp(minute: number), id: "new-\(number)", stanzaID: "m\(number + 1)")
    }
    return archive
  }

  private func texts(_ harness: Harness) -> [String] {
    harness.ask(harness.connect(77), "history limit=1000 bob@example.org").compactMap { $0["message"]?["text"]?.string }
  }

  private func state(_ harness: Harness) -> String? {
    harness.ask(harness.connect(78), "status").first?["account"]?["archive"]?["state"]?.string
  }

  private func asked(_ harness: Harness) -> Int { harness.server.archive?.asked.count ?? 0 }

  private func reconnect(_ harness: Harness) {
    harness.cut()
    harness.pass(.seconds(10))
  }

  @Test(
    "messages from meanwhile are fetched by time, once, whatever the archive answers to an unknown id",
    arguments: ["item-not-found", "bad-request", nil])
  func changed(unknown: String?) throws {
    let harness = try Self.harness()
    harness.server.archive = Self.another(unknown)
    for _ in 0..<2 {
      reconnect(harness)
      #expect(texts(harness) == (0..<13).map { "\($0)" })
      #expect(state(harness) == "complete")
      #expect(harness.engine.state.accounts[1]?.server.archive?.anchor?.id == "new-12")
    }
    #expect(harness.server.archive?.asked.contains { $0.contains("'start'") } == true)
  }

  @Test("a login without news costs two short pages, and no further query on that stream")
  func quiet() throws {
    let harness = try Self.harness()
    harness.server.acknowledges = true
    for _ in 0..<5 {
      let before = asked(harness)
      reconnect(harness)
      harness.pass(.minutes(30))
      #expect(asked(harness) == before + 2)
      #expect(harness.server.archive?.asked.last?.contains("<max>1</max>") == true)
      #expect(state(harness) == "complete")
    }
    #expect(texts(harness).count == 10)
    #expect(!harness.told.contains { $0.contains("by time") })
  }

  @Test("a message that comes between the two queries does not make the anchor unknown")
  func between() throws {
    let harness = try Self.harness()
    harness.server.archive?.unknown = nil
    harness.server.archive?.patience = 1
    reconnect(harness)
    harness.server.archive?.patience = .max
    harness.server.archive?.add("10", at: ArchiveTests.stamp(minute: 10))
    for stanza in harness.server.archive?.owed(to: "alice@example.org") ?? [] { harness.say(stanza) }
    harness.pass(.seconds(1))
    #expect(texts(harness) == (0...10).map { "\($0)" })
    #expect(!harness.told.contains { $0.contains("by time") })
  }

  @Test("an archive whose newest message is older than the anchor makes that message the anchor")
  func restored() throws {
    let harness = try Self.harness()
    harness.server.archive?.unknown = nil
    harness.server.archive?.items.removeLast(5)
    reconnect(harness)
    #expect(state(harness) == "complete")
    #expect(harness.engine.state.accounts[1]?.server.archive?.anchor?.id == "a5")
    let before = asked(harness)
    reconnect(harness)
    #expect(asked(harness) == before + 2)
    harness.server.archive?.add("10", at: ArchiveTests.stamp(minute: 10), id: "b1")
    reconnect(harness)
    #expect(texts(harness) == (0...10).map { "\($0)" })
  }

  @Test("an archive that was emptied is complete, and its later messages are fetched")
  func emptied() throws {
    let harness = try Self.harness()
    harness.server.archive?.unknown = nil
    harness.server.archive?.items.removeAll()
    reconnect(harness)
    #expect(state(harness) == "complete")
    harness.server.archive?.add("10", at: ArchiveTests.stamp(minute: 10), id: "b1")
    reconnect(harness)
    #expect(texts(harness) == (0...10).map { "\($0)" })
  }

  @Test(
    "an archive that does not know the anchor proves nothing about messages sent before",
    arguments: [true, false])
  func silence(isEmpty: Bool) throws {
    let harness = try Self.harness()
    harness.send(harness.connect(), "send bob@example.org out\n")
    harness.pass(.seconds(1))
    harness.server.archive = isEmpty ? ScriptedArchive() : Self.another(nil)
    harness.server.archive?.unknown = nil
    reconnect(harness)
    let messages = harness.ask(harness.connect(79), "history bob@example.org").compactMap { $0["message"] }
    #expect(messages.last { $0["mine"]?.bool == true }?["in_doubt"]?.bool == true)
  }
}

@Suite("The anchor on a stream")
struct AnchorIntervalTests {
  private func messagesUntilMoved(_ anchor: inout ArchiveAnchor) -> Int {
    var count = 1
    while !anchor.noteMessage(isFirst: false) { count += 1 }
    return count
  }

  @Test("The anchor follows after so many messages, and after half as many if it could not")
  func interval() {
    var anchor = ArchiveAnchor()
    let first = messagesUntilMoved(&anchor)
    anchor.followed()
    let second = messagesUntilMoved(&anchor)
    anchor.postpone()
    let third = messagesUntilMoved(&anchor)
    #expect([first, second, third] == [250, 250, 125])
  }
}
