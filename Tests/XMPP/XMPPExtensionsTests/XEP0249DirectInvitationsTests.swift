import Testing
import XML
import XMPPCore

@testable import XMPPExtensions

@Suite struct XEP0249DirectInvitationsTests {
  private static let user = "http://jabber.org/protocol/muc#user"

  private func text(_ children: String, body: String = "", from: String = "bob@example.org/x") throws -> String? {
    RoomInvitation.text(of: try element("<message>\(children)</message>"), body: body, from: try JID(from))
  }

  private func invitation(_ children: String, from: String, type: String = "normal") throws -> RoomInvitation? {
    RoomInvitation(try element("<message type='\(type)'>\(children)</message>"), from: try JID(from))
  }

  @Test("An invitation needs a room")
  func rooms() throws {
    #expect(
      try text("<x xmlns='jabber:x:conference' jid='Club@rooms.example.org'/>")
        == "bob@example.org invites to the room club@rooms.example.org.")
    for none in ["", "<x xmlns='jabber:x:conference'/>", "<x xmlns='jabber:x:conference' jid='@'/>"] {
      #expect(try text(none) == nil)
    }
  }

  @Test("One that a room sends names who invites")
  func mediated() throws {
    let room = "club@rooms.example.org"
    func text(_ inviter: String) throws -> String? {
      let invite = "<invite from='\(inviter)'><reason>tea</reason></invite>"
      return try self.text("<x xmlns='\(Self.user)'>\(invite)</x>", from: room)
    }
    #expect(try text("carol@example.org/x") == "carol@example.org invites to the room \(room): tea")
    #expect(try text("\(room)/Carol") == "Carol invites to the room \(room): tea")
    #expect(try text("@") == "\(room) invites to the room \(room): tea")
    #expect(try self.text("<x xmlns='\(Self.user)'><invite to='carol@example.org'/></x>", from: room) == nil)
  }

  /// As Prosody and ejabberd send it, with a body and the element of a direct one beside it.
  @Test("One that a room sends has its password, and goes before a direct one")
  func parts() throws {
    let room = "club@rooms.example.org"
    let xml = """
      <x xmlns='\(Self.user)'><invite from='\(room)/Carol'><reason>tea</reason><continue thread='t1'/></invite>\
      <password>p</password></x><x xmlns='jabber:x:conference' jid='\(room)'/><body>Carol invites you</body>
      """
    let invitation = try #require(try invitation(xml, from: room))
    #expect(invitation.room.description == room && !invitation.isDirect && invitation.password == "p")
    #expect(try invitation.inviter == JID("\(room)/Carol") && invitation.reason == "tea")
    #expect(invitation.isContinuation && invitation.thread == "t1")
    let decline = """
      <message to='\(room)' id='1'><x xmlns='\(Self.user)'><decline to='\(room)/Carol'><reason>busy</reason></decline></x>\
      </message>
      """
    #expect(try invitation.decline(reason: "busy", id: "1").map { try element($0) } == element(decline))
  }

  @Test("One from somebody is direct, and is not declined")
  func direct() throws {
    let xml = """
      <x xmlns='jabber:x:conference' jid='club@rooms.example.org' password='p' reason='tea' continue='1' thread='t1'/>
      """
    let invitation = try #require(try invitation(xml, from: "bob@example.org/x"))
    #expect(try invitation.isDirect && invitation.inviter == JID("bob@example.org/x") && invitation.password == "p")
    #expect(invitation.reason == "tea" && invitation.isContinuation && invitation.thread == "t1")
    #expect(invitation.decline(id: "1") == nil)
    let sent = try invitation.direct(to: JID("carol@example.org"), id: "2")
    #expect(
      try element(sent)
        == element("<message to='carol@example.org' id='2'>\(xml.replacing("'1'", with: "'true'"))</message>"))
  }

  @Test("It is sent through the room, too")
  func sending() throws {
    let invitation = try RoomInvitation(to: JID("club@rooms.example.org/x"), password: "p", reason: "a < b")
    let mediated = """
      <message to='club@rooms.example.org' id='1'><x xmlns='\(Self.user)'><invite to='carol@example.org'>\
      <reason>a &lt; b</reason></invite></x></message>
      """
    #expect(try element(invitation.mediated(for: JID("carol@example.org"), id: "1")) == element(mediated))
    let direct = """
      <message to='carol@example.org' id='1'>\
      <x xmlns='jabber:x:conference' jid='club@rooms.example.org' password='p' reason='a &lt; b'/></message>
      """
    #expect(try element(invitation.direct(to: JID("carol@example.org"), id: "1")) == element(direct))
  }

  @Test("What an occupant says to all, or in the room's name, and an error invite nobody")
  func forged() throws {
    let direct = "<x xmlns='jabber:x:conference' jid='club@rooms.example.org'/>"
    let mediated = "<x xmlns='\(Self.user)'><invite from='boss@example.org'/></x>"
    let occupant = "hall@rooms.example.org/Eve"
    for type in ["groupchat", "error"] {
      #expect(try invitation(direct, from: occupant, type: type) == nil)
      #expect(try invitation(mediated, from: "hall@rooms.example.org", type: type) == nil)
    }
    #expect(try invitation(mediated, from: occupant, type: "chat") == nil)
    #expect(try invitation(mediated + mediated, from: "hall@rooms.example.org") == nil)
    #expect(try invitation(direct, from: occupant, type: "chat")?.isDirect == true)
  }
}
