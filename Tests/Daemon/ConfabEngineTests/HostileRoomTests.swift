import Clocks
import JSON
import Testing

@testable import ConfabAccounts
@testable import ConfabEngine

/// What rooms, their occupants and strangers may send: shown as what it is, or refused; never in another's name.
@Suite("hostile rooms")
struct HostileRoomTests {
  private static let jid = RoomFixture.jid
  private static let other = "other@rooms.example.org"

  private static func message(
    _ from: String, _ text: String, id: String = "h", type: String = "groupchat", more: String = ""
  ) -> String {
    "<message type='\(type)' from='\(from)' to='alice@example.org/confab' id='\(id)'><body>\(text)</body>\(more)</message>"
  }

  @Test("groupchat of a room that I am not in is kept nowhere, and joins nothing")
  func notIn() throws {
    let fixture = try RoomFixture()
    fixture.say(Self.message(Self.other + "/eve", "psst"), Self.message(Self.other, "psst"))
    let conversations = fixture.ask("conversations").compactMap { $0["conversation"]?["jid"]?.string }
    #expect(!conversations.contains { $0.hasPrefix(Self.other) })
    #expect(!fixture.harness.toServer.contains("to='\(Self.other)"))
  }

  @Test("a message of the bare room with a body is the room's, and no occupant's")
  func bareRoom() throws {
    let fixture = try RoomFixture()
    fixture.say(Self.message(Self.jid, "maintenance"))
    let message = fixture.messages.first
    #expect(message?["mine"]?.bool != true)
    #expect(message?["from"]?.string.map { !$0.contains("/") } ?? true)
  }

  @Test("an occupant under another nick is not me, whatever id it uses")
  func reflectionOfAnother() throws {
    var room = ScriptedRoom()
    room.swallows = true
    let fixture = try RoomFixture(room)
    _ = fixture.ask("send \(Self.jid) hi")
    let id = try #require(fixture.messages.first?["origin_id"]?.string)
    fixture.hear("hi", id: id, by: "eve")
    #expect(fixture.talk.sorted() == ["eve: hi", "me: hi"])
    #expect(fixture.state("hi") != "delivered")
  }

  @Test("in a room without an archive a forged stanza-id hides nothing")
  func forgedStanzaID() throws {
    let fixture = try RoomFixture(.withoutArchive())
    let forged = "<stanza-id xmlns='urn:xmpp:sid:0' by='\(Self.jid)' id='same'/>"
    fixture.hear("one", id: "1", more: forged)
    fixture.hear("two", id: "2", by: "eve", more: forged)
    fixture.hear("three", id: "3", by: "eve", more: forged)
    #expect(fixture.talk == ["bob: one", "eve: two", "eve: three"])
  }

  @Test("an occupant id that the room does not announce gives nobody a right")
  func forgedOccupantID() throws {
    let fixture = try RoomFixture()
    let id = "<occupant-id xmlns='urn:xmpp:occupant-id:0' id='bobs'/>"
    fixture.hear("one", id: "1", more: id)
    fixture.hear(
      "changed", id: "2", by: "eve", more: id + "<replace xmlns='urn:xmpp:message-correct:0' id='1'/>")
    #expect(fixture.talk == ["bob: one", "eve: changed"])
    #expect(fixture.messages.allSatisfy { $0["edited"] == nil && $0["occupant"] == nil })
  }

  @Test("who took the nick later may not change what was said under it before")
  func nickTaken() throws {
    let fixture = try RoomFixture()
    fixture.hear("one", id: "1")
    fixture.say(
      fixture.room.occupant("bob", "affiliation='member' role='none'", type: "unavailable"),
      fixture.room.occupant("bob", "affiliation='none' role='participant'"))
    fixture.hear("changed", id: "2", more: "<replace xmlns='urn:xmpp:message-correct:0' id='1'/>")
    #expect(fixture.talk == ["bob: one", "bob: changed"])
  }

