import Clocks
import JSON
import Testing

@testable import ConfabAccounts

/// Invitations to rooms (XEP-0045, section 7.8.2, and XEP-0249), whichever way they come.
@Suite("invitations")
struct InvitationTests {
  private static let room = "club@rooms.example.org"
  private static let mediated =
    "<message xmlns='jabber:client' from='\(room)' to='alice@example.org' id='i1'>"
    + "<x xmlns='http://jabber.org/protocol/muc#user'><invite from='\(room)/bob'><reason>chess</reason></invite></x>"
    + "</message>"
  private static let direct =
    "<message xmlns='jabber:client' from='bob@example.org/x' to='alice@example.org' id='i2'>"
    + "<x xmlns='jabber:x:conference' jid='\(room)' reason='chess'/></message>"
  static let client = ClientID(99)

  /// A daemon whose server has an archive with these messages.
  private static func harness(_ archived: String..., after: Harness? = nil) throws -> Harness {
    var archive = after?.server.archive ?? ScriptedArchive()
    for xml in archived { archive.items.append(.init(id: "a\(archive.items.count)", stamp: stamp, xml: xml)) }
    guard let after else { return watching(try Harness(server: ArchiveTests.server(archive))) }
    after.server.archive = archive
    return watching(try Harness(on: after.storage, server: after.server, now: after.now, seed: 2))
  }

  /// Some minutes before the daemon's first start.
  private static let stamp = "2025-10-09T08:50:00Z"

  private static func watching(_ harness: Harness) -> Harness {
    _ = harness.connect(client.number)
    harness.pass(.seconds(2))
    return harness
  }

  private static func rooms(_ harness: Harness) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: harness.ask(client, "rooms").compactMap { $0["room"] }.map {
        ($0["jid"]?.string ?? "", $0["state"]?.string ?? "")
      })
  }

  private static func texts(_ harness: Harness, _ jid: String) -> [String] {
    harness.ask(client, "history \(jid)").compactMap { $0["message"]?["text"]?.string }
  }

  /// The invitations of which front ends were told, from the log's begin on.
  private static func asked(_ harness: Harness) -> Int {
    let watcher = harness.connect(98)
    defer { harness.handle(.client(watcher, .closed)) }
    return harness.ask(watcher, "watch since=0").count { $0["event"]?.string == "invitation" }
  }

  private static func waited(_ message: String) -> String {
    message.replacing(
      "</message>",
      with: "<delay xmlns='urn:xmpp:delay' from='example.org' stamp='\(stamp)'/>"
        + "<stanza-id xmlns='urn:xmpp:sid:0' by='alice@example.org' id='a0'/></message>")
  }

  @Test(
    "One out of the archive is an invited room, once, on a fresh device and after a start", arguments: [true, false])
  func archived(_ isFresh: Bool) throws {
    let harness = isFresh ? try Self.harness(Self.mediated) : try Self.harness(Self.mediated, after: Self.harness())
    #expect(Self.rooms(harness) == [Self.room: "invited"])
    harness.say(Self.waited(Self.mediated))
    harness.pass(.seconds(1))
    #expect(Self.rooms(harness) == [Self.room: "invited"])
    #expect(Self.texts(harness, Self.room) == [])
    #expect(Self.asked(harness) == 1)
  }

  @Test("One that waited at the server is an invited room, and its copy in the archive asks no second time")
  func waited() throws {
    let first = try Self.harness()
    first.say(Self.waited(Self.mediated))
    first.pass(.seconds(1))
    #expect(Self.rooms(first) == [Self.room: "invited"])
    let second = try Self.harness(Self.mediated, after: first)
    #expect(Self.rooms(second) == [Self.room: "invited"])
    let room = second.ask(Self.client, "room \(Self.room)").first?["room"]
    #expect(room?["invited_by"]?.string?.isEmpty == false && room?["reason"]?.string == "chess")
    #expect(Self.texts(second, Self.room) == [])
    #expect(Self.asked(second) == 1)
  }

  @Test("A direct one out of the archive is an invited room, and a text of who invites")
  func direct() throws {
    let harness = try Self.harness(Self.direct)
    #expect(Self.rooms(harness) == [Self.room: "invited"])
    #expect(Self.texts(harness, "bob@example.org") == ["bob@example.org invites to the room \(Self.room): chess"])
    #expect(Self.asked(harness) == 1)
  }

  @Test("One that I sent invites me nowhere")
  func sent() throws {
    let mine = Self.direct.replacing("to='alice", with: "to='carol").replacing("from='bob", with: "from='alice")
    #expect(Self.rooms(try Self.harness(mine)) == [:])
  }

  @Test("One that only another device of mine was sent is an invited room")
  func carbon() throws {
    let harness = try Self.harness()
    harness.say(
      "<message from='alice@example.org' to='alice@example.org/confab'><received xmlns='urn:xmpp:carbons:2'>"
        + "<forwarded xmlns='urn:xmpp:forward:0'>\(Self.mediated)</forwarded></received></message>")
    harness.pass(.seconds(1))
    #expect(Self.rooms(harness) == [Self.room: "invited"])
    #expect(Self.texts(harness, Self.room) == [])
  }

  @Test("One that was declined stays so when the archive brings it again, and a new one asks again")
  func declined() throws {
    let first = try Self.harness()
    first.say(Self.waited(Self.mediated))
    first.pass(.seconds(1))
    first.clearTrace()
    #expect(first.ask(Self.client, "leave \(Self.room)").last?["ok"]?.bool == true)
    #expect(first.toServer.contains("<decline to='\(Self.room)/bob'"))
    let second = try Self.harness(Self.mediated, after: first)
    #expect(Self.rooms(second) == [Self.room: "left"])
    #expect(Self.asked(second) == 1)
    second.say(Self.mediated)
    second.pass(.seconds(1))
    #expect(Self.rooms(second) == [Self.room: "invited"])
    #expect(Self.asked(second) == 2)
  }

  @Test("One from before I joined and left the room asks no more")
  func joinedSince() throws {
    let first = try Self.harness()
    #expect(first.ask(Self.client, "join \(Self.room)").last?["ok"]?.bool == true)
    #expect(first.ask(Self.client, "leave \(Self.room)").last?["ok"]?.bool == true)
    let second = try Self.harness(Self.mediated, after: first)
    #expect(Self.rooms(second) == [Self.room: "left"])
    #expect(Self.asked(second) == 0)
  }

  @Test("A join of a room that I am in is answered, also while the disk is busy")
  func joinedAlready() throws {
    let fixture = try RoomFixture()
    fixture.harness.syncsAtOnce = false
    fixture.harness.send(fixture.client, "draft bob@example.org half\njoin wait=joined \(RoomFixture.jid)\n")
    fixture.harness.pass(.seconds(1))
    fixture.harness.sync()
    fixture.harness.pass(.seconds(1))
    #expect(fixture.harness.takeLines(fixture.client).compactMap { $0["ok"]?.bool } == [true, true])
  }

  @Test("Nothing leaves for a room before the wish is durable", arguments: ["join", "leave"])
  func orderOfEffects(_ verb: String) throws {
    let harness = try Self.harness()
    harness.say(Self.mediated)
    harness.pass(.seconds(1))
    harness.syncsAtOnce = false
    harness.clearTrace()
    harness.send(Self.client, "\(verb) \(Self.room)\n")
    #expect(!harness.toServer.contains(Self.room))
    harness.sync()
    #expect(harness.toServer.contains(verb == "join" ? "disco#info" : "<decline"))
  }
}
