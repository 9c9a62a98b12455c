import Clocks
import JSON
import Testing

@testable import ConfabAccounts

/// Messages of mine to a room, and whether they go again.
@Suite("messages to a room that go again")
struct RoomRepeatTests {
  private static let room = "team@rooms.example.org"

  /// A daemon in a room.
  private func harness(_ room: ScriptedRoom, join: String = "join wait=joined") throws -> Harness {
    var server = ScriptedStream()
    server.room = room
    server.acknowledges = true
    let harness = try Harness(server: server)
    let answer = harness.ask(harness.connect(90), "\(join) \(Self.room)")
    #expect(answer.last?["ok"]?.bool == true, "\(answer)")
    return harness
  }

  private func messages(_ harness: Harness, _ client: UInt64 = 80) -> [JSONValue] {
    harness.ask(harness.connect(client), "history \(Self.room)").compactMap { $0["message"] }
  }

  @Test("of several messages that are written at once each goes once, also if the room shows them late")
  func burst() throws {
    var room = ScriptedRoom.withoutArchive()
    room.swallows = true
    let harness = try harness(room)
    let client = harness.connect(1)
    harness.send(client, "send \(Self.room) one\nsend \(Self.room) two\nsend \(Self.room) three\n")
    harness.pass(.seconds(1))
    #expect(harness.server.room?.heard == ["one", "two", "three"])
  }

  @Test("what a room without an archive may have taken before a cut goes again, and is in doubt")
  func doubt() throws {
    var room = ScriptedRoom.withoutArchive()
    room.swallows = true
    let harness = try harness(room)
    let client = harness.connect(1)
    harness.send(client, "send \(Self.room) one\n")
    harness.pass(.seconds(1))
    harness.server.room?.swallows = false
    harness.cut()
    harness.pass(.seconds(20))
    #expect(harness.server.room?.heard == ["one", "one"])
    #expect(messages(harness).last?["state"]?.string == "delivered")
    #expect(messages(harness, 81).last?["in_doubt"]?.bool == true)
  }

  @Test("what a room's archive does not have goes again without a doubt")
  func noDoubt() throws {
    var room = ScriptedRoom()
    room.swallows = true
    let harness = try harness(room)
    let client = harness.connect(1)
    harness.send(client, "send \(Self.room) one\n")
    harness.pass(.seconds(1))
    harness.server.room?.swallows = false
    harness.cut()
    harness.pass(.seconds(20))
    #expect(harness.server.room?.heard == ["one", "one"])
    #expect(messages(harness).last?["in_doubt"] == nil)
  }

  @Test("what another archive of the room does not have goes again, and is in doubt")
  func otherArchive() throws {
    var room = ScriptedRoom()
    _ = room.says("before", id: "b1")
    room.swallows = true
    let harness = try harness(room)
    harness.send(harness.connect(1), "send \(Self.room) one\n")
    harness.pass(.seconds(1))
    harness.server.room?.swallows = false
    // The room took it, and was made anew by others since.
    harness.server.room?.archive.items = []
    _ = harness.server.room?.says("anew", id: "b2")
    harness.cut()
    harness.pass(.seconds(20))
    #expect(harness.server.room?.heard == ["one", "one"])
    #expect(messages(harness).last?["in_doubt"]?.bool == true)
    #expect(messages(harness, 81).last?["state"]?.string == "delivered")
  }

  @Test("what I said under another nick is mine when the archive shows it under that one")
  func formerNick() throws {
    var room = ScriptedRoom()
    room.swallows = true
    let harness = try harness(room)
    harness.send(harness.connect(1), "send \(Self.room) one\n")
    harness.pass(.seconds(1))
    let stanza = try #require(harness.toServer.components("<message ").last)
    let id = try #require(ScriptedStream.value(of: "id", in: " " + stanza))
    // The room took it, and the link is lost before it shows that.
    _ = harness.server.room?.reflection("<body>one</body>", id: id, by: "alice")
    harness.server.room?.taken = ["alice"]
    harness.cut()
    harness.pass(.seconds(20))
    #expect(harness.server.room?.nick == "alice_")
    #expect(harness.server.room?.heard == ["one"])
    #expect(messages(harness).map { $0["state"]?.string } == ["delivered"])
  }

