import Clocks
import JSON
import Testing

@testable import ConfabAccounts

/// Being in a room, and what is said there (XEP-0045), over cuts and kills.
@Suite("rooms")
struct RoomTests {
  private static let jid = RoomFixture.jid

  @Test("what others and I say is there once, mine is delivered when the room shows it")
  func talk() throws {
    let fixture = try RoomFixture()
    fixture.hear("hello", id: "b1")
    #expect(fixture.ask("send \(Self.jid) hi").last?["state"]?.string != "failed")
    fixture.harness.pass(.seconds(1))
    #expect(fixture.talk == ["bob: hello", "me: hi"])
    #expect(fixture.state("hi") == "delivered")
  }

  @Test("a room that shows a message late is asked twice, and the message goes again once; it is there once")
  func lateReflection() throws {
    var room = ScriptedRoom()
    room.swallows = true
    let fixture = try RoomFixture(room)
    _ = fixture.ask("send \(Self.jid) hi")
    fixture.harness.pass(.seconds(20))
    #expect(fixture.room.heard == ["hi", "hi"])
    let id = try #require(fixture.messages.first?["origin_id"]?.string)
    fixture.hear("hi", id: id, by: "alice")
    #expect(fixture.talk == ["me: hi"])
    fixture.hear("hi", id: id, by: "alice")
    #expect(fixture.talk == ["me: hi"])
    #expect(fixture.state("hi") == "delivered")
  }

  @Test("a message that the room never shows goes twice, and fails")
  func neverShown() throws {
    var room = ScriptedRoom()
    room.swallows = true
    let fixture = try RoomFixture(room)
    _ = fixture.ask("send \(Self.jid) hi")
    fixture.harness.pass(.minutes(5))
    #expect(fixture.room.heard == ["hi", "hi"])
    #expect(fixture.state("hi") == "failed")
  }

  @Test("a room that answers no ping keeps the message waiting, and it is not sent again and again")
  func silent() throws {
    var silent = ScriptedRoom()
    (silent.swallows, silent.ignoresPings) = (true, true)
    let fixture = try RoomFixture(silent)
    _ = fixture.ask("send \(Self.jid) hi")
    fixture.harness.pass(.minutes(30))
    #expect(fixture.room.heard == ["hi"])
    #expect(fixture.room.joins.count == 1)
    #expect(fixture.stateOfRoom == "waiting")
    var room = fixture.room
    (room.swallows, room.ignoresPings) = (false, false)
    fixture.room = room
    fixture.harness.pass(.minutes(16))
    #expect(fixture.stateOfRoom == "joined")
    #expect(fixture.room.heard == ["hi", "hi"])
    #expect(fixture.state("hi") == "delivered")
  }

  @Test(
    "what the server had and the room had not shown when the daemon was killed is there once, resumed or not",
    arguments: [true, false])
  func killedBeforeReflection(_ isResumed: Bool) throws {
    var room = ScriptedRoom()
    room.swallows = true
    let first = try RoomFixture(room)
    _ = first.ask("send \(Self.jid) hi")
    #expect(first.room.heard == ["hi"])
    let id = try #require(first.messages.first?["origin_id"]?.string)
    // The room took it after all, while nobody listened.
    var after = first.room
    after.swallows = false
    let shown = after.says("hi", id: id, by: "alice")
    first.room = after
    if isResumed { _ = first.harness.server.say(shown) } else { first.harness.server.resumption = nil }
    if !isResumed { first.harness.server.refusal = "h='0'" }
    let second = try first.killed()
    second.harness.pass(.minutes(1))
    #expect(second.talk == ["me: hi"])
    #expect(second.room.heard == ["hi"])
    #expect(second.state("hi") == "delivered")
  }

  @Test("after a restart of the server that forgot me the room is joined again, and what was missed is there once")
  func forgotten() throws {
    let fixture = try RoomFixture(resumes: false)
    fixture.hear("one", id: "b1")
    fixture.harness.server.refusal = "h='0'"
    var room = fixture.room
    room.forgetOccupants()
    _ = room.says("two", id: "b2")
    fixture.room = room
    fixture.harness.cut()
    fixture.harness.pass(.minutes(1))
    #expect(fixture.talk == ["bob: one", "bob: two"])
    #expect(fixture.room.joins.count == 2)
    #expect(fixture.ask("unread in=\(Self.jid)").last?["unread"]?.integer == 2)
  }

