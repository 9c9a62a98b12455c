import Testing
import XML
import XMPPCore

@testable import XMPPExtensions

@Suite struct XEP0249DirectInvitationsTests {
  private func text(_ children: String, body: String = "") throws -> String? {
    RoomInvitation.text(
      of: try element("<message>\(children)</message>"), body: body, from: try JID("bob@example.org/x"))
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
    let user = "http://jabber.org/protocol/muc#user"
    let invitation = "<x xmlns='\(user)'><invite from='carol@example.org/x'><reason>tea</reason></invite></x>"
    #expect(try text(invitation) == "carol@example.org invites to the room bob@example.org: tea")
    #expect(try text("<x xmlns='\(user)'><invite to='carol@example.org'/></x>") == nil)
  }
}
