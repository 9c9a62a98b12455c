import Testing
import XML
import XMPPCore

@testable import XMPPExtensions

@Suite("Rooms of Prosody and ejabberd")
struct RoomStanzasTests {
  private typealias Stanzas = RoomStanzas

  private static let al = "al@localhost/c"
  private static let bo = "bo@localhost/c"

  private func presence(_ xml: String) throws -> RoomPresence { try #require(try RoomPresence(element(xml))) }

  @Test("A new room", arguments: [RoomStanzas.prosodyJoin, RoomStanzas.ejabberdJoin])
  func joining(_ xml: String) throws {
    let presence = try presence(xml)
    #expect(presence.isAvailable && presence.isOwn && presence.nick == "Al" && presence.id == "j1")
    #expect(presence.statuses == [RoomStatus.created, RoomStatus.ownPresence])
    #expect(try presence.items == [RoomItem(affiliation: .owner, role: .moderator, jid: JID(Self.al))])
    let occupantID = "GfVRx3VlzYNYbCyvM34uEBmdXr/ecozu1fHwodjdTLc="
    #expect(presence.occupantID == (xml == Stanzas.prosodyJoin ? occupantID : nil))
  }

  @Test("ejabberd's room has a presence of its own, which nobody leaves by")
  func room() throws {
    let presence = try presence(Stanzas.ejabberdRoom)
    #expect(
      presence.nick == nil && !presence.isOccupant && presence.capabilities?.ver == "94Y7MuW5ZbbekK4bo1R7KliKmS4=")
    #expect(try self.presence(Stanzas.ejabberdLeft).departure == nil)
  }

  @Test(
    "Departures",
    arguments: [
      (RoomStanzas.prosodyNick, .nickChange(to: "Bob")), (RoomStanzas.ejabberdNick, .nickChange(to: "Bob")),
      (RoomStanzas.prosodyKick, .kicked(by: .init(nick: "Al"), reason: "flood")),
      (RoomStanzas.ejabberdKick, .kicked(by: .init(nick: "Al"), reason: "flood")),
    ] as [(String, RoomPresence.Departure)])
  func departures(_ xml: String, _ departure: RoomPresence.Departure) throws {
    #expect(try presence(xml).departure == departure && presence(xml).isOwn)
  }

  @Test(
    "A destroyed room names the next one", arguments: [RoomStanzas.prosodyDestroyed, RoomStanzas.ejabberdDestroyed])
  func destroyed(_ xml: String) throws {
    let destruction = try RoomPresence.Destruction(movedTo: JID("new@rooms.localhost"), reason: "gone", password: "p")
    let presence = try presence(xml)
    #expect(presence.departure == .destroyed(destruction) && presence.isOwn == (xml == Stanzas.prosodyDestroyed))
  }

  @Test("A refused join, and one of a room that is gone")
  func refused() throws {
    let gone = StanzaError(condition: "gone", text: "gone", by: "rooms.localhost")
    #expect(try presence(Stanzas.prosodyGone).kind == .error(gone, movedTo: JID("new@rooms.localhost")))
    for xml in [Stanzas.prosodyBanned, Stanzas.ejabberdBanned] {
      guard case .error(let error, movedTo: nil) = try presence(xml).kind else {
        Issue.record("no error")
        continue
      }
      #expect(error.type == .auth && error.condition == "forbidden")
    }
  }

  @Test("A request to speak", arguments: [RoomStanzas.prosodyVoice, RoomStanzas.ejabberdVoice])
  func voice(_ xml: String) throws {
    let request = try #require(try VoiceRequest(element(xml)))
    #expect(try request.nick == "Bo" && request.jid == JID(Self.bo) && request.room == JID("hall@rooms.localhost"))
  }

  @Test(
    "An invitation through the room",
    arguments: [
      (RoomStanzas.prosodyInvitation, "hall@rooms.localhost/Al", nil), (RoomStanzas.ejabberdInvitation, al, "t1"),
    ])
  func invitations(_ xml: String, _ inviter: String, _ thread: String?) throws {
    let invitation = try #require(try RoomInvitation(element(xml), from: JID("hall@rooms.localhost")))
    #expect(try invitation.inviter == JID(inviter) && invitation.reason == "tea" && !invitation.isDirect)
    #expect(invitation.thread == thread && invitation.isContinuation == (thread != nil))
    #expect(try DeclinedInvitation(element(Stanzas.prosodyDeclined))?.invitee == JID(Self.bo))
  }