  @Test("what a room says of my id before it tells whether it drops forged ones counts when it has told")
  func ownID() throws {
    var room = ScriptedRoom.withoutArchive()
    room.features.append("urn:xmpp:occupant-id:0")
    room.ownID = "me"
    room.isHidden = true
    let harness = try harness(room)
    harness.say(
      "<message type='groupchat' from='\(Self.room)/phone' id='p1'><body>from my phone</body>"
        + "<occupant-id xmlns='urn:xmpp:occupant-id:0' id='me'/></message>")
    harness.pass(.seconds(1))
    #expect(messages(harness).last?["mine"]?.bool == true)
  }

  @Test("what left for a room before a cut waits on the next stream until the room's archive is read")
  func unacknowledged() throws {
    let harness = try harness(ScriptedRoom())
    harness.server.acknowledges = false
    harness.send(harness.connect(1), "send \(Self.room) one\n")
    harness.pass(.milliseconds(20))
    #expect(harness.server.room?.heard == ["one"])
    // The server has it, and the room too: what they say of that is lost.
    harness.cut()
    harness.server.acknowledges = true
    harness.pass(.seconds(20))
    #expect(harness.server.room?.heard == ["one"])
    #expect(messages(harness).map { $0["state"]?.string } == ["delivered"])
  }

  @Test("what was kept back for a time, or is to be let go, waits for its room all the same")
  func held() throws {
    let harness = try harness(ScriptedRoom())
    let client = harness.connect(1)
    harness.server.room?.refusal = ("wait", "service-unavailable")
    harness.cut()
    harness.pass(.seconds(5))
    harness.clearTrace()
    let held = harness.ask(client, "send hold=10s \(Self.room) one").first?["id"]?.integer
    let other = harness.ask(client, "send \(Self.room) two").first?["id"]?.integer
    #expect(harness.ask(client, "release \(other ?? 0)").last?["error"]?.string == "not-found")
    #expect(held != nil)
    harness.pass(.seconds(11))
    #expect(!harness.toServer.contains("<body>"))
    harness.server.room?.refusal = nil
    harness.pass(.minutes(2))
    #expect(harness.server.room?.heard.sorted() == ["one", "two"])
  }

