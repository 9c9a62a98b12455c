import Clocks
import JSON
import Testing

@testable import ConfabAccounts

/// The archive of a room, read backwards as far as somebody scrolls (XEP-0313).
@Suite("history of rooms")
struct RoomHistoryTests {
  private static let room = "team@rooms.example.org"

  /// A daemon in a room whose archive has so many messages.
  private func harness(_ count: Int, change: (inout ScriptedRoom) -> Void = { _ in }) throws -> Harness {
    var room = ScriptedRoom()
    for number in 0..<count {
      let xml =
        "<message xmlns='jabber:client' type='groupchat' from='\(Self.room)/bob' id='m\(number)'><body>\(number)</body>"
        + "</message>"
      let time = Timestamp(milliseconds: 1_750_000_000_000 + Int64(number) * 60_000)
      room.archive.items.append(.init(id: "a\(number)", stamp: time.rfc3339, xml: xml))
    }
    room.archive.pageSize = 100
    change(&room)
    var server = ScriptedStream()
    server.room = room
    server.acknowledges = true
    let harness = try Harness(server: server)
    let answer = harness.ask(harness.connect(90), "join wait=joined \(Self.room)")
    #expect(answer.last?["ok"]?.bool == true, "\(answer)")
    return harness
  }

  private func page(_ harness: Harness, _ client: ClientID, before: Int64? = nil) -> (
    texts: [Int], first: Int64?, more: Bool
  ) {
    let lines = harness.ask(client, "history limit=50 \(before.map { "before=\($0) " } ?? "")\(Self.room)")
    let messages = lines.compactMap { $0["message"] }
    return (
      messages.compactMap { $0["text"]?.string.flatMap { Int($0) } }, messages.first?["id"]?.integer,
      lines.last?["more_before"]?.bool == true
    )
  }

  @Test("who reads on backwards gets all of the archive, each message once, and nothing more than is asked for")
  func backwards() throws {
    let harness = try harness(320)
    #expect(harness.server.room?.archive.asked.count == 1)
    let client = harness.connect(1)
    var (texts, first, more) = page(harness, client)
    #expect(texts == Array(270..<320))
    #expect(harness.server.room?.archive.asked.count == 1)
    var all = texts
    while more {
      (texts, first, more) = page(harness, client, before: first)
      all = texts + all
    }
    #expect(all == Array(0..<320))
    #expect(harness.server.room?.archive.asked.count == 4)
    #expect(harness.ask(client, "unread in=\(Self.room)").last?["unread"]?.integer == 0)
  }

  @Test("pages of an archive whose clock is ahead stand before those that were read first", arguments: [false, true])
  func clockAhead(isKilled: Bool) throws {
    let harness = try harness(6) { room in
      for place in room.archive.items.indices { room.archive.items[place].stamp = "2025-10-09T08:53:50Z" }
      room.archive.pageSize = 2
    }
    let now = Moment(instant: harness.now.instant, wall: harness.now.wall)
    let next = isKilled ? try Harness(on: harness.storage, server: harness.server, now: now, seed: 2) : harness
    next.pass(.minutes(1))
    let client = next.connect(2)
    for _ in 0..<3 { _ = page(next, client) }
    #expect(page(next, client).texts == Array(0..<6))
  }

  @Test("an archive that does not answer leaves what is here")
  func silent() throws {
    let harness = try harness(150) { $0.archive.patience = 1 }
    let client = harness.connect(1)
    let first = page(harness, client).first
    let lines = harness.ask(client, "history limit=100 before=\(first ?? 0) \(Self.room)")
    #expect(lines.isEmpty)
    harness.pass(.minutes(1))
    let answer = harness.takeLines(client)
    #expect(answer.compactMap { $0["message"] }.count == 50)
    #expect(answer.last?["ok"]?.bool == true)
  }

