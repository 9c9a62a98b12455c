import Clocks
import JSON
import Testing

@testable import ConfabAccounts

/// All occupants of a room read what is said in one order: that in which the room shows it.
@Suite("order in rooms")
struct RoomOrderTests {
  private static let jid = RoomFixture.jid
  private static let order = ["bob: one", "me: mine", "bob: two"]

  /// A daemon that has said `texts`, of which the room has shown none yet; their ids.
  private func fixture(saying texts: [String], in room: ScriptedRoom) throws -> (RoomFixture, [String]) {
    var room = room
    room.swallows = true
    let fixture = try RoomFixture(room)
    for text in texts { _ = fixture.ask("send \(Self.jid) \(text)") }
    return (fixture, fixture.messages.compactMap { $0["origin_id"]?.string })
  }

  @Test(
    "what the room shows before a message of mine stands before it, also after a kill",
    arguments: [ScriptedRoom(), ScriptedRoom.withoutArchive()])
  func shown(_ room: ScriptedRoom) throws {
    let (fixture, ids) = try fixture(saying: ["mine"], in: room)
    let watcher = fixture.harness.connect(7)
    _ = fixture.harness.ask(watcher, "watch kinds=state,resection")
    fixture.hear("one", id: "b1")
    #expect(fixture.talk == ["me: mine", "bob: one"])
    fixture.hear("mine", id: try #require(ids.first), by: "alice")
    fixture.hear("two", id: "b2")
    #expect(fixture.talk == Self.order)
    let events = fixture.harness.takeLines(watcher)
    let moved = events.first { $0["state"]?.string == "delivered" }
    #expect(moved?["time"]?.string == fixture.messages.first { $0["text"]?.string == "mine" }?["time"]?.string)
    #expect(events.contains { $0["event"]?.string == "resection" })
    #expect(try fixture.killed().talk == Self.order)
  }

  @Test("a message that moved is found by its number and by its id, is changed, read and forgotten where it stands")
  func found() throws {
    let (fixture, ids) = try fixture(saying: ["mine"], in: ScriptedRoom())
    let id = try #require(fixture.messages.first?["id"]?.integer)
    fixture.hear("one", id: "b1")
    fixture.hear("mine", id: try #require(ids.first), by: "alice")
    fixture.hear("two", id: "b2")
    let around = fixture.ask("history around=\(id) limit=3 \(Self.jid)").compactMap { $0["message"]?["text"]?.string }
    #expect(around == ["one", "mine", "two"])
    #expect(fixture.ask("search in=\(Self.jid) mine").compactMap { $0["message"]?["id"]?.integer } == [id])
    #expect(fixture.ask("send replace=\(id) \(Self.jid) better").last?["ok"]?.bool == true)
    #expect(fixture.talk == ["bob: one", "me: better", "bob: two"])
    #expect(fixture.ask("read \(Self.jid) \(id)").last?["ok"]?.bool == true)
    #expect(try fixture.killed().talk == ["bob: one", "me: better", "bob: two"])
    #expect(fixture.ask("forget-history \(Self.jid)").last?["ok"]?.bool == true)
    #expect(fixture.talk.isEmpty)
  }

  @Test("several of mine stand among what others said as the room shows them, though all come at once")
  func several() throws {
    let (fixture, ids) = try fixture(saying: ["a", "b", "c"], in: ScriptedRoom())
    var room = fixture.room
    let shown = [
      room.says("one", id: "b1"), room.says("a", id: ids[0], by: "alice"), room.says("b", id: ids[1], by: "alice"),
      room.says("two", id: "b2"), room.says("c", id: ids[2], by: "alice"),
    ]
    fixture.room = room
    fixture.say(shown.joined())
    #expect(fixture.talk == ["bob: one", "me: a", "me: b", "bob: two", "me: c"])
  }

  /// A daemon that comes back after an hour in which the room took its message, between two others.
  ///
  /// - Parameter minute: of the stamps of the room's archive.
  private func back(stampedSince minute: String) throws -> RoomFixture {
    let (fixture, ids) = try fixture(saying: ["mine"], in: ScriptedRoom())
    var room = fixture.room
    room.swallows = false
    _ = [room.says("one", id: "b1"), room.says("mine", id: ids[0], by: "alice"), room.says("two", id: "b2")]
    room.stampItems(since: minute)
    room.forgetOccupants()
    fixture.room = room
    fixture.harness.server.refusal = "h='0'"
    let next = try fixture.killed(after: .hours(1))
    next.harness.pass(.minutes(1))
    return next
  }

  @Test("what was said around a message of mine while the daemon was gone stands around it, out of the archive")
  func archived() throws {
    let next = try back(stampedSince: "2025-10-09T09:00")
    #expect(next.talk == Self.order)
    #expect(next.room.heard == ["mine"])
    #expect(try next.killed().talk == Self.order)
  }

  @Test("an archive whose clock is wrong puts nothing into the future")
  func ofTheFuture() throws {
    let next = try back(stampedSince: "2099-10-09T09:00")
    #expect(next.talk == Self.order)
    #expect(next.messages.allSatisfy { $0["time"]?.string?.hasPrefix("2025-10-09T") == true })
  }

  @Test("what waited while others spoke stands behind them")
  func waited() throws {
    let fixture = try RoomFixture()
    fixture.harness.server.refusal = "h='0'"
    fixture.harness.cut()
    _ = fixture.ask("send \(Self.jid) mine")
    var room = fixture.room
    room.forgetOccupants()
    _ = room.says("one", id: "b1")
    room.stampItems(since: "2025-10-09T08:54")
    fixture.room = room
    fixture.harness.pass(.minutes(1))
    fixture.hear("two", id: "b2")
    #expect(fixture.talk == Self.order)
  }

  /// The server's stamp on a stanza.
  private func stamp(_ time: Timestamp) -> String {
    "<delay xmlns='urn:xmpp:delay' from='example.org' stamp='\(time.rfc3339)'/>"
  }

  @Test("what waited at the server for the stream to be resumed stands at the server's stamp")
  func resumed() throws {
    let fixture = try RoomFixture()
    fixture.harness.pass(.minutes(5))
    let times = (0..<3).map { fixture.harness.now.wall.advanced(by: .seconds(30 * $0 - 90)) }
    fixture.harness.cut()
    fixture.harness.pass(.seconds(10))
    for (number, time) in times.enumerated() { fixture.hear("\(number)", id: "b\(number)", more: stamp(time)) }
    #expect(fixture.messages.compactMap { $0["time"]?.string } == times.map(\.rfc3339))
    #expect(fixture.messages.allSatisfy { $0["delayed"]?.bool == true })
  }

  @Test("an occupant's stamp in the server's name is a claim where nothing can have waited", arguments: [0, 5])
  func forgedStamp(minutes: Int64) throws {
    let fixture = try RoomFixture()
    fixture.harness.pass(.minutes(minutes))
    let now = fixture.harness.now.wall
    fixture.hear("late", id: "b1", more: stamp(now.advanced(by: .minutes(-60))))
    let message = try #require(fixture.messages.first)
    #expect(message["delayed"]?.bool != true && message["claimed_time"] != nil)
    #expect(message["time"]?.string == now.rfc3339)
  }
}

extension ScriptedRoom {
  /// All that its archive has was said in this minute, each a second after the other.
  fileprivate mutating func stampItems(since minute: String) {
    for place in archive.items.indices { archive.items[place].stamp = "\(minute):\(10 + place)Z" }
  }
}
