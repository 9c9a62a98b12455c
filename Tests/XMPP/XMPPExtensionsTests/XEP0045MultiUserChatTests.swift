import Clocks
import Testing
import XML
import XMPPCore

@testable import XMPPExtensions

@Suite("Rooms: joining, leaving, topics")
struct XEP0045MultiUserChatTests {
  static let xmlns = "xmlns='http://jabber.org/protocol/muc'"
  static let occupant = "hall@rooms.example.org/Al"

  @Test(
    "A join asks for the history that is wanted",
    arguments: [
      (.standard, ""), (.last(0), "<history maxstanzas='0'/>"),
      (.since(Timestamp(milliseconds: 1_795_165_800_123)), "<history since='2026-11-20T09:10:00.123Z'/>"),
      (
        .lastSince(20, Timestamp(milliseconds: 1_795_165_800_123)),
        "<history maxstanzas='20' since='2026-11-20T09:10:00.123Z'/>"
      ),
    ] as [(MultiUserChat.History, String)])
  func history(_ history: MultiUserChat.History, _ xml: String) throws {
    let join = try MultiUserChat.join(JID(Self.occupant), history: history, id: "1")
    #expect(
      try element(join) == element("<presence to='\(Self.occupant)' id='1'><x \(Self.xmlns)>\(xml)</x></presence>"))
  }

  @Test("A join has the password, how we are, and what else belongs to a presence")
  func join() throws {
    let join = try MultiUserChat.join(JID(Self.occupant), password: "<&", show: .away, status: "back", id: "1") {
      $0.empty("c", xmlns: Namespace.caps)
    }
    let expected = """
      <presence to='\(Self.occupant)' id='1'><show>away</show><status>back</status><x \(Self.xmlns)>\
      <history maxstanzas='0'/><password>&lt;&amp;</password></x><c xmlns='http://jabber.org/protocol/caps'/></presence>
      """
    #expect(try element(join) == element(expected))
  }

  @Test("Another nick and leaving are presences without the element of a join")
  func others() throws {
    let update = try MultiUserChat.update(JID("hall@rooms.example.org/Bo"), show: .dnd, id: "1")
    #expect(
      try element(update)
        == element("<presence to='hall@rooms.example.org/Bo' id='1'><show>dnd</show></presence>"))
    let leave = try MultiUserChat.leave(JID(Self.occupant), status: "bye", id: "1")
    #expect(
      try element(leave)
        == element("<presence type='unavailable' to='\(Self.occupant)' id='1'><status>bye</status></presence>"))
  }

  @Test(
    "A subject without a body is a topic",
    arguments: [
      ("<subject/>", ""), ("<subject>tea</subject>", "tea"), ("<subject/><subject xml:lang='de'>Tee</subject>", "Tee"),
      ("<subject>tea</subject><body>x</body>", nil), ("<subject>tea</subject><body/>", nil), ("<body>x</body>", nil),
      ("<subject xmlns='urn:x'>tea</subject>", nil), ("", nil),
    ])
  func topics(_ children: String, _ topic: String?) throws {
    let message = try element("<message type='groupchat' from='\(Self.occupant)'>\(children)</message>")
    #expect(MultiUserChat.subject(in: message) == topic)
  }

  @Test("A topic is set and taken away")
  func settingTopics() throws {
    for text in ["tea", ""] {
      let message = try MultiUserChat.setSubject(of: JID("hall@rooms.example.org"), to: text, id: "1")
      let xml = "<message type='groupchat' to='hall@rooms.example.org' id='1'><subject>\(text)</subject></message>"
      #expect(try element(message) == element(xml))
      #expect(try MultiUserChat.subject(in: element(message)) == text)
    }
  }

  @Test(
    "A room that is gone says where it is now",
    arguments: [
      ("xmpp:new@rooms.example.org?join", "new@rooms.example.org"), ("new@rooms.example.org", "new@rooms.example.org"),
      ("xmpp:NEW@rooms.example.org", "new@rooms.example.org"), ("", nil), ("xmpp:", nil), ("rooms.example.org", nil),
      ("http://example.org", nil),
    ])
  func moved(_ text: String, _ room: String?) throws {
    for stanza in ["presence", "iq", "message"] {
      let xml = """
        <\(stanza) type='error' from='hall@rooms.example.org'><error type='cancel'>\
        <gone xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'>\(text)</gone></error></\(stanza)>
        """
      #expect(try MultiUserChat.movedTo(element(xml)) == room.map { try JID($0) })
    }
  }

  @Test("A reserved nick is asked for, and read if it can be one")
  func reservedNick() throws {
    let info = "xmlns='http://jabber.org/protocol/disco#info' node='x-roomuser-item'"
    let request = try MultiUserChat.requestReservedNick(in: JID("hall@rooms.example.org"), id: "1")
    #expect(try element(request) == element("<iq type='get' to='hall@rooms.example.org' id='1'><query \(info)/></iq>"))
    func nick(_ name: String, _ attributes: String = info) throws -> String? {
      try MultiUserChat.reservedNick(
        in: element(
          "<iq type='result'><query \(attributes)><identity category='conference' type='text' name='\(name)'/></query></iq>"
        ))
    }
    #expect(try nick("Al") == "Al")
    #expect(try nick("") == nil && nick(String(repeating: "x", count: 1_024)) == nil)
    #expect(try nick("Hall", "xmlns='http://jabber.org/protocol/disco#info'") == nil)
    #expect(try MultiUserChat.reservedNick(in: element("<iq type='result'><query \(info)/></iq>")) == nil)
  }
}
