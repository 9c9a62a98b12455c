import Testing
import XML
import XMPPCore
import XMPPExtensions

@Suite struct XEP0184MessageDeliveryReceiptsTests {
  @Test func isWrittenAndRead() throws {
    let stanza = try element(DeliveryReceipt.stanza(to: JID("a@b/c"), type: "normal", id: "1", about: "<'&>"))
    #expect(
      try stanza
        == element(
          "<message to='a@b/c' type='normal' id='1'><received xmlns='urn:xmpp:receipts' id='&lt;&apos;&amp;&gt;'/></message>"
        ))
    #expect(signals(stanza) == [.delivered(id: "<'&>")])
  }

  private func signals(_ message: Element) -> [MessageSignal] { MessageParts(of: message).signals(of: message) }

  @Test func isNoneWithoutAnID() throws {
    #expect(try signals(element("<message><received xmlns='urn:xmpp:receipts'/></message>")).isEmpty)
    #expect(try signals(element("<message><received xmlns='urn:other' id='1'/></message>")).isEmpty)
    for id in ["", String(repeating: "x", count: DeliveryReceipt.longestID + 1)] {
      let message = try element("<message><received xmlns='urn:xmpp:receipts' id='\(id)'/></message>")
      #expect(signals(message).isEmpty)
    }
  }
}
