import Clocks
import ConfabAccounts
import ConfabConfiguration
import JSON
import Testing

/// Markers (XEP-0333, section 4.3) in small rooms: mine, and those of others.
@Suite("Markers in rooms")
struct RoomMarkerTests {
  private static let room = RoomFixture.jid

  /// A room with bob and carol, who have ids.
  private func fixture(_ change: (inout ScriptedRoom) -> Void = { _ in }) throws -> RoomFixture {
    var room = ScriptedRoom()
    room.features.append("urn:xmpp:occupant-id:0")
    room.others["carol"] = room.others["bob"]
    room.ids = ["bob": "b1", "carol": "c1"]
    change(&room)
    let fixture = try RoomFixture(room, resumes: false)
    fixture.harness.clearTrace()
    return fixture
  }

  private func id(_ occupant: String) -> String { "<occupant-id xmlns='urn:xmpp:occupant-id:0' id='\(occupant)'/>" }

  private func hear(_ fixture: RoomFixture, _ text: String, _ number: Int) {
    fixture.hear(text, id: "m\(number)", more: id("b1"))
  }

  /// An occupant marks the message to which the room gave an id.
  private func mark(_ fixture: RoomFixture, _ message: String, by nick: String, _ occupant: String) {
    fixture.say(
      "<message type='groupchat' from='\(Self.room)/\(nick)' id='x'>\(id(occupant))"
        + "<displayed xmlns='urn:xmpp:chat-markers:0' id='\(message)'/></message>")
  }

  private func sent(_ fixture: RoomFixture) -> [String] {
    fixture.harness.toServer.components("<message").dropFirst().filter {
      $0.contains("to='\(Self.room)'") && $0.contains("type='groupchat'") && $0.contains("<displayed")
    }.compactMap { $0.components("chat-markers:0' id='").last.flatMap { $0.components("'").first } }
  }

  private func readBy(_ fixture: RoomFixture) -> [[String]] {
    fixture.messages.map { $0["read_by"]?.array?.compactMap(\.string) ?? [] }
  }

  // MARK: - Mine

  @Test("the room is told by its own ids how far I have read, once for each step")
  func mine() throws {
    let fixture = try fixture()
    hear(fixture, "one", 1)
    hear(fixture, "two", 2)
    #expect(fixture.ask("read \(Self.room)").last?["ok"]?.bool == true)
    fixture.harness.pass(.seconds(1))
    #expect(sent(fixture) == ["live2"])
    // The room reflects it, and nobody has read anything new.
    mark(fixture, "live2", by: "alice", "me")
    _ = fixture.ask("read \(Self.room)")
    #expect(sent(fixture) == ["live2"])
    _ = fixture.ask("send \(Self.room) three")
    _ = fixture.ask("read \(Self.room)")
    #expect(sent(fixture) == ["live2"])
    let next = try fixture.killed()
    next.harness.pass(.minutes(1))
    #expect(sent(next) == [])
  }

  @Test("what was read while nobody was there is told after the join")
  func offline() throws {
    let fixture = try fixture { _ = $0.says("before", id: "m0") }
    hear(fixture, "one", 1)
    _ = fixture.ask("disconnect")
    _ = fixture.ask("read \(Self.room)")
    #expect(sent(fixture) == [])
    fixture.harness.server.refusal = "h='0'"
    _ = fixture.ask("connect")
    fixture.harness.pass(.minutes(1))
    #expect(sent(fixture) == ["live2"])
  }

  @Test("nothing is told in a room of more than 20, as a visitor of a moderated room, or against the user's will")
  func untold() throws {
    let large = try fixture { room in for number in 0..<20 { room.others["n\(number)"] = room.others["bob"] } }
    let moderated = try fixture { $0.features.append("muc_moderated") }
    moderated.say(moderated.room.own("alice", nil, "visitor"))
    for fixture in [large, moderated] {
      hear(fixture, "one", 1)
      _ = fixture.ask("read \(Self.room)")
      fixture.harness.pass(.seconds(1))
      #expect(sent(fixture) == [])
    }
    mark(large, "live1", by: "carol", "c1")
    #expect(readBy(large) == [[]])
  }

  // MARK: - Of others

  @Test("a marker shows who has read all up to its message, only forward, and over a kill")
  func others() throws {
    let fixture = try fixture()
    _ = fixture.ask("watch kinds=read-by")
    hear(fixture, "one", 1)
    hear(fixture, "two", 2)
    mark(fixture, "live2", by: "carol", "c1")
    let event = fixture.harness.takeLines(fixture.client).first { $0["event"]?.string == "read-by" }
    #expect(event?["nick"]?.string == "carol" && event?["conversation"]?.string == Self.room)
    #expect(event?["id"]?.integer == fixture.messages.last?["id"]?.integer)
    #expect(readBy(fixture) == [["carol"], ["carol"]])
    mark(fixture, "live1", by: "carol", "c1")
    hear(fixture, "three", 3)
    #expect(readBy(fixture) == [["carol"], ["carol"], []])
    // The author of a message has read it.
    mark(fixture, "live3", by: "bob", "b1")
    #expect(readBy(fixture) == [["carol"], ["carol"], []])
    _ = fixture.ask("send \(Self.room) four")
    mark(fixture, "live4", by: "bob", "b1")
    #expect(readBy(fixture) == [["carol"], ["carol"], [], ["bob"]])
    #expect(fixture.messages.last?["state"]?.string == "delivered")
    #expect(readBy(try fixture.killed()) == [["carol"], ["carol"], [], ["bob"]])
  }

  @Test("a marker of no message, by the sender's id, or of somebody ignored shows nothing")
  func forged() throws {
    let fixture = try fixture()
    hear(fixture, "one", 1)
    for name in ["m1", "nothing", ""] { mark(fixture, name, by: "carol", "c1") }
    #expect(readBy(fixture) == [[]])
    _ = fixture.ask("ignore \(Self.room) carol yes")
    mark(fixture, "live1", by: "carol", "c1")
    #expect(readBy(fixture) == [[]])
  }

  @Test("without ids and JIDs a nick that somebody else has taken has read nothing")
  func nickTaken() throws {
    let fixture = try fixture { room in
      room.features.removeAll { $0.contains("occupant-id") }
      room.ids = [:]
    }
    hear(fixture, "one", 1)
    mark(fixture, "live1", by: "carol", "c1")
    #expect(readBy(fixture) == [["carol"]])
    let item = fixture.room.others["carol"] ?? ""
    fixture.say(fixture.room.occupant("carol", item, type: "unavailable"), fixture.room.occupant("carol", item))
    hear(fixture, "two", 2)
    mark(fixture, "live2", by: "carol", "c1")
    #expect(readBy(fixture).last == ["carol"])
  }

  @Test("my marker from another device moves my read position")
  func otherDevice() throws {
    let fixture = try fixture { $0.ownID = "me" }
    hear(fixture, "one", 1)
    #expect(fixture.ask("unread in=\(Self.room)").last?["unread"]?.integer == 1)
    mark(fixture, "live1", by: "alice", "me")
    #expect(fixture.ask("unread in=\(Self.room)").last?["unread"]?.integer == 0)
    #expect(readBy(fixture) == [[]])
  }
}
