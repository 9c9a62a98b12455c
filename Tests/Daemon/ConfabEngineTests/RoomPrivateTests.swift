import Clocks
import ConfabAccounts
import ConfabConfiguration
import JSON
import Testing

/// Private messages between occupants of a room (XEP-0045, section 7.5), and chat states there (XEP-0085).
@Suite("Private messages in rooms")
struct RoomPrivateTests {
  private static let room = RoomFixture.jid
  private static let bob = room + "/bob"
  private static let mark = "<x xmlns='http://jabber.org/protocol/muc#user'/>"
  private static let item = "affiliation='member' role='participant'"

  /// A room with bob in it, who has said something to me alone.
  private func fixture(ids: [String: String] = ["bob": "b1"]) throws -> RoomFixture {
    var room = ScriptedRoom()
    if !ids.isEmpty { room.features.append("urn:xmpp:occupant-id:0") }
    room.ids = ids
    let fixture = try RoomFixture(room, resumes: false)
    fixture.say("<message type='chat' from='\(Self.bob)' id='p1'><body>psst</body>\(Self.mark)</message>")
    fixture.harness.clearTrace()
    return fixture
  }

  /// Bob goes; with an id, somebody else takes the nick.
  private func bobGoes(_ fixture: RoomFixture, nowOf id: String? = nil) {
    var room = fixture.room
    fixture.say(room.occupant("bob", Self.item, type: "unavailable"))
    room.ids["bob"] = id
    if id == nil { room.others = [:] }
    fixture.room = room
    if id != nil { fixture.say(room.occupant("bob", Self.item)) }
  }

  private func sent(_ fixture: RoomFixture) -> [String] {
    fixture.harness.toServer.components("<message").dropFirst().filter { $0.contains("to='\(Self.bob)'") }
      .compactMap { ScriptedArchive.content("body", "<message" + $0) }
  }

  private func states(_ fixture: RoomFixture) -> [String] {
    fixture.ask("history limit=100 \(Self.bob)").compactMap { $0["message"] }.filter { $0["mine"]?.bool == true }.map {
      ($0["state"]?.string ?? "") + ($0["failure"]?["condition"]?.string.map { " " + $0 } ?? "")
    }
  }

  private func conversation(_ fixture: RoomFixture) -> JSONValue? {
    fixture.ask("conversations").compactMap { $0["conversation"] }.first { $0["jid"]?.string == Self.bob }
  }

  // MARK: - Whom it goes to

  @Test("goes to the person whom the conversation was begun with, and is refused once somebody else has the nick")
  func bound() throws {
    let fixture = try fixture()
    #expect(conversation(fixture)?["kind"]?.string == "private")
    #expect(conversation(fixture)?["occupant"]?.string == "b1")
    #expect(conversation(fixture)?["peer_gone"] == nil)
    #expect(fixture.ask("send \(Self.bob) one").last?["ok"]?.bool == true)
    bobGoes(fixture)
    #expect(fixture.ask("send \(Self.bob) two").last?["error"]?.string == "not-found")
    #expect(conversation(fixture)?["peer_gone"]?.bool == true)
    bobGoes(fixture, nowOf: "b2")
    #expect(fixture.ask("send \(Self.bob) three").last?["error"]?.string == "not-found")
    #expect(conversation(fixture)?["occupant"]?.string == "b1")
    #expect(conversation(fixture)?["peer_gone"]?.bool == true)
    #expect(fixture.ask("send anyway=yes \(Self.bob) four").last?["ok"]?.bool == true)
    #expect(sent(fixture) == ["one", "four"])
    #expect(fixture.harness.toServer.contains(Self.mark))
    bobGoes(fixture, nowOf: "b1")
    #expect(conversation(fixture)?["peer_gone"] == nil)
  }

  @Test("changes of a private message are private, and are not for somebody else who has the nick")
  func changes() throws {
    let fixture = try fixture()
    let id = try #require(fixture.ask("send \(Self.bob) one").last?["id"]?.integer)
    fixture.harness.clearTrace()
    #expect(fixture.ask("send replace=\(id) \(Self.bob) uno").last?["ok"]?.bool == true)
    let stanza = fixture.harness.toServer.components("<message").last ?? ""
    #expect(stanza.contains("uno") && stanza.contains("to='\(Self.bob)'") && stanza.contains(Self.mark))
    bobGoes(fixture, nowOf: "b2")
    #expect(fixture.ask("retract \(id)").last?["error"]?.string == "not-found")
  }

