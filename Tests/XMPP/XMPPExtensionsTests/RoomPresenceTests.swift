import Testing
import XML
import XMPPCore

@testable import XMPPExtensions

@Suite("Presences of rooms")
struct RoomPresenceTests {
  static let user = "xmlns='http://jabber.org/protocol/muc#user'"
  static let room = "hall@rooms.example.org"

  static func presence(_ children: String, type: String? = nil, from: String = "\(room)/Al") throws -> RoomPresence? {
    let type = type.map { " type='\($0)'" } ?? ""
    return RoomPresence(try element("<presence from='\(from)' to='a@example.org/c'\(type)>\(children)</presence>"))
  }

  static func departure(_ inside: String, outside: String = "") throws -> RoomPresence.Departure? {
    try presence("<x \(user)>\(inside)</x>\(outside)", type: "unavailable")?.departure
  }

  // MARK: - As servers send them

  @Test("Prosody: a new room, its only occupant")
  func prosody() throws {
    let presence = try #require(
      try Self.presence(
        "<show>away</show><status>tea</status><c xmlns='http://jabber.org/protocol/caps' hash='sha-1' node='n' ver='v'/>"
          + "<x xmlns='vcard-temp:x:update'><photo/></x>"
          + "<occupant-id xmlns='urn:xmpp:occupant-id:0' id='7f3a'/>"
          + "<hats xmlns='urn:xmpp:hats:0'><hat uri='urn:host' title='Host'/></hats>"
          + "<x \(Self.user)><status code='201'/><item affiliation='owner' role='moderator' jid='a@example.org/c'/>"
          + "<item affiliation='owner' role='moderator' jid='a@example.org/d'/><status code='110'/></x>"))
    #expect(presence.isAvailable && presence.isOccupant && presence.isOwn && presence.departure == nil)
    #expect(presence.room.description == Self.room && presence.nick == "Al")
    #expect(presence.statuses == [RoomStatus.created, RoomStatus.ownPresence])
    #expect(
      try presence.items
        == ["c", "d"].map {
          RoomItem(affiliation: .owner, role: .moderator, jid: try JID("a@example.org/\($0)"))
        })
    #expect(presence.show == .away && presence.status == "tea" && presence.occupantID == "7f3a")
    #expect(presence.hats.map(\.title) == ["Host"] && presence.avatarHash == "")
    #expect(presence.capabilities == EntityCapabilities(node: "n", ver: "v"))
  }

  @Test("ejabberd: the room itself, and an occupant without anything")
  func ejabberd() throws {
    let hash = String(repeating: "ab", count: 20)
    let room = try #require(
      try Self.presence(
        "<c xmlns='http://jabber.org/protocol/caps' hash='sha-1' node='http://www.process-one.net/en/ejabberd/' ver='v'/>"
          + "<x xmlns='vcard-temp:x:update'><photo>\(hash)</photo></x>", from: Self.room))
    #expect(room.nick == nil && !room.isOccupant && room.avatarHash == hash && room.capabilities?.ver == "v")
    let occupant = try #require(
      try Self.presence("<x \(Self.user)><item role='visitor' affiliation='none'/></x>"))
    #expect(occupant.items == [RoomItem(affiliation: Affiliation.none, role: .visitor)] && occupant.occupantID == nil)
  }

  @Test("A refused join has its error, and where the room is now")
  func errors() throws {
    let error = """
      <x xmlns='http://jabber.org/protocol/muc'/><error type='cancel' by='\(Self.room)'>\
      <gone xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'>xmpp:new@rooms.example.org?join</gone>\
      <text xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'>moved</text></error>
      """
    let presence = try #require(try Self.presence(error, type: "error"))
    let stanzaError = StanzaError(condition: "gone", text: "moved", by: Self.room)
    #expect(try presence.kind == .error(stanzaError, movedTo: JID("new@rooms.example.org")))
    #expect(!presence.isAvailable && presence.departure == nil && presence.nick == "Al")
  }

  // MARK: - Departures

  @Test(
    "The reason of a departure, by codes alone and beside others",
    arguments: [
      ("", .left(nil)), ("<status code='110'/>", .left(nil)),
      ("<item nick='Bo'/><status code='303'/><status code='110'/>", .nickChange(to: "Bo")),
      ("<item nick='Bo'/><status code='303'/><destroy/><status code='301'/>", .nickChange(to: "Bo")),
      // A change to no nick is none.
      ("<item/><status code='303'/>", .left(nil)), ("<item nick=''/><status code='303'/><status code='307'/>", kick),
      ("<destroy/><item/>", .destroyed(.init())), ("<destroy jid='@'/><status code='307'/>", .destroyed(.init())),
      ("<item><actor nick='Bo'/><reason>r</reason></item><status code='301'/><status code='321'/>", ban),
      ("<status code='321'/><status code='322'/><status code='307'/>", .affiliationLost(by: nil, reason: nil)),
      ("<status code='322'/><status code='307'/><status code='332'/>", .membersOnly(by: nil, reason: nil)),
      ("<status code='307'/><status code='332'/>", kick),
      ("<status code='307'/><status code='333'/>", .disconnected(nil)),
      ("<status code='332'/><status code='333'/>", .shutdown(nil)), ("<status code='333'/>", .disconnected(nil)),
      ("<status code='1307'/><status code='3O7'/><status code='-07'/><status code='99'/><status/>", .left(nil)),
    ] as [(String, RoomPresence.Departure)])
  func departures(_ inside: String, _ departure: RoomPresence.Departure) throws {
    #expect(try Self.departure(inside) == departure)
  }

  private static let kick = RoomPresence.Departure.kicked(by: nil, reason: nil)
  private static let ban = RoomPresence.Departure.banned(by: .init(nick: "Bo"), reason: "r")

  @Test("Prosody: kicked, banned, shut down, lost")
  func removals() throws {
    let item = "<item affiliation='none' role='none'><actor nick='Bo'/><reason>flood</reason></item>"
    let kicked = try Self.departure(item + "<status code='307'/><status code='110'/>")
    #expect(kicked == .kicked(by: .init(nick: "Bo"), reason: "flood") && kicked?.isFinal == true)
    let jid = "<item affiliation='outcast' role='none'><actor jid='bo@example.org'/></item><status code='301'/>"
    #expect(try Self.departure(jid) == .banned(by: .init(jid: JID("bo@example.org")), reason: nil))
    let status = "<status>Kicked: recipient unavailable</status>"
    let lost = try Self.departure("<item affiliation='none' role='none'/><status code='333'/>", outside: status)
    #expect(lost == .disconnected("Kicked: recipient unavailable") && lost?.isFinal == false)
    let destroyed = try Self.departure(
      "<item affiliation='none' role='none'/><destroy jid='new@rooms.example.org'><reason>r</reason>"
        + "<password>p</password></destroy>")
    #expect(
      try destroyed == .destroyed(.init(movedTo: JID("new@rooms.example.org"), reason: "r", password: "p")))
  }

  @Test("ejabberd: lost without a code, and an empty element")
  func ejabberdRemovals() throws {
    let status = "<status>Kicked: error</status>"
    #expect(try Self.departure("<item affiliation='none' role='none'/>", outside: status) == .left("Kicked: error"))
    #expect(try Self.departure("") == .left(nil))
  }

  // MARK: - Hostile

  @Test("Of two elements of the room one is forged, and none counts")
  func forged() throws {
    let forged =
      "<x \(Self.user)><item affiliation='owner' role='moderator'/><status code='110'/><status code='301'/></x>"
    for type in [nil, "unavailable"] {
      let presence = try #require(
        try Self.presence(forged + "<x \(Self.user)><item affiliation='none' role='visitor'/></x>", type: type))
      #expect(!presence.isOccupant && presence.items.isEmpty && presence.statuses.isEmpty && !presence.isOwn)
      #expect(presence.departure == (type == nil ? nil : .left(nil)))
    }
  }

  @Test("Of two occupant ids none counts, and a long one does not")
  func occupantIDs() throws {
    let id = "<occupant-id xmlns='urn:xmpp:occupant-id:0' id='1'/>"
    #expect(try Self.presence(id)?.occupantID == "1")
    #expect(try Self.presence(id + id)?.occupantID == nil)
  }

  @Test("A presence of nobody, of a subscription or of another kind is none of a room")
  func others() throws {
    for type in ["subscribe", "subscribed", "unsubscribe", "unsubscribed", "probe", "available", ""] {
      #expect(try Self.presence("", type: type) == nil)
    }
    for from in ["", "@", "a@b@c/d", "hall@rooms.example.org/"] { #expect(try Self.presence("", from: from) == nil) }
    #expect(try RoomPresence(element("<presence/>")) == nil)
    #expect(try RoomPresence(element("<message from='\(Self.room)'/>")) == nil)
  }

  @Test("Nicks of 1,023 bytes, of a blank, of bidi characters and of slashes are what they are")
  func nicks() throws {
    let long = String(repeating: "x", count: 1_023)
    for nick in [long, " ", "\u{202E}liame", "/help", "alice@example.org", "🦊"] {
      #expect(try Self.presence("", from: "\(Self.room)/\(nick)")?.nick == nick)
      #expect(
        try Self.departure("<item nick='\(nick)'/><status code='303'/>") == .nickChange(to: nick))
    }
    #expect(try Self.presence("", from: "\(Self.room)/\(long)x") == nil)
    #expect(try Self.departure("<item nick='\(long)x'/><status code='303'/>") == .left(nil))
  }

  @Test("Items, codes and texts without end are cut")
  func bounds() throws {
    let inside =
      String(repeating: "<item role='none'/>", count: 1_000)
      + (100...999).map { "<status code='\($0)'/>" }.joined()
    let text = String(repeating: "é", count: 5_000)
    let presence = try #require(
      try Self.presence("<status>\(text)</status><x \(Self.user)>\(inside)</x>"))
    #expect(presence.items.count == 64 && presence.statuses == Set(100...163))
    #expect(presence.status?.unicodeScalars.count == 1_000)
    let reason = try #require(
      try Self.presence(
        "<x \(Self.user)><item role='?' affiliation='?' jid='@'><reason>\(text)</reason><actor/></item></x>"))
    #expect(reason.items[0].reason?.unicodeScalars.count == 1_000)
    #expect(reason.items[0].role == nil && reason.items[0].affiliation == nil && reason.items[0].jid == nil)
    #expect(reason.items[0].actor == .init())
  }
}
