import Clocks
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

  @Test func isReadInATombstone() throws {
    let retracted = "<retracted xmlns='urn:xmpp:message-retract:1' id='r1' stamp='2025-10-01T10:05:00Z'/>"
    let tombstone = try element("<message id='1'>\(retracted)</message>")
    let time = Timestamp(rfc3339: "2025-10-01T10:05:00Z")
    #expect(
      MessageParts(of: tombstone).change(of: tombstone) == ChangeRequest(.retraction(reason: nil), of: "1", at: time))
    for other in ["<message>\(retracted)</message>", "<message id='1'>\(retracted)<body>x</body></message>"] {
      let message = try element(other)
      #expect(MessageParts(of: message).change(of: message) == nil)
    }
  }
}