  // MARK: - While I am not there

  /// The stream is cut, and while nobody is there, something is sent; bob has this id when I come back.
  private func sendWhileAway(_ fixture: RoomFixture, _ id: String?, options: String = "") {
    fixture.harness.server.refusal = "h='0'"
    fixture.harness.cut()
    var room = fixture.room
    room.forgetOccupants()
    room.ids["bob"] = id
    if id == nil { room.others = [:] }
    fixture.room = room
    #expect(fixture.ask("send \(options)\(Self.bob) hello").last?["state"]?.string == "queued")
    #expect(sent(fixture) == [])
    fixture.harness.pass(.minutes(1))
    #expect(fixture.stateOfRoom == "joined")
  }

  @Test("is queued while I am not in the room, and leaves when its person is there")
  func queued() throws {
    let fixture = try fixture()
    sendWhileAway(fixture, "b1")
    #expect(sent(fixture) == ["hello"])
    #expect(states(fixture) == ["sent"])
    #expect(fixture.harness.toServer.components("<body>hello").first?.contains("/protocol/muc'") == true)
  }

  @Test("fails as gone if nobody, or somebody else, has the nick when I am back", arguments: ["b2", nil])
  func gone(_ id: String?) throws {
    let fixture = try fixture()
    sendWhileAway(fixture, id)
    #expect(sent(fixture) == [])
    #expect(states(fixture) == ["failed gone"])
  }

  @Test("what waits for a resumed stream goes to nobody else who has taken the nick meanwhile")
  func resumed() throws {
    var room = ScriptedRoom()
    room.features.append("urn:xmpp:occupant-id:0")
    room.ids = ["bob": "b1"]
    let fixture = try RoomFixture(room)
    fixture.say("<message type='chat' from='\(Self.bob)' id='p1'><body>psst</body>\(Self.mark)</message>")
    fixture.harness.clearTrace()
    fixture.harness.cut()
    #expect(fixture.ask("send \(Self.bob) secret").last?["ok"]?.bool == true)
    var next = fixture.room
    let left = next.occupant("bob", Self.item, type: "unavailable")
    next.ids["bob"] = "b2"
    fixture.room = next
    fixture.harness.say(left, next.occupant("bob", Self.item))
    fixture.harness.pass(.minutes(1))
    #expect(fixture.harness.toServer.contains("<resume "))
    #expect(sent(fixture).isEmpty)
    #expect(states(fixture) == ["failed gone"])
  }

  @Test("goes to whoever has the nick with anyway=yes")
  func anyway() throws {
    let fixture = try fixture()
    sendWhileAway(fixture, "b2", options: "anyway=yes ")
    #expect(sent(fixture) == ["hello"])
  }

  @Test("of a room without ids nobody can tell who is back, so it fails")
  func withoutIDs() throws {
    let fixture = try fixture(ids: [:])
    sendWhileAway(fixture, "")
    #expect(states(fixture) == ["failed gone"])
  }

  @Test("waits over a kill, and goes once")
  func killed() throws {
    let fixture = try fixture()
    fixture.harness.server.isMute = true
    fixture.harness.cut()
    #expect(fixture.ask("send \(Self.bob) hello").last?["state"]?.string == "queued")
    fixture.harness.server.isMute = false
    fixture.harness.server.refusal = "h='0'"
    let next = try fixture.killed()
    next.harness.pass(.minutes(1))
    #expect(sent(next) == ["hello"])
    #expect(states(next) == ["sent"])
  }

