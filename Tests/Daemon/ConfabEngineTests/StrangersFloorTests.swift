import Clocks
import JSON
import ConfabConfiguration
import TestSupport
import Testing

@testable import ConfabEngine

/// Texts of strangers while the disk has little room (decision 0100).
@Suite("strangers-floor")
struct StrangersFloorTests {
  private let stranger = "x@evil.example"

  /// A server whose archive has what it delivers, and a disk that has little room.
  private func harness(_ count: Int = 1, firstSync: ArchiveSpan = .since(.days(30))) throws -> Harness {
    var server = ArchiveTests.server(ArchiveTests.archive(count))
    server.roster =
      "<query xmlns='jabber:iq:roster'><item jid='bob@example.org' subscription='both'/></query>"
    let harness = try Harness(server: server) { $0.accounts[0].archiveFirstSync = firstSync }
    harness.pass(.seconds(5))
    harness.freeSpace = 1 << 20
    // The first measure says that it is so.
    deliver(harness, "known", from: stranger)
    harness.pass(.seconds(11))
    return harness
  }

  /// The server delivers a message, and keeps it in its archive.
  private func deliver(_ harness: Harness, _ text: String, from: String, isArchived: Bool = true, more: String = "") {
    let number = (harness.server.archive?.items.count ?? 0) + 1
    var named = ""
    if isArchived {
      harness.server.archive?.add(
        text, at: harness.now.wall.rfc3339, id: "a\(number)", from: from + "/x", stanzaID: text, more: more)
      named = "<stanza-id xmlns='urn:xmpp:sid:0' by='alice@example.org' id='a\(number)'/>"
    }
    harness.receive(
      "<message type='chat' from='\(from)/x' to='alice@example.org' id='\(text)'><body>\(text)</body>\(more)\(named)</message>"
    )
    harness.pass(.milliseconds(50))
  }

  private func texts(_ harness: Harness, _ jid: String) -> [String] {
    let client = harness.connect(UInt64.random(in: 1_000...1_000_000))
    return harness.ask(client, "history limit=1000 \(jid)").compactMap { $0["message"]?["text"]?.string }
  }

  /// How many of the server's stanzas the daemon says it has.
  private func acknowledged(_ harness: Harness) -> Int? {
    harness.clearTrace()
    harness.receive("<r xmlns='urn:xmpp:sm:3'/>")
    harness.pass(.seconds(1))
    return ScriptedStream.value(of: "h", in: harness.toServer).flatMap { Int($0) }
  }

  private func archive(_ harness: Harness) -> JSONValue? {
    harness.ask(harness.connect(998), "status").first?["account"]?["archive"]
  }

  @Test("they stay in the archive, friends' are taken, and all are acknowledged; with room again they are fetched")
  func left() throws {
    let harness = try harness()
    let count = try #require(acknowledged(harness))
    deliver(harness, "one", from: stranger)
    deliver(harness, "hello", from: "bob@example.org")
    deliver(harness, "two", from: stranger)
    #expect(texts(harness, stranger) == ["known"] && texts(harness, "bob@example.org").last == "hello")
    #expect(archive(harness)?["left"]?.integer == 2 && archive(harness)?["state"]?.string == "catching-up")
    #expect(acknowledged(harness) == count + 3)
    harness.pass(.minutes(3))
    #expect(texts(harness, stranger) == ["known"])
    harness.freeSpace = 1 << 40
    harness.pass(.minutes(3))
    #expect(texts(harness, stranger) == ["known", "one", "two"])
    #expect(texts(harness, "bob@example.org").last == "hello")
    #expect(archive(harness)?["left"] == nil && archive(harness)?["state"]?.string == "complete")
  }

  @Test("those that the archive does not have, and those of people written to, are taken")
  func taken() throws {
    let harness = try harness()
    deliver(harness, "unkept", from: stranger, isArchived: false)
    #expect(texts(harness, stranger) == ["known", "unkept"])
    _ = harness.ask(harness.connect(3), "send carl@example.org hi")
    deliver(harness, "answer", from: "carl@example.org")
    #expect(texts(harness, "carl@example.org") == ["hi", "answer"])
  }

