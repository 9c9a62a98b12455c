import Clocks
import JSON
import Records
import Testing

@testable import ConfabAccounts
@testable import ConfabEngine

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

  @Test("status names a room that has refused me for more than a minute, and no other")
  func troubled() throws {
    var room = ScriptedRoom()
    room.refusal = ("auth", "forbidden")
    let fixture = try RoomFixture(room, isJoined: false)
    _ = fixture.ask("join \(Self.jid)")
    #expect(fixture.ask("status").first?["account"]?["rooms"] == nil)
    fixture.harness.pass(.minutes(2))
    let rooms = fixture.ask("status").first?["account"]?["rooms"]?.array
    #expect(rooms?.map { $0["jid"]?.string } == [Self.jid] && rooms?.first?["state"]?.string == "refused")
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

  @Test("my read position goes to my other devices by the room's id, and theirs comes by it")
  func readPositions() throws {
    let node = "urn:xmpp:mds:displayed:0"
    var server = ScriptedStream()
    (server.room, server.acknowledges, server.hasNodes) = (ScriptedRoom(), true, true)
    server.features = ["http://jabber.org/protocol/pubsub#publish-options"]
    let harness = try Harness(server: server)
    let client = harness.connect(90)
    func answer(_ part: String, _ content: String = "") {
      let request = harness.toServer.components("<iq").last { $0.contains(part) } ?? ""
      harness.say("<iq type='result' id='\(ScriptedStream.value(of: "id", in: request) ?? "")'>\(content)</iq>")
      harness.pass(.seconds(1))
    }
    harness.pass(.seconds(1))
    answer(
      "<items node='\(node)'/>",
      "<pubsub xmlns='http://jabber.org/protocol/pubsub'><items node='\(node)'></items></pubsub>")
    #expect(harness.ask(client, "join wait=joined \(Self.jid)").last?["ok"]?.bool == true)
    func hear(_ text: String) {
      let stanza = harness.server.room?.says(text, id: text) ?? ""
      harness.say(stanza)
      harness.pass(.seconds(1))
    }
    hear("one")
    hear("two")
    func unread() -> Int64? { harness.ask(client, "unread in=\(Self.jid)").last?["unread"]?.integer }
    #expect(unread() == 2)
    harness.say(
      "<message from='alice@example.org' type='headline'><event xmlns='http://jabber.org/protocol/pubsub#event'>"
        + "<items node='\(node)'><item id='\(Self.jid)'><displayed xmlns='\(node)'>"
        + "<stanza-id xmlns='urn:xmpp:sid:0' by='\(Self.jid)' id='live1'/></displayed></item></items></event></message>"
    )
    harness.pass(.seconds(1))
    #expect(unread() == 1)
    _ = harness.ask(client, "read \(Self.jid)")
    harness.pass(.seconds(2))
    let published = harness.toServer.components("<publish node='\(node)'").last ?? ""
    #expect(published.contains("<item id='\(Self.jid)'>"))
    #expect(published.contains("by='\(Self.jid)' id='live2'") || published.contains("id='live2' by='\(Self.jid)'"))
  }

  @Test("an import of mine is the archive's message, retracted or not")
  func imported() throws {
    var room = ScriptedRoom()
    (room.ownID, room.features) = ("me", room.features + ["urn:xmpp:occupant-id:0"])
    let harness = try Harness(server: ScriptedStream())
    var mine = MessageRecord(
      account: 1, jid: Self.jid, peer: "alice@example.org", time: 1_750_000_000_000, text: "one", stanzaID: "m1")
    (mine.author, mine.isOfRoom, mine.isHistory) = (.otherDevice, true, true)
    var gone = mine
    (gone.text, gone.stanzaID) = ("", "m2")
    var (details, change) = (MessageDetails(), MessageChange(.retraction))
    change.retraction = MessageChange.Retraction(time: 1_750_000_001_000, by: "alice@example.org", reason: nil)
    details.change = change
    gone.details = details
    for message in [mine, gone] { harness.engine.storage.append(.message(message)) }
    harness.pass(.seconds(1))
    for (id, text) in [("m1", "one"), ("m2", "secret")] {
      let xml =
        "<message xmlns='jabber:client' type='groupchat' from='\(Self.jid)/alice' id='\(id)'><body>\(text)</body>"
        + "<occupant-id xmlns='urn:xmpp:occupant-id:0' id='me'/></message>"
      room.archive.items.append(.init(id: "a" + id, stamp: "2025-06-15T15:06:40Z", xml: xml))
    }
    harness.server.room = room
    let client = harness.connect(90)
    #expect(harness.ask(client, "join wait=joined \(Self.jid)").last?["ok"]?.bool == true)
    let texts = harness.ask(client, "history \(Self.jid)").compactMap { $0["message"]?["text"]?.string }
    #expect(texts.sorted() == ["", "one"])
    #expect(harness.ask(client, "search secret").compactMap { $0["message"] }.isEmpty)
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
