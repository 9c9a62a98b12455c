import Testing
import XML
import XMPPCore
import XMPPExtensions

@Suite struct XEP0333DisplayedMarkersTests {
  @Test func isWrittenAndRead() throws {
    let stanza = try element(DisplayedMarker.stanza(to: JID("a@b/c"), id: "1", about: "2"))
    #expect(
      try stanza
        == element("<message to='a@b' type='chat' id='1'><displayed xmlns='urn:xmpp:chat-markers:0' id='2'/></message>")
    )
    #expect(DisplayedMarker.about(stanza) == "2")
  }

  @Test func isNoneWithoutAnID() throws {
    #expect(
      try DisplayedMarker.about(element("<message><displayed xmlns='urn:xmpp:chat-markers:0'/></message>")) == nil)
    #expect(try DisplayedMarker.about(element("<message><displayed id='1'/></message>")) == nil)
  }
}