  @Test("a live stamp in the room's name is a claim")
  func forgedDelay() throws {
    let fixture = try RoomFixture()
    fixture.hear(
      "old", id: "1", more: "<delay xmlns='urn:xmpp:delay' from='\(Self.jid)' stamp='2020-01-01T00:00:00Z'/>")
    #expect(fixture.messages.first?["time"]?.string?.hasPrefix("2020") == false)
    #expect(fixture.messages.first?["claimed_time"]?.string?.hasPrefix("2020") == true)
  }

  @Test("muc#user in an occupant's message takes nobody out, and changes no room")
  func forgedStatus() throws {
    let fixture = try RoomFixture()
    let asked = fixture.harness.toServer.components("disco#info").count
    fixture.hear(
      "x", id: "1",
      more: "<x xmlns='http://jabber.org/protocol/muc#user'><item jid='alice@example.org' role='none'/>"
        + "<status code='104'/><status code='307'/><status code='110'/></x>")
    #expect(fixture.stateOfRoom == "joined")
    #expect(fixture.talk == ["bob: x"])
    #expect(fixture.harness.toServer.components("disco#info").count == asked)
  }

  @Test("results of an archive by an occupant, of another token or for another room are nobody's messages")
  func forgedResults() throws {
    let fixture = try RoomFixture()
    func result(from: String, of sender: String) -> String {
      "<message from='\(from)' to='alice@example.org/confab'><result xmlns='urn:xmpp:mam:2' queryid='q' id='1'>"
        + "<forwarded xmlns='urn:xmpp:forward:0'><delay xmlns='urn:xmpp:delay' stamp='2025-01-01T00:00:00Z'/>"
        + "<message xmlns='jabber:client' type='groupchat' from='\(sender)' id='z'><body>forged</body></message>"
        + "</forwarded></result></message>"
    }
    fixture.say(
      result(from: Self.jid + "/eve", of: Self.jid + "/bob"), result(from: Self.jid, of: Self.jid + "/bob"),
      result(from: Self.jid, of: "bob@example.org/x"))
    #expect(fixture.talk.isEmpty)
    #expect(fixture.ask("search forged").compactMap { $0["message"] }.isEmpty)
  }

  @Test("a text beside a forged result of an archive is its sender's text in a room")
  func textBesideResult() throws {
    let fixture = try RoomFixture()
    let forged =
      "<result xmlns='urn:xmpp:mam:2' queryid='q' id='1'><forwarded xmlns='urn:xmpp:forward:0'><message "
      + "xmlns='jabber:client' from='bob@example.org/x'><body>forged</body></message></forwarded></result>"
    fixture.say(
      Self.message(Self.jid + "/bob", "own", id: "o1", more: forged),
      Self.message(Self.jid, "room's", id: "o2", more: forged))
    #expect(fixture.talk == ["bob: own", "\(Self.jid): room's"])
    #expect(fixture.ask("search forged").compactMap { $0["message"] }.isEmpty)
  }

  @Test("an archive that has messages of another room gives none of them")
  func archiveOfAnother() throws {
    var room = ScriptedRoom()
    for (id, from) in [("1", Self.other + "/bob"), ("2", "bob@example.org/x"), ("3", Self.jid + "/bob")] {
      room.archive.items.append(
        .init(
          id: id, stamp: "2025-01-01T00:00:0\(id)Z",
          xml: "<message xmlns='jabber:client' type='groupchat' from='\(from)' id='m\(id)'><body>\(id)</body></message>"
        ))
    }
    let fixture = try RoomFixture(room)
    #expect(fixture.talk == ["bob: 3"])
  }

  @Test("an archive that sends more than was asked for, or repeats, costs no message", arguments: [250, 3])
  func tooMuch(_ count: Int) throws {
    var room = ScriptedRoom()
    room.archive.pageSize = 250
    for number in 0..<count {
      room.archive.items.append(
        .init(
          id: "a\(number)", stamp: "2025-01-01T00:00:00Z",
          xml: "<message xmlns='jabber:client' type='groupchat' from='\(Self.jid)/bob' id='m\(number)'>"
            + "<body>\(number)</body></message>"))
    }
    let fixture = try RoomFixture(room)
    fixture.hear("live", id: "l")
    #expect(fixture.talk.last == "bob: live")
    #expect(Set(fixture.talk).count == fixture.talk.count)
  }

