import Clocks
import Testing
import XML
import XMPPExtensions

@Suite struct XEP0297StanzaForwardingTests {
  static let message = "<message from='bob@example.org/x'><body>hello</body></message>"

  static func wrapped(_ content: String) throws -> Element {
    try element("<x xmlns='urn:x'>\(content)</x>")
  }

  static func forwarded(_ content: String) -> String {
    "<forwarded xmlns='urn:xmpp:forward:0'>\(content.replacing("<message from", with: "<message xmlns='jabber:client' from"))</forwarded>"
  }

  @Test func theMessageAndItsTimeAreRead() throws {
    let delay = "<delay xmlns='urn:xmpp:delay' stamp='2010-07-10T23:08:25Z'/>"
    let found = try #require(ForwardedMessage(in: Self.wrapped(Self.forwarded(delay + Self.message))))
    #expect(found.message.attribute("from") == "bob@example.org/x")
    #expect(found.time == Timestamp(rfc3339: "2010-07-10T23:08:25Z"))
    #expect(try #require(ForwardedMessage(in: Self.wrapped(Self.forwarded(Self.message)))).time == nil)
  }

  @Test func aStampThatIsNoTimeIsNone() throws {
    for stamp in ["", "yesterday", "99999-01-01T00:00:00Z", "2010-07-10"] {
      let delay = "<delay xmlns='urn:xmpp:delay' stamp='\(stamp)'/>"
      #expect(try #require(ForwardedMessage(in: Self.wrapped(Self.forwarded(delay + Self.message)))).time == nil)
    }
  }

  @Test func anythingButOneMessageOneLevelDeepIsNone() throws {
    let twice = Self.forwarded(Self.message)
    let carbon = "<received xmlns='urn:xmpp:carbons:2'>\(twice)</received>"
    let result = "<result xmlns='urn:xmpp:mam:2' id='1'>\(twice)</result>"
    for none in [
      "", Self.message, Self.forwarded(""), twice + twice, Self.forwarded(Self.message + Self.message),
      Self.forwarded("<presence xmlns='jabber:client'/>"),
      "<forwarded xmlns='urn:xmpp:forward:0'><message xmlns='jabber:server'/></forwarded>",
      Self.forwarded("<message from='a@b'>\(carbon)</message>"),
      Self.forwarded("<message from='a@b'>\(result)</message>"),
      "<forwarded>\(Self.message)</forwarded>", "<y>\(twice)</y>",
    ] { #expect(try ForwardedMessage(in: Self.wrapped(none)) == nil, "\(none)") }
  }
}
