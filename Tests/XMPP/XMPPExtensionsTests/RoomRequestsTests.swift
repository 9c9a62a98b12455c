import Testing
import XML
import XMPPCore

@testable import XMPPExtensions

@Suite("Running rooms")
struct RoomRequestsTests {
  static let room = "hall@rooms.example.org"

  private func check(_ written: [UInt8], _ type: String, _ query: String) throws {
    #expect(try element(written) == element("<iq type='\(type)' to='\(Self.room)' id='1'>\(query)</iq>"))
  }

  @Test("Roles are set by nick, affiliations by bare address")
  func setting() throws {
    let (room, admin) = (try JID(Self.room), "xmlns='http://jabber.org/protocol/muc#admin'")
    try check(
      RoomAdministration.set(Role.none, of: "Bo & Co", in: room, reason: "<flood>", id: "1"), "set",
      "<query \(admin)><item nick='Bo &amp; Co' role='none'><reason>&lt;flood></reason></item></query>")
    try check(
      RoomAdministration.set(.outcast, of: JID("bo@example.org/x"), in: room, id: "1"), "set",
      "<query \(admin)><item affiliation='outcast' jid='bo@example.org'/></query>")
    try check(
      RoomAdministration.set(.member, of: JID("bo@example.org"), nick: "Bo", in: room, id: "1"), "set",
      "<query \(admin)><item affiliation='member' jid='bo@example.org' nick='Bo'/></query>")
    try check(
      RoomAdministration.list(.outcast, in: room, id: "1"), "get",
      "<query \(admin)><item affiliation='outcast'/></query>")
    try check(
      RoomAdministration.list(Role.moderator, in: room, id: "1"), "get",
      "<query \(admin)><item role='moderator'/></query>")
  }

  @Test("A list holds what its items say")
  func lists() throws {
    let answer = try element(
      "<iq type='result'><query xmlns='http://jabber.org/protocol/muc#admin'>"
        + "<item affiliation='outcast' jid='bo@example.org'><reason>r</reason></item><item/><item xmlns='urn:x'/>"
        + "<item affiliation='?' jid='@' nick=''/></query></iq>")
    let bo = try RoomItem(affiliation: .outcast, jid: JID("bo@example.org"), reason: "r")
    #expect(RoomAdministration.items(in: answer) == [bo, RoomItem(), RoomItem()])
    #expect(try RoomAdministration.items(in: element("<iq type='result'/>")) == nil)
  }

  @Test("A room is configured, opened, and destroyed")
  func owning() throws {
    let (room, owner) = (try JID(Self.room), "xmlns='http://jabber.org/protocol/muc#owner'")
    try check(RoomConfiguration.request(room, id: "1"), "get", "<query \(owner)/>")
    try check(
      RoomConfiguration.acceptDefaults(room, id: "1"), "set",
      "<query \(owner)><x xmlns='jabber:x:data' type='submit'/></query>")
    try check(
      RoomConfiguration.cancel(room, id: "1"), "set", "<query \(owner)><x xmlns='jabber:x:data' type='cancel'/></query>"
    )
    try check(RoomConfiguration.destroy(room, id: "1"), "set", "<query \(owner)><destroy/></query>")
    try check(
      RoomConfiguration.destroy(room, movedTo: JID("new@rooms.example.org"), password: "p", reason: "r", id: "1"),
      "set",
      "<query \(owner)><destroy jid='new@rooms.example.org'><password>p</password><reason>r</reason></destroy></query>")
    let answer = "<iq type='result'><query \(owner)>\(XEP0004DataFormsTests.configuration)</query></iq>"
    let form = try RoomConfiguration.form(in: element(answer))
    try check(
      RoomConfiguration.submit(form, [form.change("muc#roomconfig_roomname", to: ["New"])], to: room, id: "1"), "set",
      "<query \(owner)><x xmlns='jabber:x:data' type='submit'><field var='FORM_TYPE' type='hidden'>"
        + "<value>http://jabber.org/protocol/muc#roomconfig</value></field><field var='nonce'><value>7</value></field>"
        + "<field var='muc#roomconfig_roomname'><value>New</value></field></x></query>")
    #expect(throws: DataForm.Failure.missing) { try RoomConfiguration.form(in: element("<iq type='result'/>")) }
    #expect(throws: DataForm.Failure.missing) {
      try RoomConfiguration.form(in: element("<iq type='result'><query \(owner)/></iq>"))
    }
  }
}
