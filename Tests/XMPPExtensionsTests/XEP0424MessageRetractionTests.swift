import Testing
import XML
import XMPPCore
import XMPPExtensions

@Suite struct XEP0424MessageRetractionTests {
  @Test func isWrittenAndRead() throws {
    var writer = XMLWriter()
    MessageRetraction.write("wrong-1", into: &writer)
    let message = try element("<message>\(String(decoding: writer.bytes, as: UTF8.self))</message>")
    let parts = MessageParts(of: message)
    #expect(parts.change(of: message) == ChangeRequest(.retraction(reason: nil), of: "wrong-1"))
    let body = try #require(message.child("body", Namespace.client)?.text)
    #expect(body.hasPrefix("/me retracted"))
    #expect(parts.shown(body, of: message, besides: [.retract]) == "")
  }

  @Test func hasAReason() throws {
    let message = try element(
      "<message><retract xmlns='urn:xmpp:message-retract:1' id='1'><reason>wrong person</reason></retract></message>")
    #expect(
      MessageParts(of: message).change(of: message) == ChangeRequest(.retraction(reason: "wrong person"), of: "1"))
  }
}
