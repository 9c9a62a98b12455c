import Clocks
import JSON
import Testing

@testable import ConfabAccounts

/// Rooms that are gone, and archives that answer before the room has shown me.
@Suite("Rooms that are gone or refuse")
struct LostRoomTests {
  private static let temporary = ["muc_temporary", "muc_open", "http://jabber.org/protocol/muc"]

  /// A temporary room that went while I was in it, and answers to nobody.
  private func vanish(_ fixture: RoomFixture) {
    var room = fixture.room
    room.forgetOccupants()
    room.statuses = [201]
    let error = room.error("iq", from: RoomFixture.jid, "$id", "cancel", "item-not-found")
    room.answers = [
      ("disco#info", error),
      ("urn:xmpp:ping", error.replacing("from='\(RoomFixture.jid)'", with: "from='\(RoomFixture.jid)/alice'")),
    ]
    fixture.room = room
  }

  @Test("A temporary room that is gone is made anew, and gets nothing that waited")
  func madeAnew() throws {
    var room = ScriptedRoom()
    room.features = Self.temporary
    let fixture = try RoomFixture(room)
    fixture.room.swallows = true
    _ = fixture.ask("send \(RoomFixture.jid) secret")
    vanish(fixture)
    fixture.harness.pass(.seconds(30))
    #expect(fixture.stateOfRoom == "joined")
    #expect(fixture.room.joins.count == 2)
    #expect(fixture.room.heard == ["secret"])
    #expect(fixture.messages.first?["state"]?.string == "failed")
    #expect(fixture.messages.first?["failure"]?["condition"]?.string == "gone")
  }

  @Test("A persistent room that is gone is not made anew")
  func notMadeAnew() throws {
    let fixture = try RoomFixture(.withoutArchive())
    vanish(fixture)
    fixture.harness.pass(.minutes(20))
    #expect(fixture.stateOfRoom == "refused")
    #expect(fixture.room.joins.count == 1)
  }

  @Test("An error to a message from a temporary room that is gone makes it anew, too")
  func deniedByError() throws {
    var room = ScriptedRoom()
    room.features = Self.temporary
    let fixture = try RoomFixture(room)
    vanish(fixture)
    fixture.room.answers.append(
      ("<body>", fixture.room.error("message", from: RoomFixture.jid, "$id", "cancel", "item-not-found")))
    _ = fixture.ask("send \(RoomFixture.jid) secret")
    fixture.harness.pass(.seconds(30))
    #expect(fixture.stateOfRoom == "joined")
    #expect(fixture.messages.first?["failure"]?["condition"]?.string == "gone")
  }

  @Test("A page of the archive that comes before my presence is taken when the room has shown me")
  func pageBeforePresence() throws {
    var room = ScriptedRoom()
    room.features.append("urn:xmpp:occupant-id:0")
    room.ownID = "me"
    room.taken = ["alice"]
    _ = room.says(
      "from my phone", id: "p1", by: "alice", more: "<occupant-id xmlns='urn:xmpp:occupant-id:0' id='me'/>")
    let fixture = try RoomFixture(room, isJoined: false)
    #expect(fixture.ask("join wait=joined \(RoomFixture.jid)").last?["ok"]?.bool == false)
    #expect(fixture.talk.isEmpty)
    #expect(fixture.ask("join wait=joined nick=ally \(RoomFixture.jid)").last?["ok"]?.bool == true)
    fixture.harness.pass(.seconds(1))
    #expect(fixture.talk == ["me: from my phone"])
  }
}