  @Test("a room that I am in is no stranger, and its texts are taken")
  func room() throws {
    let fixture = try RoomFixture()
    let harness = fixture.harness
    #expect(fixture.ask("conversations known=yes").contains { $0["conversation"]?["jid"] != nil } == false)
    harness.freeSpace = 1 << 20
    fixture.hear("one", id: "b1")
    deliver(harness, "x", from: stranger)
    harness.pass(.seconds(11))
    fixture.hear("two", id: "b2")
    fixture.hear("three", id: "b3", more: "<replace xmlns='urn:xmpp:message-correct:0' id='b1'/>")
    #expect(fixture.talk == ["bob: three", "bob: two"])
    let known = fixture.ask("conversations known=yes").compactMap { $0["conversation"]?["jid"]?.string }
    #expect(known == [RoomFixture.jid])
  }

  @Test("nothing is passed in the archive, across a daemon that dies, and one that still has no room")
  func restarts() throws {
    var harness = try harness()
    deliver(harness, "one", from: stranger)
    for number in 0..<600 { deliver(harness, "f\(number)", from: "bob@example.org") }
    deliver(harness, "two", from: stranger)
    let server = harness.server
    harness = try Harness(on: harness.storage, server: server, now: harness.now)
    harness.freeSpace = 1 << 20
    harness.pass(.minutes(1))
    #expect(texts(harness, "bob@example.org").suffix(600) == (0..<600).map { "f\($0)" })
    let again = try Harness(on: harness.storage, server: harness.server, now: harness.now)
    again.pass(.minutes(3))
    #expect(texts(again, stranger) == ["known", "one", "two"])
    #expect(archive(again)?["state"]?.string == "complete")
  }

  @Test("a change of a text is left, too, and fetched when there is room")
  func change() throws {
    let harness = try harness()
    let replace = "<replace xmlns='urn:xmpp:message-correct:0' id='known'/>"
    deliver(harness, "corrected", from: stranger, more: replace)
    #expect(texts(harness, stranger) == ["known"] && archive(harness)?["left"]?.integer == 1)
    harness.freeSpace = 1 << 40
    harness.pass(.minutes(3))
    #expect(texts(harness, stranger) == ["corrected"] && archive(harness)?["state"]?.string == "complete")
  }

  @Test("texts that were left are fetched even without a first fetching, also by the next daemon")
  func withoutFirstSync() throws {
    let harness = try harness(firstSync: .none)
    deliver(harness, "one", from: stranger)
    #expect(archive(harness)?["left"]?.integer == 1)
    let next = try Harness(on: harness.storage, server: harness.server, now: harness.now)
    next.pass(.minutes(3))
    #expect(texts(next, stranger) == ["known", "one"] && archive(next)?["left"] == nil)
  }

  @Test("somebody whom another device of mine wrote to on the same page is no stranger")
  func otherDevice() throws {
    let harness = try harness()
    harness.cut()
    let xena = "xena@example.net"
    harness.server.archive?.add(
      "hello", at: harness.now.wall.rfc3339, from: "alice@example.org/phone", to: xena, stanzaID: "p1")
    harness.server.archive?.add("answer", at: harness.now.wall.rfc3339, from: xena + "/x", stanzaID: "p2")
    harness.pass(.minutes(1))
    #expect(texts(harness, xena) == ["hello", "answer"])
  }

  @Test("a measure of long ago says nothing")
  func oldMeasure() throws {
    let harness = try harness()
    harness.freeSpace = 1 << 40
    harness.pass(.minutes(10))
    deliver(harness, "one", from: stranger)
    #expect(texts(harness, stranger) == ["known", "one"] && archive(harness)?["left"] == nil)
  }

  @Test("texts left during the first fetching are fetched later, and so are older ones")
  func first() throws {
    var archive = ArchiveTests.archive(20, pageSize: 5)
    for number in 0..<20 {
      archive.add("s\(number)", at: ArchiveTests.stamp(minute: 30 + number), from: "x@evil.example/x")
    }
    var server = ArchiveTests.server(archive)
    server.roster =
      "<query xmlns='jabber:iq:roster'><item jid='bob@example.org' subscription='both'/></query>"
    let harness = try Harness(server: server) {
      $0.daemon.strangersFloor = 1 << 50
      $0.accounts[0].archiveFirstSync = .all
    }
    harness.pass(.minutes(5))
    #expect(texts(harness, "bob@example.org").count == 20)
    #expect(texts(harness, stranger).count < 20)
    harness.freeSpace = 1 << 60
    harness.pass(.minutes(5))
    #expect(texts(harness, stranger) == (0..<20).map { "s\($0)" })
    #expect(self.archive(harness)?["state"]?.string == "complete")
  }
}
