import JSON
import Testing

@testable import ConfabAccounts

/// What `room` and `message` objects say of a room.
@Suite("objects of rooms")
struct RoomObjectTests {
  private static let jid = RoomFixture.jid

  private func fixture() throws -> RoomFixture {
    var room = ScriptedRoom()
    room.features.append("urn:xmpp:occupant-id:0")
    (room.ownID, room.ids) = ("me", ["bob": "b1"])
    return try RoomFixture(room)
  }

  @Test("a message of mine says under which nick and id, from here and from another device")
  func mine() throws {
    let fixture = try fixture()
    _ = fixture.ask("send wait=delivered \(Self.jid) one")
    var room = fixture.room
    let other = room.says("two", id: "o1", by: "alice", more: "<occupant-id xmlns='urn:xmpp:occupant-id:0' id='me'/>")
    fixture.room = room
    fixture.say(other)
    #expect(fixture.messages.compactMap { $0["text"]?.string } == ["one", "two"])
    for message in fixture.messages {
      #expect(message["mine"]?.bool == true && message["nick"]?.string == "alice")
      #expect(message["occupant"]?.string == "me")
    }
    #expect(fixture.messages.first?["from"]?.string?.hasPrefix("alice@example.org") == true)
    #expect(fixture.room.heard == ["one"])
  }

  @Test("a private message says who spoke, a message of mine does not")
  func inPrivate() throws {
    let fixture = try fixture()
    fixture.say(
      "<message type='chat' from='\(Self.jid)/bob' id='p1'><body>psst</body>"
        + "<x xmlns='http://jabber.org/protocol/muc#user'/><occupant-id xmlns='urn:xmpp:occupant-id:0' id='b1'/></message>"
    )
    _ = fixture.ask("send \(Self.jid)/bob what")
    let messages = fixture.ask("history \(Self.jid)/bob").compactMap { $0["message"] }
    #expect(messages.map { $0["nick"]?.string } == ["bob", nil])
    #expect(messages.map { $0["occupant"]?.string } == ["b1", nil])
  }

  @Test("a room says who may send private messages, and the hash of its picture")
  func description() throws {
    let hash = String(repeating: "0a", count: 20)
    var room = ScriptedRoom()
    room.answers = [
      (
        "disco#info",
        "<iq type='result' id='$id' from='\(Self.jid)'><query xmlns='http://jabber.org/protocol/disco#info'>"
          + "<identity category='conference' type='text'/><feature var='http://jabber.org/protocol/muc'/>"
          + "<x xmlns='jabber:x:data' type='result'><field var='FORM_TYPE' type='hidden'>"
          + "<value>http://jabber.org/protocol/muc#roominfo</value></field>"
          + "<field var='muc#roomconfig_allowpm'><value>moderators</value></field>"
          + "<field var='muc#roominfo_avatarhash'><value>\(hash)</value></field></x></query></iq>"
      )
    ]
    let fixture = try RoomFixture(room)
    #expect(fixture.object?["pm"]?.string == "moderators")
    #expect(fixture.object?["avatar"]?.string == hash)
    #expect(try fixture.killed().object?["pm"]?.string == "moderators")
  }

  @Test("an invitation does not replace the password that is known")
  func password() throws {
    let fixture = try RoomFixture(isJoined: false)
    #expect(fixture.ask("join wait=joined password=known \(Self.jid)").last?["ok"]?.bool == true)
    #expect(fixture.ask("leave \(Self.jid)").last?["ok"]?.bool == true)
    fixture.say(
      "<message from='eve@example.org/x' id='i1'><x xmlns='jabber:x:conference' jid='\(Self.jid)' password='forged'/>"
        + "</message>")
    fixture.harness.clearTrace()
    #expect(fixture.ask("join wait=joined \(Self.jid)").last?["ok"]?.bool == true)
    #expect(fixture.harness.toServer.contains("<password>known</password>"))
  }
}
