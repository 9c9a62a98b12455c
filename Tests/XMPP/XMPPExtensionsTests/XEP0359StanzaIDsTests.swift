import Testing
import XML
import XMPPCore
import XMPPExtensions

@Suite struct XEP0359StanzaIDsTests {
  static func message(_ content: String) throws -> Element { try element("<message>\(content)</message>") }

  static func id(_ by: String, _ id: String) -> String { "<stanza-id xmlns='urn:xmpp:sid:0' by='\(by)' id='\(id)'/>" }

  private func originID(_ content: String) throws -> String? {
    let message = try Self.message(content)
    return MessageParts(of: message).only(.originID).flatMap { StanzaIDs.id(in: message[$0]) }
  }

  @Test func theOriginIDIsRead() throws {
    #expect(try originID("<origin-id xmlns='urn:xmpp:sid:0' id='o'/>") == "o")
    let longest = String(repeating: "x", count: StanzaIDs.longest)
    let long = longest + "x"
    #expect(try originID("<origin-id xmlns='urn:xmpp:sid:0' id='\(longest)'/>") == longest)
    for none in [
      "", "<origin-id id='o'/>", "<origin-id xmlns='urn:xmpp:sid:0'/>", "<origin-id xmlns='urn:xmpp:sid:0' id=''/>",
      "<origin-id xmlns='urn:xmpp:sid:0' id='\(long)'/>",
      "<origin-id xmlns='urn:xmpp:sid:0' id='a'/><origin-id xmlns='urn:xmpp:sid:0' id='b'/>",
    ] { #expect(try originID(none) == nil) }
  }

  @Test func onlyTheAskedAssignersIDIsRead() throws {
    let own = try JID("alice@example.org")
    let both = Self.id("room@x", "1") + Self.id("Alice@Example.ORG", "2")
    #expect(try StanzaIDs.stanzaID(of: Self.message(both), by: own) == "2")
    let long = String(repeating: "é", count: StanzaIDs.longest / 2 + 1)
    for none in [
      Self.id("alice@example.org", long), Self.id("bob@example.org", "1"), Self.id("alice@example.org/x", "1"),
      Self.id("example.org", "1"),
      Self.id("alice@example.org", ""), "<stanza-id xmlns='urn:xmpp:sid:0' id='1'/>", Self.id("a@b@c", "1"),
      "<x xmlns='urn:x'>\(Self.id("alice@example.org", "1"))</x>", "<stanza-id by='alice@example.org' id='1'/>",
    ] { #expect(try StanzaIDs.stanzaID(of: Self.message(none), by: own) == nil) }
  }

  @Test func twoOfOneAssignerAreNone() throws {
    let two = Self.id("alice@example.org", "1") + Self.id("ALICE@example.org", "2")
    #expect(try StanzaIDs.stanzaID(of: Self.message(two), by: JID("alice@example.org")) == nil)
  }
}