  @Test("a page of exactly what the archive gives says whether there is more; one refusal does not end the reading")
  func refusedOnce() throws {
    let harness = try harness(200) { $0.archive.pageSize = 50 }
    let client = harness.connect(1)
    #expect(page(harness, client).more)
    var room = harness.server.room ?? ScriptedRoom()
    room.answers = [("urn:xmpp:mam:2", room.error("iq", from: Self.room, "$id", "wait", "internal-server-error"))]
    harness.server.room = room
    #expect(harness.ask(client, "history limit=1000 \(Self.room)").compactMap { $0["message"] }.count < 200)
    room = harness.server.room ?? ScriptedRoom()
    room.answers = []
    harness.server.room = room
    let oldest = harness.ask(client, "history limit=1000 \(Self.room)").compactMap { $0["message"]?["text"]?.string }
    #expect(oldest.first == "0" && oldest.count == 200)
  }

  @Test("A cut in the middle of a page of older messages leaves no hole", arguments: [1, 0])
  func cutInPage(answeredPages: Int) throws {
    let harness = try harness(150) { $0.archive.patience = answeredPages }
    let client = harness.connect(1)
    if answeredPages > 0 { #expect(harness.ask(client, "history limit=200 \(Self.room)").isEmpty) }
    for stanza in harness.server.room?.archive.owed(to: Self.room).prefix(20) ?? [] { harness.say(stanza) }
    harness.cut()
    harness.pass(.milliseconds(50))
    let other = harness.connect(2)
    #expect(page(harness, other).texts == (answeredPages > 0 ? Array(100..<150) : []))
    #expect(page(harness, other).more)
    harness.server.room?.archive.patience = .max
    harness.pass(.seconds(20))
    _ = harness.ask(other, "history limit=200 \(Self.room)")
    let all = harness.ask(other, "history limit=200 \(Self.room)").compactMap { $0["message"]?["text"]?.string }
    #expect(all == (0..<150).map(String.init))
  }

  @Test("While an archive refuses, or there is no link, a page says that there may be more before")
  func refusedFirst() throws {
    let harness = try harness(150) {
      $0.answers = [("urn:xmpp:mam:2", $0.error("iq", from: Self.room, "$id", "wait", "internal-server-error"))]
    }
    let client = harness.connect(1)
    #expect(page(harness, client).texts.isEmpty)
    #expect(page(harness, client).more)
    harness.server.room?.answers = []
    harness.pass(.minutes(6))
    #expect(page(harness, client).texts == Array(100..<150))
    harness.holdsLinks = true
    harness.cut()
    let lines = harness.ask(client, "history limit=1000 \(Self.room)")
    #expect(lines.compactMap { $0["message"] }.count == 100)
    #expect(lines.last?["more_before"]?.bool == true)
  }

  @Test("the loss of the link answers who waits for older messages")
  func cut() throws {
    let harness = try harness(150) { $0.archive.patience = 1 }
    let client = harness.connect(1)
    #expect(harness.ask(client, "history limit=200 \(Self.room)").isEmpty)
    harness.cut()
    harness.pass(.milliseconds(50))
    #expect(harness.takeLines(client).compactMap { $0["message"] }.count == 100)
  }

  @Test("an archive that no longer knows where it was gives nothing older")
  func forgetful() throws {
    let harness = try harness(150) { $0.archive.forgets = 1 }
    let (texts, _, more) = page(harness, harness.connect(1))
    #expect(texts.count == 50)
    #expect(more)
    let client = harness.connect(2)
    let lines = harness.ask(client, "history limit=200 \(Self.room)")
    #expect(lines.compactMap { $0["message"] }.count == 100)
    #expect(lines.last?["more_before"]?.bool == false)
  }

  @Test("a forgotten room stays forgotten, whatever its archive has; what is said later is there")
  func forgotten() throws {
    let harness = try harness(150)
    let client = harness.connect(1)
    #expect(harness.ask(client, "forget-history \(Self.room)").last?["ok"]?.bool == true)
    #expect(harness.ask(client, "history limit=200 \(Self.room)").compactMap { $0["message"] }.isEmpty)
    let stanza = harness.server.room?.says("later", id: "l1")
    harness.say(try #require(stanza))
    harness.pass(.seconds(1))
    let lines = harness.ask(client, "history limit=200 \(Self.room)")
    #expect(lines.compactMap { $0["message"]?["text"]?.string } == ["later"])
    #expect(lines.last?["more_before"]?.bool == false)
  }
}