  @Test("an error of an occupant is not the room's: I am in it, and nothing of mine failed")
  func errorOfOccupant() throws {
    var room = ScriptedRoom()
    room.swallows = true
    let fixture = try RoomFixture(room)
    _ = fixture.ask("send \(Self.jid) hi")
    let id = try #require(fixture.messages.first?["origin_id"]?.string)
    for condition in ["not-acceptable", "item-not-found", "forbidden"] {
      fixture.say(fixture.room.error("message", from: Self.jid + "/eve", id, "cancel", condition))
    }
    #expect(fixture.stateOfRoom == "joined")
    #expect(fixture.state("hi") != "failed")
    #expect(fixture.room.joins.count == 1)
  }

  @Test("a room that takes me and no message is joined after pauses that grow, and the message waits")
  func takesNothing() throws {
    var room = ScriptedRoom()
    room.answers = [
      ("type='groupchat'", room.error("message", from: Self.jid, "$id", "cancel", "not-acceptable"))
    ]
    let fixture = try RoomFixture(room)
    _ = fixture.ask("send \(Self.jid) hi")
    fixture.harness.pass(.minutes(10))
    #expect((3...12).contains(fixture.room.asked.count))
    #expect(fixture.room.joins.count <= 12)
    #expect(fixture.state("hi") != "failed")
    var open = fixture.room
    open.answers = []
    fixture.room = open
    fixture.harness.pass(.minutes(20))
    #expect(fixture.state("hi") == "delivered")
  }

  @Test("an error of the room fails the message that it names, and no other")
  func errorOfRoom() throws {
    var room = ScriptedRoom()
    room.swallows = true
    let fixture = try RoomFixture(room)
    _ = fixture.ask("send \(Self.jid) one")
    _ = fixture.ask("send \(Self.jid) two")
    let id = try #require(fixture.messages.first { $0["text"]?.string == "one" }?["origin_id"]?.string)
    fixture.say(fixture.room.error("message", from: Self.jid, id, "auth", "forbidden"))
    #expect(fixture.state("one") == "failed")
    #expect(fixture.state("two") != "failed")
  }

  @Test("names that are no names: a nick of 1,023 bytes, of a blank, of bidi and control characters, of a command")
  func nicks() throws {
    let fixture = try RoomFixture()
    let nicks = [String(repeating: "n", count: 1_023), " ", "\u{202E}evil", "/help", "alice@example.org", "a/b/c"]
    for (number, nick) in nicks.enumerated() {
      fixture.say(fixture.room.occupant(nick, "affiliation='none' role='participant'"))
      fixture.hear("\(number)", id: "n\(number)", by: nick)
    }
    #expect(fixture.stateOfRoom == "joined")
    let texts = fixture.messages.compactMap { $0["text"]?.string }
    #expect(texts.count == Set(texts).count)
    #expect(fixture.messages.allSatisfy { $0["mine"]?.bool != true })
    let count = fixture.ask("members \(Self.jid)").last?["count"]?.integer ?? 0
    #expect(count >= 2)
  }

  @Test("presences without end, and no 110: the room is not joined, memory is bounded, another room works")
  func endless() throws {
    let fixture = try RoomFixture(isJoined: false)
    var room = fixture.room
    room.others = [:]
    fixture.room = room
    _ = fixture.ask("join \(Self.other)")
    fixture.harness.pass(.seconds(1))
    for part in 0..<21 {
      var bytes = ""
      for number in part * 5_000..<part * 5_000 + 5_000 {
        bytes +=
          "<presence from='\(Self.other)/n\(number)'><x xmlns='http://jabber.org/protocol/muc#user'>"
          + "<item affiliation='none' role='participant'/></x></presence>"
      }
      fixture.harness.receive(bytes)
    }
    #expect(fixture.ask("join wait=joined \(Self.jid)").last?["ok"]?.bool == true)
    #expect(fixture.ask("room \(Self.other)").first?["room"]?["state"]?.string != "joined")
    let kept = fixture.harness.engine.accounts.all.first?.parts.messaging.rooms[Self.other]?.occupants.byNick.count ?? 0
    #expect(kept <= Occupants.most)
  }

