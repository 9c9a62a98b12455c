import Clocks
import Testing
import XML
import XMPPCore

@testable import XMPPExtensions

@Suite("Moderation")
struct XEP0425MessageModerationTests {
  static let room = "hall@rooms.example.org"
  private static let id = "<occupant-id xmlns='urn:xmpp:occupant-id:0' id='7f'/>"

  /// As mod_muc_moderation of Prosody announces it.
  private static let zero = """
    <apply-to xmlns='urn:xmpp:fasten:0' id='s1'><moderated xmlns='urn:xmpp:message-moderate:0' by='\(room)/Al'>\
    <retract xmlns='urn:xmpp:message-retract:0'/><reason>spam</reason>\(id)</moderated></apply-to>
    """
  private static let one = """
    <retract xmlns='urn:xmpp:message-retract:1' id='s1'><moderated xmlns='urn:xmpp:message-moderate:1' by='\(room)/Al'>\
    \(id)</moderated><reason>spam</reason></retract>
    """

  private func message(_ children: String, from: String = room, type: String = "groupchat") throws -> Element {
    try element("<message from='\(from)' type='\(type)'>\(children)</message>")
  }

  @Test("A request is for one message, in the version that the room has")
  func requests() throws {
    func request(_ version: Moderation.Version, _ reason: String? = nil) throws -> Element {
      try element(Moderation.request("s1", in: JID(Self.room), reason: reason, version, id: "1"))
    }
    #expect(
      try request(.zero, "spam")
        == element(
          "<iq type='set' to='\(Self.room)' id='1'><apply-to xmlns='urn:xmpp:fasten:0' id='s1'>"
            + "<moderate xmlns='urn:xmpp:message-moderate:0'><retract xmlns='urn:xmpp:message-retract:0'/>"
            + "<reason>spam</reason></moderate></apply-to></iq>"))
    #expect(
      try request(.one)
        == element(
          "<iq type='set' to='\(Self.room)' id='1'><moderate xmlns='urn:xmpp:message-moderate:1' id='s1'>"
            + "<retract xmlns='urn:xmpp:message-retract:1'/></moderate></iq>"))
  }

  @Test("The room announces it in either version, or in both", arguments: [zero, one, zero + one])
  func announcements(_ xml: String) throws {
    let moderation = try #require(try Moderation.announcement(in: message(xml)))
    #expect(try moderation.stanzaID == "s1" && moderation.by == JID(Self.room + "/Al") && moderation.reason == "spam")
    #expect(moderation.occupantID == "7f" && moderation.time == nil)
    #expect(try Moderation.tombstone(in: message(xml)) == nil)
  }

  @Test("An occupant cannot announce it, and a retraction is none")
  func forged() throws {
    for xml in [Self.zero, Self.one] {
      #expect(try Moderation.announcement(in: message(xml, from: Self.room + "/Al")) == nil)
      #expect(try Moderation.announcement(in: message(xml, type: "chat")) == nil)
      #expect(try Moderation.announcement(in: message(xml, type: "error")) == nil)
      #expect(try Moderation.announcement(in: message(xml.replacing("id='s1'", with: ""))) == nil)
      #expect(try Moderation.announcement(in: message(xml + xml)) == nil)
    }
    #expect(try Moderation.announcement(in: message("<retract xmlns='urn:xmpp:message-retract:1' id='s1'/>")) == nil)
    let other = Self.zero.replacing("<retract xmlns='urn:xmpp:message-retract:0'/>", with: "")
    #expect(try Moderation.announcement(in: message(other)) == nil)
  }

  @Test(
    "An archive keeps a tombstone of either version",
    arguments: [
      "<moderated xmlns='urn:xmpp:message-moderate:0' by='\(room)/Al'>\(id)"
        + "<retracted xmlns='urn:xmpp:message-retract:0' stamp='2026-11-20T09:10:00Z'/><reason>spam</reason></moderated>",
      "<retracted xmlns='urn:xmpp:message-retract:1' stamp='2026-11-20T09:10:00Z'>"
        + "<moderated xmlns='urn:xmpp:message-moderate:1' by='\(room)/Al'>\(id)</moderated><reason>spam</reason></retracted>",
    ])
  func tombstones(_ xml: String) throws {
    let archived = try message(Self.id.replacing("7f", with: "8a") + xml, from: Self.room + "/Bo")
    let moderation = try #require(Moderation.tombstone(in: archived))
    #expect(try moderation.stanzaID == nil && moderation.by == JID(Self.room + "/Al") && moderation.reason == "spam")
    #expect(moderation.occupantID == "7f" && moderation.time == Timestamp(rfc3339: "2026-11-20T09:10:00Z"))
    #expect(try Moderation.tombstone(in: message("<body>x</body>" + xml)) == nil)
    #expect(try Moderation.announcement(in: message(xml)) == nil)
  }

  @Test("A message without these is no tombstone")
  func whole() throws {
    for xml in [
      "", "<retracted xmlns='urn:xmpp:message-retract:1'/>", "<moderated xmlns='urn:xmpp:message-moderate:0'/>",
      "<moderated xmlns='urn:xmpp:message-moderate:1'/>",
    ] {
      #expect(try Moderation.tombstone(in: message(xml)) == nil)
    }
  }
}