  @Test("a room without an archive says its history again at each join, and each message is there once")
  func history() throws {
    var room = ScriptedRoom.withoutArchive()
    let delay = "<delay xmlns='urn:xmpp:delay' from='\(Self.jid)' stamp='2025-10-09T08:00:00Z'/>"
    room.history = ["a", "b"].map {
      "<message type='groupchat' from='\(Self.jid)/bob' id='\($0)'><body>\($0)</body>\(delay)</message>"
    }
    // The same id by two people, and no id at all.
    room.history.append(
      "<message type='groupchat' from='\(Self.jid)/carol' id='a'><body>c</body>\(delay)</message>")
    room.history.append("<message type='groupchat' from='\(Self.jid)/carol'><body>d</body>\(delay)</message>")
    let fixture = try RoomFixture(room, resumes: false)
    let expected = ["bob: a", "bob: b", "carol: c", "carol: d"]
    #expect(fixture.talk == expected)
    for _ in 0..<3 {
      fixture.harness.cut()
      fixture.harness.pass(.minutes(2))
    }
    #expect(fixture.room.joins.count == 4)
    #expect(fixture.talk == expected)
    #expect(fixture.ask("unread in=\(Self.jid)").last?["unread"]?.integer == 0)
  }

  @Test("somebody who says the same twice under one id has said it twice")
  func twins() throws {
    let fixture = try RoomFixture()
    fixture.hear("ha", id: "x")
    fixture.hear("ha", id: "x")
    #expect(fixture.talk == ["bob: ha", "bob: ha"])
  }

  @Test("two devices under two nicks are both me where the room shows addresses")
  func twoNicks() throws {
    var room = ScriptedRoom()
    room.features.append("muc_nonanonymous")
    room.others["alice-phone"] = "affiliation='member' role='participant' jid='alice@example.org/phone'"
    let fixture = try RoomFixture(room)
    fixture.hear("from the phone", id: "p1", by: "alice-phone")
    #expect(fixture.talk == ["me: from the phone"])
    #expect(fixture.ask("unread in=\(Self.jid)").last?["unread"]?.integer == 0)
  }

  @Test("quiet rooms are asked once in a quarter of an hour, whatever their number, all at once")
  func quiet() throws {
    let fixture = try RoomFixture()
    let before = fixture.harness.handled
    let pings = fixture.harness.toServer.components("urn:xmpp:ping").count
    fixture.harness.pass(.minutes(151))
    #expect(fixture.harness.toServer.components("urn:xmpp:ping").count - pings >= 10)
    // Besides, the link is probed.
    #expect(fixture.harness.handled - before < 151)
  }

  @Test("a room that forgot me without a word is joined again once somebody looks at it")
  func focused() throws {
    let fixture = try RoomFixture()
    fixture.harness.pass(.minutes(2))
    var room = fixture.room
    room.forgetOccupants()
    _ = room.says("missed", id: "b1")
    fixture.room = room
    _ = fixture.ask("focus \(Self.jid)")
    fixture.harness.pass(.seconds(1))
    #expect(fixture.room.joins.count == 2)
    #expect(fixture.talk == ["bob: missed"])
  }

  @Test("a kick is not undone by a new stream, nor by a restart; join undoes it")
  func kicked() throws {
    let fixture = try RoomFixture(resumes: false)
    fixture.say(
      fixture.room.occupant(
        "alice", "affiliation='member' role='none'", type: "unavailable",
        more: "<status code='110'/><status code='307'/>"))
    #expect(fixture.stateOfRoom == "refused")
    #expect(fixture.ask("send \(Self.jid) hi").last?["error"]?.string == "failed")
    fixture.harness.cut()
    fixture.harness.pass(.minutes(2))
    let next = try fixture.killed(after: .hours(1))
    next.harness.pass(.minutes(20))
    #expect(next.room.joins.count == 1)
    #expect(next.stateOfRoom == "refused")
    #expect(next.ask("join wait=joined \(Self.jid)").last?["ok"]?.bool == true)
    #expect(next.room.joins.count == 2)
  }
}
