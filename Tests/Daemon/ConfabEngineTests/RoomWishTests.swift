import Clocks
import JSON
import Records
import State
import Testing

@testable import ConfabAccounts
@testable import ConfabEngine

/// Wishes about rooms, and in which rooms I am.
@Suite("wishes about rooms")
struct RoomWishTests {
  private static let jid = RoomFixture.jid

  @Test("a room that is to be made is made after a restart, once the account is online")
  func madeAfterRestart() throws {
    var room = ScriptedRoom()
    room.answers = [("disco#info", room.error("iq", from: Self.jid, "$id", "cancel", "item-not-found"))]
    room.statuses = [201]
    let fixture = try RoomFixture(room, isJoined: false)
    _ = fixture.ask("disconnect")
    #expect(fixture.ask("join create=yes \(Self.jid)").last?["ok"]?.bool == true)
    let next = try fixture.killed()
    #expect(next.ask("connect").last?["ok"]?.bool == true)
    next.harness.pass(.seconds(5))
    #expect(next.room.joins == ["alice"])
    #expect(next.harness.toServer.contains("muc#owner"))
    next.harness.pass(.seconds(30))
    #expect(next.stateOfRoom == "joined")
    // It was asked for once: another that stands there later is not made anew.
    #expect(next.harness.engine.state.accounts[1]?.rooms[Self.jid]?.mayBeMade == false)
  }

  @Test("no room is joined while the account is disconnected")
  func disconnected() throws {
    let fixture = try RoomFixture()
    _ = fixture.ask("disconnect")
    fixture.harness.pass(.seconds(5))
    #expect(fixture.stateOfRoom == "waiting")
    #expect(fixture.ask("rooms").first?["room"]?["state"]?.string == "waiting")
    _ = fixture.ask("connect")
    fixture.harness.pass(.seconds(5))
    #expect(fixture.stateOfRoom == "joined")
  }

  @Test("an address that asks for something else than to join joins nothing")
  func otherAction() throws {
    let fixture = try RoomFixture(isJoined: false)
    #expect(fixture.ask("join xmpp:\(Self.jid)?message").last?["error"]?.string == "bad-argument")
    #expect(fixture.ask("rooms").last?["count"]?.integer == 0)
    #expect(fixture.ask("join wait=joined xmpp:\(Self.jid)?join").last?["ok"]?.bool == true)
  }

  @Test("who is banned has neither role nor affiliation there, and who left neither")
  func excluded() throws {
    let fixture = try RoomFixture()
    #expect(fixture.object?["role"]?.string == "participant")
    fixture.say(
      fixture.room.occupant(
        "alice", "affiliation='outcast' role='none'", type: "unavailable",
        more: "<status code='110'/><status code='301'/>"))
    #expect(fixture.stateOfRoom == "refused")
    #expect(fixture.object?["role"] == nil && fixture.object?["affiliation"] == nil)
    #expect(fixture.ask("join wait=joined \(Self.jid)").last?["ok"]?.bool == true)
    #expect(fixture.object?["affiliation"]?.string == "member")
    _ = fixture.ask("leave \(Self.jid)")
    #expect(fixture.object?["role"] == nil && fixture.object?["affiliation"] == nil)
  }

  @Test("an archive that was empty at the first join keeps its ids over the joins that follow")
  func emptyArchive() throws {
    let fixture = try RoomFixture(resumes: false)
    fixture.hear("one", id: "b1")
    fixture.hear("two", id: "b2")
    fixture.harness.server.refusal = "h='0'"
    fixture.harness.cut()
    fixture.harness.pass(.minutes(2))
    #expect(fixture.room.joins.count == 2)
    #expect(fixture.talk == ["bob: one", "bob: two"])
    let state = try #require(fixture.harness.engine.state.accounts[1])
    #expect(state.archive(of: Self.jid)?.idsSince == 0)
    // The first message was sought once, and the next join goes on behind it.
    #expect(fixture.room.archive.asked.count == 3)
    #expect(fixture.room.archive.asked.last?.contains("<after>live1</after>") == true)
  }

  @Test("what a room says on a resumed stream before its turn to be joined again is there")
  func beforeItsTurn() throws {
    let fixture = try RoomFixture(.withoutArchive())
    for number in 10..<40 { fixture.harness.send(fixture.client, "join r\(number)@rooms.example.org\n") }
    fixture.harness.pass(.seconds(1))
    var room = fixture.room
    _ = fixture.harness.server.say(room.says("while nobody was here", id: "b1"))
    fixture.room = room
    let next = try fixture.killed()
    next.say(room.says("just now", id: "b2"))
    #expect(next.stateOfRoom == "waiting")
    #expect(next.talk == ["bob: while nobody was here", "bob: just now"])
    next.harness.pass(.minutes(3))
    #expect(next.stateOfRoom == "joined")
    #expect(next.talk == ["bob: while nobody was here", "bob: just now"])
  }

  @Test("no room is joined in the place of a message that the log still has there, after a kill on a resumed stream")
  func placesOfMessages() throws {
    let fixture = try RoomFixture()
    fixture.harness.server.acknowledges = false
    _ = fixture.ask("send bob@example.org hi")
    fixture.harness.server.lost = 1
    let next = try fixture.killed()
    let trace = next.harness.trace
    func first(_ part: String) throws -> Int {
      try #require(trace.firstIndex { if case .toServer(let text) = $0 { text.contains(part) } else { false } })
    }
    let (resumed, joined) = (try first("<resume "), try first("to='\(Self.jid)/alice'"))
    #expect(trace[resumed..<joined].contains(.synced))
    #expect(try first("<body>hi</body>") > resumed)
  }

  @Test("the coming of somebody is forwarded to nobody")
  func forwardedEvent() throws {
    let fixture = try RoomFixture()
    _ = fixture.ask("noise \(Self.jid) always")
    fixture.say(fixture.room.occupant("carol", "affiliation='member' role='participant'"))
    let event = try #require(fixture.messages.first { $0["type"]?.string == "event" }?["id"]?.integer)
    #expect(fixture.ask("forward \(event) bob@example.org").last?["error"]?.string == "bad-argument")
  }
}
