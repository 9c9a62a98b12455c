import Clocks
import JSON
import Testing

@testable import ConfabEngine

/// Read and unread messages that the server stamped with one second.
@Suite("Reading within a second")
struct ReadWithinSecondTests {
  private static let stamp = "2025-06-01T10:00:00Z"

  private func unread(_ harness: Harness) -> Int64? {
    harness.ask(harness.connect(4), "unread in=bob@example.org").last?["unread"]?.integer
  }

  @Test("History that was fetched backwards is unread only if the user wants so; reading covers what had arrived")
  func backwards() throws {
    var archive = ScriptedArchive()
    archive.pageSize = 3
    for number in 0..<20 {
      let isMine = number % 2 == 1
      archive.add(
        "\(number)", at: Self.stamp, from: isMine ? "alice@example.org/phone" : "bob@example.org/x",
        to: isMine ? "bob@example.org" : "alice@example.org")
    }
    let harness = try ArchiveTests.harness(archive)
    harness.pass(.seconds(1))
    let client = harness.connect()
    let messages = harness.ask(client, "history bob@example.org").compactMap { $0["message"] }
    #expect(messages.map { $0["text"]?.string } == (0..<20).map { "\($0)" })
    #expect(unread(harness) == 0)
    let oldest = try #require(messages[0]["id"]?.integer)
    #expect(harness.ask(client, "unread-from bob@example.org \(oldest)").last?["unread"]?.integer == 10)
    let ids = messages.compactMap { $0["id"]?.integer }
    for id in ids.sorted() {
      let left = ids.indices.count { $0 % 2 == 0 && ids[$0] > id }
      #expect(harness.ask(client, "read bob@example.org \(id)").last?["unread"]?.integer == Int64(left))
    }
  }

  /// What came late, stamped just now, and is read by another device; or what another device wrote then.
  private static func late(_ harness: Harness) -> [[String]] {
    let delay = "<delay xmlns='urn:xmpp:delay' from='alice@example.org' stamp='\(harness.now.wall)'/>"
    let mine = ChangeTests.message("mine", id: "p1", from: "alice@example.org/phone")
      .replacing("to='alice@example.org/confab'", with: "to='bob@example.org'")
    let carbon = VisibleMessageTests.carbon("sent", mine).replacing("</sent>", with: "</sent>\(delay)")
    let marker = SignalTests.carbon(
      "sent",
      "<message xmlns='jabber:client' from='alice@example.org/phone' to='bob@example.org' type='chat'>"
        + "<displayed xmlns='urn:xmpp:chat-markers:0' id='m1'/></message>")
    return [[carbon], [ChangeTests.message("one", id: "m1", more: delay), marker, marker]]
  }

  @Test("What comes in the millisecond up to which another device has read is unread", arguments: [0, 1])
  func sameMillisecond(way: Int) throws {
    let harness = try Harness()
    let watcher = harness.connect()
    _ = harness.ask(watcher, "watch kinds=read")
    ChangeTests.receive(harness, ChangeTests.message("unread", id: "m0"))
    harness.syncsAtOnce = false
    for stanza in Self.late(harness)[way] + [ChangeTests.message("two", id: "m2")] { harness.receive(stanza) }
    harness.syncsAtOnce = true
    while harness.hasBatch { harness.sync() }
    harness.pass(.seconds(1))
    for harness in try ChangeTests.asWritten(harness) { #expect(unread(harness) == 1) }
    #expect(harness.takeLines(watcher).count { $0["event"]?.string == "read" } <= 1)
  }

  @Test("What the archive has before what was read in its second is unread", arguments: [1, 2])
  func aboveRead(count: Int) throws {
    let harness = try ArchiveTests.harness()
    harness.pass(.seconds(1))
    harness.server.archive?.add("first", at: "2025-05-31T10:00:00Z")
    harness.cut()
    harness.pass(.seconds(10))
    harness.receive(
      "<message type='chat' from='bob@example.org/x' to='alice@example.org' id='kept'><body>kept</body>"
        + "<stanza-id xmlns='urn:xmpp:sid:0' by='alice@example.org' id='kept'/>"
        + "<delay xmlns='urn:xmpp:delay' from='example.org' stamp='\(Self.stamp)'/></message>")
    harness.pass(.seconds(1))
    _ = harness.ask(harness.connect(5), "read bob@example.org")
    #expect(unread(harness) == 0)
    for number in 0..<count { harness.server.archive?.add("before \(number)", at: Self.stamp) }
    harness.server.archive?.add("kept", at: Self.stamp, id: "kept", stanzaID: "kept")
    harness.cut()
    harness.pass(.seconds(10))
    #expect(unread(harness) == Int64(count))
    let texts = harness.ask(harness.connect(6), "history bob@example.org").compactMap { $0["message"]?["text"]?.string }
    #expect(texts == ["first"] + (0..<count).map { "before \($0)" } + ["kept"])
  }
}