  @Test("what left and was not acknowledged waits for the room on the next stream, and goes again in doubt")
  func unacknowledged() throws {
    let fixture = try fixture()
    fixture.harness.server.acknowledges = false
    #expect(fixture.ask("send \(Self.bob) hello").last?["ok"]?.bool == true)
    #expect(sent(fixture) == ["hello"])
    fixture.harness.server.acknowledges = true
    fixture.harness.server.refusal = "h='0'"
    fixture.harness.clearTrace()
    fixture.harness.cut()
    var room = fixture.room
    room.forgetOccupants()
    fixture.room = room
    fixture.harness.pass(.minutes(1))
    #expect(sent(fixture) == ["hello"])
    #expect(fixture.harness.toServer.components("<body>hello").first?.contains("/protocol/muc'") == true)
    #expect(fixture.ask("history \(Self.bob)").compactMap { $0["message"] }.last?["in_doubt"]?.bool == true)
  }

  @Test("of a room that was created again goes to nobody")
  func createdAgain() throws {
    let fixture = try fixture()
    fixture.harness.server.refusal = "h='0'"
    fixture.harness.cut()
    var room = fixture.room
    room.forgetOccupants()
    room.statuses = [201]
    fixture.room = room
    _ = fixture.ask("send \(Self.bob) hello")
    fixture.harness.pass(.minutes(1))
    #expect(sent(fixture) == [])
    #expect(states(fixture) == ["failed gone"])
  }

  // MARK: - On a new log

  @Test("out of the archive, before the room is known, stands in the conversation with its occupant")
  func archived() throws {
    var archive = ScriptedArchive()
    archive.add("psst", at: ArchiveTests.stamp(minute: 1), from: Self.bob, more: Self.mark)
    archive.add(
      "yes?", at: ArchiveTests.stamp(minute: 2), from: "alice@example.org/x", to: Self.bob, more: Self.mark)
    archive.add("a contact's", at: ArchiveTests.stamp(minute: 3), more: Self.mark)
    var server = ArchiveTests.server(archive)
    server.roster =
      "<query xmlns='jabber:iq:roster'><item jid='bob@example.org' subscription='both'/></query>"
    var account = Harness.alice
    account.archiveFirstSync = .all
    let harness = try Harness(accounts: [account], server: server)
    harness.pass(.seconds(10))
    let client = harness.connect(95)
    let all = harness.ask(client, "conversations").compactMap { $0["conversation"] }
    #expect(Set(all.compactMap { $0["jid"]?.string }) == [Self.bob, "bob@example.org"])
    #expect(all.first { $0["jid"]?.string == Self.bob }?["kind"]?.string == "private")
    let texts = harness.ask(client, "history \(Self.bob)").compactMap { $0["message"]?["text"]?.string }
    #expect(texts == ["psst", "yes?"])
  }

  @Test("archived for two devices of mine under one nick it is there once, live or not; said twice it is there twice")
  func twoDevices() throws {
    var archive = ScriptedArchive()
    for (device, id) in [("confab", "p1"), ("phone", "p1"), ("confab", "p2"), ("phone", "p2")] {
      archive.add(
        "psst", at: ArchiveTests.stamp(minute: id == "p1" ? 1 : 2), from: Self.bob, to: "alice@example.org/\(device)",
        stanzaID: id, more: Self.mark)
    }
    var account = Harness.alice
    account.archiveFirstSync = .all
    let harness = try Harness(accounts: [account], server: ArchiveTests.server(archive))
    harness.pass(.seconds(10))
    func texts() -> [String] {
      harness.ask(harness.connect(95), "history \(Self.bob)").compactMap { $0["message"]?["text"]?.string }
    }
    #expect(texts() == ["psst", "psst"])
    let live =
      "<message type='chat' from='\(Self.bob)' to='alice@example.org/confab' id='p3'><body>now</body>\(Self.mark)"
    harness.say(live + "<stanza-id xmlns='urn:xmpp:sid:0' by='alice@example.org' id='a5'/></message>")
    for id in ["a5", "a6"] {
      harness.server.archive?.items.append(
        .init(
          id: id, stamp: harness.now.wall.rfc3339,
          xml: live.replacing("<message", with: "<message xmlns='jabber:client'") + "</message>"))
    }
    harness.cut()
    harness.pass(.minutes(1))
    #expect(texts() == ["psst", "psst", "now"])
  }

  // MARK: - Typing

