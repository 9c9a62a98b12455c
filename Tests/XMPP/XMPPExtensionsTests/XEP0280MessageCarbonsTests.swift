import Testing
import XML
import XMPPExtensions

@Suite struct XEP0280MessageCarbonsTests {
  static func carbon(_ name: String, _ more: String = "") throws -> MessageCarbon? {
    let message = "<message from='bob@example.org/x'><body>x</body>\(more)</message>"
    let forwarded = XEP0297StanzaForwardingTests.forwarded(message)
    return MessageCarbon(try element("<\(name) xmlns='urn:xmpp:carbons:2'>\(forwarded)</\(name)>"))
  }

  @Test func bothDirectionsAreRead() throws {
    #expect(try Self.carbon("sent")?.direction == .sent)
    #expect(try Self.carbon("received")?.direction == .received)
    #expect(try MessageCarbon(element("<sent xmlns='urn:xmpp:carbons:2'/>")) == nil)
  }

  @Test func whatWasToHaveNoCopiesHasNone() throws {
    #expect(try Self.carbon("received", "<private xmlns='urn:xmpp:carbons:2'/>") == nil)
    #expect(try Self.carbon("sent", "<no-copy xmlns='urn:xmpp:hints'/>") == nil)
    #expect(try Self.carbon("sent", "<no-store xmlns='urn:xmpp:hints'/><private/>") != nil)
  }

  @Test func theyAreAskedFor() throws {
    let request = try element(MessageCarbon.enableRequest(id: "1"))
    #expect(request.attribute("type") == "set")
    #expect(request.attribute("to") == nil)
    #expect(request.child("enable", "urn:xmpp:carbons:2") != nil)
  }
}