  @Test(
    "Somebody becomes a member without being there", arguments: [RoomStanzas.prosodyMember, RoomStanzas.ejabberdMember])
  func members(_ xml: String) throws {
    let notice = try #require(try RoomNotice(element(xml)))
    #expect(try notice.items.map(\.jid) == [JID("cy@localhost")] && notice.items[0].affiliation == .member)
  }

  @Test("A description")
  func info() throws {
    let prosody = try #require(try DiscoInfo(element(Stanzas.prosodyInfo)).flatMap { RoomInfo($0) })
    #expect(
      prosody.features == [
        .voiceRequests, .registration, .archive, .extendedArchive, .stanzaIDs, .stableIDs, .selfPingOptimization,
        .occupantIDs,
      ])
    #expect(prosody.name == nil && prosody.isModerated == true && prosody.isPersistent == true)
    #expect(prosody.mayChangeSubject == false && prosody.occupants == 1 && prosody.isPublic == false)
    let ejabberd = try #require(try DiscoInfo(element(Stanzas.ejabberdInfo)).flatMap { RoomInfo($0) })
    #expect(ejabberd.features == [.archive, .stanzaIDs] && ejabberd.privateMessages == .anyone)
    #expect(ejabberd.mayChangeSubject == true && ejabberd.language == "en" && ejabberd.isNonAnonymous == false)
    #expect(ejabberd.isPublic == true && ejabberd.gateway == nil)
  }

  @Test("A page of a service's rooms")
  func listing() throws {
    let listing = try #require(try RoomListing(element(Stanzas.ejabberdItems)))
    #expect(listing.rooms.map(\.title) == ["hall"] && listing.rooms.map(\.members) == [1])
    #expect(listing.bounds?.last == "hall")
  }

  @Test(
    "Pings",
    arguments: [
      (RoomStanzas.prosodyPing, .notJoined), (RoomStanzas.ejabberdPing, .notJoined),
      (RoomStanzas.prosodyWrongPing, .nickChangedOrGone), (RoomStanzas.ejabberdWrongPing, .nickChangedOrGone),
    ] as [(String, SelfPing.Outcome)])
  func pings(_ xml: String, _ outcome: SelfPing.Outcome) throws {
    #expect(try SelfPing.outcome(of: element(xml)) == outcome)
  }

  @Test(
    "A configuration form takes each of its own values",
    arguments: [(RoomStanzas.prosodyForm, 20), (RoomStanzas.ejabberdForm, 28)])
  func forms(_ xml: String, _ count: Int) throws {
    let form = try RoomConfiguration.form(in: element(xml))
    #expect(form.fields.count == count && form.formType == "http://jabber.org/protocol/muc#roomconfig")
    for field in form.fields where field.type != .fixed && field.type != .hidden {
      #expect(try form.change(field.name, to: field.values).values == field.values)
    }
    #expect(try form.change("muc#roomconfig_persistentroom", to: ["yes"]).values == ["1"])
    #expect(throws: DataForm.Refusal.notAnOption) { try form.change("muc#roomconfig_whois", to: ["all"]) }
  }

  @Test("A reserved nick")
  func nicks() throws {
    let registration = try #require(try Registration(element(Stanzas.prosodyRegistered)))
    #expect(registration.isRegistered && registration.nick == "Al")
    #expect(try MultiUserChat.reservedNick(in: element(Stanzas.prosodyReserved)) == "Al")
  }

  @Test("A bookmark, and what Prosody makes of it for older clients")
  func bookmarks() throws {
    let event = try element(Stanzas.ejabberdBookmark)
    let bookmark = MessageParts(of: event).event(of: event)?.items.first.flatMap { RoomBookmark($0) }
    let pinned = Array("<pinned xmlns='urn:xmpp:bookmarks-pinning:0'/>".utf8)
    let expected = try RoomBookmark(
      JID("hall@rooms.localhost"), name: "Hall", autojoin: true, nick: "Al", password: "p", extensions: pinned)
    #expect(bookmark == expected)
    var legacy = expected
    legacy.extensions = []
    #expect(try PrivateStorage.bookmarks(in: element(Stanzas.prosodyStorage))?.rooms == [legacy])
  }
}