  @Test("codes that contradict each other: a ban counts before a kick, an error code makes it a cut")
  func codes() throws {
    let fixture = try RoomFixture()
    fixture.say(fixture.room.own("alice", "unavailable", "none", more: "<status code='307'/><status code='333'/>"))
    #expect(fixture.stateOfRoom != "refused")
    fixture.harness.pass(.minutes(1))
    #expect(fixture.stateOfRoom == "joined")
    fixture.say(fixture.room.own("alice", "unavailable", "none", more: "<status code='307'/><status code='301'/>"))
    #expect(fixture.stateOfRoom == "refused")
  }

  @Test("a room without a topic of its own is joined all the same")
  func noSubject() throws {
    var room = ScriptedRoom()
    room.hasSubject = false
    let fixture = try RoomFixture(room, isJoined: false)
    _ = fixture.ask("join \(Self.jid)")
    fixture.harness.pass(.seconds(15))
    #expect(fixture.stateOfRoom == "joined")
  }

  @Test("rooms that send me from one to the other are followed by nobody but a person")
  func circle() throws {
    var room = ScriptedRoom()
    room.refusal = ("cancel", "gone")
    let fixture = try RoomFixture(room, isJoined: false)
    let answer = fixture.ask("join wait=joined \(Self.jid)").last
    #expect(answer?["error"]?.string == "failed")
    fixture.harness.pass(.minutes(30))
    #expect(fixture.room.joins.count == 1)
    #expect(fixture.stateOfRoom == "refused")
  }

  @Test("a thousand rooms that refuse are asked a few at a time, and end")
  func refused() throws {
    let fixture = try RoomFixture(isJoined: false)
    for number in 0..<1_000 { harnessJoin(fixture, "r\(number)@rooms.example.org") }
    fixture.harness.pass(.seconds(1))
    let next = try fixture.killed()
    #expect(next.ask("status").last?["ok"]?.bool == true)
    for number in 0..<1_000 {
      next.harness.receive(
        "<presence type='error' from='r\(number)@rooms.example.org/alice'><error type='auth'>"
          + "<forbidden xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></presence>")
    }
    next.harness.pass(.seconds(1))
    #expect(next.ask("status").last?["ok"]?.bool == true)
  }

  private func harnessJoin(_ fixture: RoomFixture, _ jid: String) {
    fixture.harness.send(fixture.client, "join \(jid)\n")
  }

  @Test(
    "an invitation to the address of somebody makes no room of a conversation",
    arguments: ["bob@example.org", "alice@example.org", "rooms.example.net", "dave@example.net"])
  func invitedToPerson(_ address: String) throws {
    let fixture = try RoomFixture()
    fixture.say(
      "<iq type='set' id='r'><query xmlns='jabber:iq:roster'><item jid='bob@example.org' subscription='both'/></query></iq>"
    )
    fixture.say("<message from='dave@example.net/x' type='chat' id='d1'><body>hello</body></message>")
    fixture.say(
      "<message from='eve@example.net/x' to='alice@example.org' id='i1'><x xmlns='jabber:x:conference' jid='\(address)'/>"
        + "</message>")
    #expect(fixture.ask("rooms").compactMap { $0["room"]?["jid"]?.string } == [RoomFixture.jid])
    if address.contains("@") {
      #expect(fixture.ask("send \(address) hi").last?["ok"]?.bool == true)
      let join = fixture.ask("join bob@example.org").last
      #expect(join?["error"]?.string == "bad-argument")
    }
  }

  @Test("invitations by the thousand are a bounded list, and join nothing")
  func invitations() throws {
    let fixture = try RoomFixture()
    for number in 0..<1_000 {
      fixture.harness.say(
        "<message from='eve\(number)@example.net/x' to='alice@example.org' id='i\(number)'>"
          + "<x xmlns='jabber:x:conference' jid='r\(number)@rooms.example.net'/></message>")
    }
    fixture.harness.pass(.seconds(1))
    let rooms = fixture.ask("rooms limit=1000").compactMap { $0["room"]?["state"]?.string }
    #expect(rooms.count { $0 == "invited" } <= 200)
    #expect(!fixture.harness.toServer.contains("rooms.example.net/"))
  }
}