  @Test("what another device said under my nick is there once when the archive shows it")
  func otherDevice() throws {
    let harness = try harness(ScriptedRoom())
    let stanza = harness.server.room?.says("from my phone", id: "p1", by: "alice")
    harness.say(try #require(stanza))
    harness.pass(.seconds(1))
    #expect(messages(harness).map { $0["mine"]?.bool } == [true])
    // An anchor from before it: all of it is shown again.
    harness.cut()
    harness.pass(.seconds(20))
    #expect(messages(harness, 81).map { $0["text"]?.string } == ["from my phone"])
  }

  private func refusal(_ condition: String, _ type: String) -> (part: String, answer: String) {
    (
      "<body>busy</body>",
      "<message type='error' from='\(Self.room)' id='$id'><error type='\(type)'>"
        + "<\(condition) xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></message>"
    )
  }

  @Test(
    "what a room or its server does not take now waits, goes again without a doubt, and behind pauses that grow",
    arguments: [
      ("resource-constraint", "wait"), ("remote-server-timeout", "wait"), ("remote-server-not-found", "cancel"),
      ("policy-violation", "wait"),
    ])
  func refusedForNow(_ condition: String, _ type: String) throws {
    var room = ScriptedRoom()
    room.answers = [refusal(condition, type)]
    let harness = try harness(room)
    #expect(harness.ask(harness.connect(1), "send \(Self.room) busy").last?["ok"]?.bool == true)
    harness.pass(.seconds(60))
    #expect(["queued", "sent"].contains(messages(harness).last?["state"]?.string))
    #expect((3...5).contains(harness.server.room?.asked.count ?? 0), "\(harness.server.room?.asked.count ?? 0)")
    harness.server.room?.answers = []
    harness.pass(.minutes(2))
    #expect(harness.server.room?.heard == ["busy"])
    #expect(messages(harness).map { $0["state"]?.string } == ["delivered"])
    #expect(messages(harness).last?["in_doubt"] == nil)
  }

  @Test("it waits until it expires, and fails then; an error of another type fails at once")
  func refusedForGood() throws {
    var room = ScriptedRoom()
    room.answers = [refusal("resource-constraint", "wait")]
    let harness = try harness(room)
    _ = harness.ask(harness.connect(1), "send expires=1m \(Self.room) busy")
    harness.pass(.minutes(5))
    #expect(messages(harness).last?["failure"]?["condition"]?.string == "expired")
    harness.server.room?.answers = [refusal("forbidden", "auth")]
    _ = harness.ask(harness.connect(1), "send \(Self.room) busy")
    harness.pass(.seconds(1))
    #expect(messages(harness).last?["failure"]?["condition"]?.string == "forbidden")
  }

  @Test("what an occupant says again because the room forgot it is there once; what reuses an id without that is new")
  func saidAgain() throws {
    let fixture = try RoomFixture(.withoutArchive())
    fixture.harness.pass(.minutes(10))
    func delay(_ seconds: Int64) -> String {
      let stamp = fixture.harness.now.wall.advanced(by: .seconds(seconds)).rfc3339
      return "<delay xmlns='urn:xmpp:delay' from='bob@example.org/x' stamp='\(stamp)'/>"
    }
    fixture.hear("yes", id: "r1")
    fixture.hear("no", id: "r2")
    fixture.hear("yes", id: "r1", more: delay(-3))
    #expect(fixture.talk == ["bob: yes", "bob: no"])
    fixture.hear("yes", id: "r1", by: "carol", more: delay(-3))
    fixture.hear("other", id: "r1", more: delay(-3))
    fixture.hear("yes", id: "r1")
    fixture.harness.pass(.minutes(10))
    fixture.hear("yes", id: "r1", more: delay(-3))
    let all = ["bob: yes", "bob: no", "carol: yes", "bob: other", "bob: yes", "bob: yes"]
    #expect(fixture.talk == all)
    #expect(try fixture.killed().talk == all)
  }

  @Test("what an occupant says again in a room that was made anew, which gives other ids to occupants, is there once")
  func saidAgainAnew() throws {
    var room = ScriptedRoom.withoutArchive()
    room.features.append("urn:xmpp:occupant-id:0")
    room.ids = ["bob": "b1"]
    let fixture = try RoomFixture(room)
    func occupant(_ id: String) -> String { "<occupant-id xmlns='urn:xmpp:occupant-id:0' id='\(id)'/>" }
    let correction = "<replace xmlns='urn:xmpp:message-correct:0' id='r1'/>"
    let stamp = fixture.harness.now.wall.rfc3339
    let delay = "<delay xmlns='urn:xmpp:delay' from='bob@example.org/x' stamp='\(stamp)'/>"
    fixture.hear("yes", id: "r1", more: occupant("b1"))
    fixture.hear("no", id: "r2", more: correction + occupant("b1"))
    // The server is killed: neither the stream nor the room is there any more, and somebody makes the room anew.
    fixture.room.forgetOccupants()
    fixture.room.ids = ["bob": "b2", "carol": "c2"]
    fixture.room.others["carol"] = fixture.room.others["bob"]
    fixture.harness.server.refusal = "h='0'"
    fixture.harness.cut()
    fixture.harness.pass(.seconds(20))
    #expect(fixture.stateOfRoom == "joined")
    fixture.hear("yes", id: "r1", more: occupant("b2") + delay)
    fixture.hear("no", id: "r2", more: correction + occupant("b2") + delay)
    #expect(fixture.talk == ["bob: no"])
    fixture.hear("yes", id: "r1", by: "carol", more: occupant("c2") + delay)
    fixture.hear("yes", id: "r1", more: occupant("b2"))
    #expect(fixture.talk == ["bob: no", "carol: yes", "bob: yes"])
  }

  @Test("in a room with an archive each message with an id of its own is one, whatever its sender stamps it with")
  func archivedApart() throws {
    let fixture = try RoomFixture()
    for _ in 0..<3 {
      let stamp = fixture.harness.now.wall.rfc3339
      fixture.hear("tick", id: "r1", more: "<delay xmlns='urn:xmpp:delay' from='bob@example.org' stamp='\(stamp)'/>")
    }
    #expect(fixture.talk == ["bob: tick", "bob: tick", "bob: tick"])
  }

  @Test("a correction that comes again does not undo a newer one, live or out of the archive, and over a kill")
  func correctedAgain() throws {
    let fixture = try RoomFixture()
    func correct(_ text: String, _ id: String, _ target: String = "v1") {
      fixture.hear(text, id: id, more: "<replace xmlns='urn:xmpp:message-correct:0' id='\(target)'/>")
    }
    fixture.hear("v1", id: "v1")
    correct("v2", "v2")
    correct("v3", "v3")
    correct("v2", "v2")
    #expect(fixture.talk == ["bob: v3"])
    // Under an id of its own, or of another message, it says what it says.
    correct("v2", "v4")
    #expect(fixture.talk == ["bob: v2"])
    correct("v4", "v5")
    fixture.hear("w1", id: "w1")
    correct("v3", "v3", "w1")
    #expect(fixture.talk == ["bob: v4", "bob: v3"])
    var room = fixture.room
    room.forgetOccupants()
    _ = room.says("v2", id: "v2", more: "<replace xmlns='urn:xmpp:message-correct:0' id='v1'/>")
    fixture.room = room
    fixture.harness.server.resumption = nil
    fixture.harness.server.refusal = "h='0'"
    let next = try fixture.killed()
    #expect(next.talk == ["bob: v4", "bob: v3"])
  }

  @Test("what an occupant says to me again, with a stamp of when it was written, is there once")
  func privateSaidAgain() throws {
    let fixture = try RoomFixture()
    func say(_ id: String, _ archiveID: String, again: Bool = false) {
      let stamp = fixture.harness.now.wall.advanced(by: .seconds(-3)).rfc3339
      let delay = again ? "<delay xmlns='urn:xmpp:delay' from='bob@example.org' stamp='\(stamp)'/>" : ""
      fixture.say(
        "<message type='chat' from='\(Self.room)/bob' id='\(id)'><body>psst</body>\(delay)"
          + "<x xmlns='http://jabber.org/protocol/muc#user'/>"
          + "<stanza-id xmlns='urn:xmpp:sid:0' by='alice@example.org' id='\(archiveID)'/></message>")
    }
    say("p1", "a1")
    fixture.harness.pass(.seconds(10))
    say("p1", "a2", again: true)
    #expect(fixture.ask("history \(Self.room)/bob").count { $0["message"] != nil } == 1)
    fixture.harness.pass(.minutes(10))
    say("p1", "a3", again: true)
    #expect(fixture.ask("history \(Self.room)/bob").count { $0["message"] != nil } == 2)
  }

  @Test("what left on an earlier stream goes again in doubt after a kill on the next one, though that is resumed")
  func killedOnNextStream() throws {
    let fixture = try RoomFixture(.withoutArchive())
    fixture.room.swallows = true
    _ = fixture.ask("send \(Self.room) one")
    fixture.harness.pass(.seconds(1))
    // The room took it, and its word is lost with the stream. The next stream is there, and I am not in the room yet.
    (fixture.room.swallows, fixture.room.refusal) = (false, ("wait", "service-unavailable"))
    fixture.harness.server.refusal = "h='0'"
    fixture.harness.cut()
    fixture.harness.pass(.seconds(5))
    (fixture.harness.server.refusal, fixture.room.refusal) = (nil, nil)
    let next = try fixture.killed()
    next.harness.pass(.minutes(1))
    #expect(next.harness.toServer.contains("<resume "))
    #expect(next.room.heard == ["one", "one"])
    #expect(next.messages.map { $0["state"]?.string } == ["delivered"])
    #expect(next.messages.first?["in_doubt"]?.bool == true)
  }
}
