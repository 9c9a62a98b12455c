import Testing
import XML
import XMPPCore

@testable import XMPPExtensions

@Suite("Messages of rooms")
struct RoomMessagesTests {
  static let room = "hall@rooms.example.org"
  static let user = "xmlns='http://jabber.org/protocol/muc#user'"

  private func message(_ children: String, from: String = room, type: String = "groupchat") throws -> Element {
    try element("<message from='\(from)' type='\(type)' id='1'>\(children)</message>")
  }

  @Test("A room tells of its configuration, and an occupant cannot")
  func configuration() throws {
    let codes = "<x \(Self.user)><status code='104'/><status code='172'/></x>"
    let notice = try #require(try RoomNotice(message(codes)))
    #expect(notice.room.description == Self.room && notice.statuses == [104, 172] && notice.isConfigurationChange)
    #expect(try RoomNotice(message(codes, from: Self.room + "/Al")) == nil)
    #expect(try RoomNotice(message(codes, type: "error")) == nil)
    #expect(try RoomNotice(message(codes + codes)) == nil)
    #expect(try RoomNotice(message("<x \(Self.user)/>")) == nil)
    #expect(try RoomNotice(element("<message>\(codes)</message>")) == nil)
    #expect(try RoomNotice(message("<x \(Self.user)><status code='110'/></x>"))?.isConfigurationChange == false)
  }

  @Test("A room tells of the affiliation of somebody who is not there")
  func affiliation() throws {
    let xml =
      "<message from='\(Self.room)'><x \(Self.user)><item affiliation='member' jid='bo@example.org'/></x></message>"
    let notice = try #require(try RoomNotice(element(xml)))
    #expect(try notice.items == [RoomItem(affiliation: .member, jid: JID("bo@example.org"))])
    #expect(!notice.isConfigurationChange)
  }

  @Test("A declined invitation names who declines")
  func declined() throws {
    let decline = "<x \(Self.user)><decline from='bo@example.org/x'><reason>busy</reason></decline></x>"
    let declined = try #require(try DeclinedInvitation(message(decline, type: "normal")))
    #expect(try declined.invitee == JID("bo@example.org/x") && declined.reason == "busy")
    #expect(try DeclinedInvitation(message(decline, from: Self.room + "/Al")) == nil)
    #expect(try DeclinedInvitation(message("<x \(Self.user)/>")) == nil)
  }

  // MARK: - Voice

  private static func form(_ fields: String, type: String = "form") -> String {
    "<x xmlns='jabber:x:data' type='\(type)'><field var='FORM_TYPE' type='hidden'>"
      + "<value>http://jabber.org/protocol/muc#request</value></field>\(fields)</x>"
  }

  private static let asked = """
    <field var='muc#role' type='list-single'><value>participant</value></field>\
    <field var='muc#jid' type='jid-single'><value>bo@example.org/x</value></field>\
    <field var='muc#roomnick' type='text-single'><value>Bo</value></field>
    """
  private static let allow = "<field var='muc#request_allow' type='boolean'><value>false</value></field>"

  @Test("A request to speak is asked, read and answered", arguments: [true, false])
  func voice(_ isGranted: Bool) throws {
    let ask = try element(VoiceRequest.ask(in: JID(Self.room), id: "1"))
    let role = "<field var='muc#role'><value>participant</value></field>"
    #expect(try ask == element("<message to='\(Self.room)' id='1'>\(Self.form(role, type: "submit"))</message>"))
    let request = try #require(try VoiceRequest(message(Self.form(Self.asked + Self.allow), type: "normal")))
    #expect(try request.nick == "Bo" && request.jid == JID("bo@example.org/x"))
    let answer = """
      \(role)<field var='muc#jid'><value>bo@example.org/x</value></field><field var='muc#roomnick'>\
      <value>Bo</value></field><field var='muc#request_allow'><value>\(isGranted)</value></field>
      """
    let xml = "<message to='\(Self.room)' id='2'>\(Self.form(answer, type: "submit"))</message>"
    let written = VoiceRequest.answer(
      isGranted, to: request.nick, request.jid?.description, in: request.room, id: "2")
    #expect(try element(written) == element(xml))
  }

  @Test("What an occupant sends, and a form without a nick or a choice, is no request to speak")
  func noVoice() throws {
    let form = Self.form(Self.asked + Self.allow)
    #expect(try VoiceRequest(message(form, from: Self.room + "/Al")) == nil)
    #expect(try VoiceRequest(message(form + form)) == nil)
    for form in [Self.form(Self.asked), Self.form(Self.allow), Self.form(Self.asked + Self.allow, type: "submit")] {
      #expect(try VoiceRequest(message(form)) == nil)
    }
    #expect(try VoiceRequest(message(form.replacing("muc#request<", with: "muc#other<"))) == nil)
  }
}
