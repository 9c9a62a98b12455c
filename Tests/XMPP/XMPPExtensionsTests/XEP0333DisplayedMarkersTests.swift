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
    #expect(signals(stanza) == [.displayed(id: "2")])
    let room = try element(DisplayedMarker.stanza(to: JID("r@b"), type: "groupchat", id: "1", about: "2"))
    #expect(room.attribute("type") == "groupchat" && room.attribute("to") == "r@b")
  }

  private func signals(_ message: Element) -> [MessageSignal] { MessageParts(of: message).signals(of: message) }

  @Test func isNoneWithoutAnID() throws {
    #expect(try signals(element("<message><displayed xmlns='urn:xmpp:chat-markers:0'/></message>")).isEmpty)
    #expect(try signals(element("<message><displayed id='1'/></message>")).isEmpty)
  }
}
