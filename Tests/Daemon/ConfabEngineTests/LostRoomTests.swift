import Clocks
import JSON
import MessageLog
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
    _ = fixture.ask("send hold=1m \(RoomFixture.jid) later")
    _ = fixture.ask("send \(RoomFixture.jid) secret")
    vanish(fixture)
    fixture.harness.pass(.minutes(2))
    #expect(fixture.stateOfRoom == "joined")
    #expect(fixture.room.joins.count == 2)
    #expect(fixture.room.heard == ["secret"])
    #expect(fixture.messages.map { $0["state"]?.string } == ["failed", "failed"])
    #expect(fixture.messages.map { $0["failure"]?["condition"]?.string } == ["gone", "gone"])
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

  @Test("What a killed daemon said in a slow room does not go again on the resumed stream")
  func resumedByAnother() throws {
    let fixture = try RoomFixture()
    fixture.room.swallows = true
    _ = fixture.ask("send \(RoomFixture.jid) one")
    let id = try #require(
      fixture.harness.toServer.components("<message ").last.flatMap { ScriptedStream.value(of: "id", in: " " + $0) })
    let next = try fixture.killed()
    #expect(next.stateOfRoom == "joined")
    var room = next.room
    let shown = room.reflection("<body>one</body>", id: id, by: "alice")
    next.room = room
    next.say(shown)
    next.harness.pass(.minutes(1))
    #expect(next.room.heard == ["one"])
    #expect(next.state("one") == "delivered")
  }

  @Test("After a kill the room is joined on the resumed stream under the nick that I had, and not under another one")
  func nickOfResumedStream() throws {
    var room = ScriptedRoom()
    room.taken = ["alice"]
    let fixture = try RoomFixture(room, isJoined: false)
    #expect(fixture.ask("join wait=joined nick=ally \(RoomFixture.jid)").last?["ok"]?.bool == true)
    var next = fixture.room
    next.taken = ["ally"]
    next.forgetOccupants()
    fixture.room = next
    fixture.harness.server.refusal = "h='0'"
    fixture.harness.cut()
    fixture.harness.pass(.seconds(20))
    #expect(fixture.room.nick == "ally_")
    fixture.harness.server.refusal = nil
    let joinCount = fixture.room.joins.count
    let killed = try fixture.killed()
    #expect(killed.room.joins.dropFirst(joinCount) == ["ally_"])
  }

  @Test("Watchers are told when a room is joined again after a kill, though what is durable of it is the same")
  func joinedAgain() throws {
    let fixture = try RoomFixture()
    func states(_ fixture: RoomFixture) -> [String?] {
      let events = fixture.harness.ask(fixture.harness.connect(91), "watch since=0 kinds=room")
      return events.compactMap { $0["room"]?["state"]?.string }
    }
    let before = states(fixture)
    let killed = try fixture.killed()
    let after = states(killed)
    #expect(after.count == before.count + 1 && after.last == "joined")
  }

  @Test("A moderator's retraction counts before a resumed room has said anew what it is")
  func moderatedBeforeInfo() throws {
    let fixture = try RoomFixture()
    var server = fixture.harness.server
    server.room?.answers = [("disco#info", "")]
    let wall = fixture.harness.now.wall.advanced(by: .hours(48))
    let harness = try Harness(
      on: fixture.harness.storage, server: server, now: Moment(instant: fixture.harness.now.instant, wall: wall),
      seed: 2)
    harness.pass(.seconds(1))
    let spam = harness.server.room?.says("spam", id: "s1")
    harness.say(try #require(spam))
    harness.say(
      "<message type='groupchat' from='\(RoomFixture.jid)' id='m1'><apply-to xmlns='urn:xmpp:fasten:0' id='live1'>"
        + "<moderated xmlns='urn:xmpp:message-moderate:0' by='\(RoomFixture.jid)/bob'>"
        + "<retract xmlns='urn:xmpp:message-retract:0'/></moderated></apply-to></message>")
    harness.pass(.seconds(1))
    let texts = harness.ask(harness.connect(1), "history \(RoomFixture.jid)").compactMap {
      $0["message"]?["text"]?.string
    }
    #expect(texts == [""])
  }

  @Test("A join that could not be stored is not made when the disk works again")
  func unstoredJoin() throws {
    let fixture = try RoomFixture(isJoined: false)
    fixture.harness.syncsAtOnce = false
    fixture.harness.send(fixture.client, "join \(RoomFixture.jid)\n")
    fixture.harness.pass(.milliseconds(20))
    fixture.harness.sync(failing: StorageError(.noSpace, "No space left on device", errno: 28))
    let answers = fixture.harness.takeLines(fixture.client)
    #expect(answers.contains { $0["error"]?.string == "no-space" })
    fixture.harness.syncsAtOnce = true
    let joins = fixture.room.joins.count
    fixture.harness.pass(.minutes(2))
    #expect(fixture.room.joins.count == joins)
    #expect(fixture.ask("rooms").first?["count"]?.integer == 0)
  }

  @Test("A stamp in the room's name counts between my presence and the subject, and not before")
  func stampWhileJoining() throws {
    let fixture = try RoomFixture(.withoutArchive())
    fixture.room.hasSubject = false
    var room = fixture.room
    room.forgetOccupants()
    room.answers = [("presence to=", "")]
    fixture.room = room
    fixture.say(
      "<message type='error' from='\(RoomFixture.jid)' id='x'><error type='cancel'>"
        + "<not-acceptable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></message>")
    fixture.say(
      "<message type='groupchat' from='\(RoomFixture.jid)/bob' id='f1'><body>forged</body>"
        + "<delay xmlns='urn:xmpp:delay' from='\(RoomFixture.jid)' stamp='2020-01-01T00:00:00Z'/></message>")
    #expect(fixture.stateOfRoom == "joining")
    #expect(fixture.messages.first?["time"]?.string?.hasPrefix("2020") == false)
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