  private func state(_ name: String, from: String, type: String = "chat") -> String {
    "<message type='\(type)' from='\(from)'><\(name) xmlns='http://jabber.org/protocol/chatstates'/></message>"
  }

  private func typing(_ fixture: RoomFixture) -> [String] {
    fixture.harness.takeLines(fixture.client).filter { $0["event"]?.string == "typing" }.map {
      [$0["conversation"], $0["nick"], $0["state"]].compactMap { $0?.string }.joined(separator: " ")
    }
  }

  @Test("a private chat state is typing of the private conversation, and never of the room")
  func privateState() throws {
    let fixture = try fixture()
    _ = fixture.ask("watch kinds=typing")
    fixture.say(state("composing", from: Self.bob), state("composing", from: Self.room))
    #expect(typing(fixture) == ["\(Self.bob) composing"])
    fixture.say("<message type='chat' from='\(Self.bob)' id='p2'><body>so</body>\(Self.mark)</message>")
    #expect(typing(fixture) == ["\(Self.bob) active"])
    fixture.harness.clearTrace()
    #expect(fixture.ask("typing \(Self.bob) composing").last?["ok"]?.bool == true)
    let stanza = fixture.harness.toServer
    #expect(stanza.contains("to='\(Self.bob)'") && stanza.contains("<composing") && stanza.contains(Self.mark))
    bobGoes(fixture, nowOf: "b2")
    fixture.harness.clearTrace()
    _ = fixture.ask("typing \(Self.bob) composing")
    #expect(!fixture.harness.toServer.contains("<composing"))
  }

  @Test("in a small room each member's typing is shown until the message, the leave, or 30 seconds")
  func typingInRoom() throws {
    let fixture = try fixture()
    fixture.say(fixture.room.occupant("carol", Self.item))
    _ = fixture.ask("watch kinds=typing")
    let carol = Self.room + "/carol"
    fixture.say(
      state("composing", from: Self.bob, type: "groupchat"), state("composing", from: carol, type: "groupchat"),
      state("composing", from: Self.room + "/alice", type: "groupchat"),
      state("composing", from: Self.room + "/nobody", type: "groupchat"))
    #expect(typing(fixture) == ["\(Self.room) bob composing", "\(Self.room) carol composing"])
    fixture.hear("so", id: "b1")
    #expect(typing(fixture) == ["\(Self.room) bob active"])
    fixture.say(fixture.room.occupant("carol", Self.item, type: "unavailable"))
    #expect(typing(fixture) == ["\(Self.room) carol gone"])
    fixture.say(state("composing", from: Self.bob, type: "groupchat"))
    fixture.harness.pass(.seconds(31))
    #expect(typing(fixture) == ["\(Self.room) bob composing", "\(Self.room) bob paused"])
    fixture.harness.clearTrace()
    _ = fixture.ask("typing \(Self.room) composing")
    _ = fixture.ask("typing \(Self.room) gone")
    let stanza = fixture.harness.toServer
    #expect(stanza.contains("type='groupchat'><composing") && !stanza.contains("<gone"))
  }

  @Test("nothing of it is sent or shown in a room of more than 20, nor sent by a visitor of a moderated one")
  func largeRoom() throws {
    let fixture = try fixture()
    for number in 0..<19 { fixture.say(fixture.room.occupant("n\(number)", Self.item)) }
    _ = fixture.ask("watch kinds=typing")
    fixture.harness.clearTrace()
    fixture.say(state("composing", from: Self.bob, type: "groupchat"))
    _ = fixture.ask("typing \(Self.room) composing")
    #expect(typing(fixture) == [])
    #expect(!fixture.harness.toServer.contains("<composing"))
    var moderated = ScriptedRoom()
    moderated.features.append("muc_moderated")
    let other = try RoomFixture(moderated)
    other.say(other.room.own("alice", nil, "visitor"))
    other.harness.clearTrace()
    #expect(other.ask("typing \(Self.room) composing").last?["ok"]?.bool == true)
    #expect(!other.harness.toServer.contains("<composing"))
    other.say(other.room.own("alice", nil, "participant"))
    _ = other.ask("typing \(Self.room) composing")
    #expect(other.harness.toServer.contains("<composing"))
  }
}
