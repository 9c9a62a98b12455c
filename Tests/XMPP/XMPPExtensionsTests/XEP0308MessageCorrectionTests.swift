import Testing
import XML
import XMPPCore
import XMPPExtensions

@Suite struct XEP0308MessageCorrectionTests {
  private func change(_ xml: String) throws -> ChangeRequest? {
    let message = try element("<message>\(xml)</message>")
    return MessageParts(of: message).change(of: message)
  }

  @Test func isWrittenAndRead() throws {
    var writer = XMLWriter()
    MessageCorrection.write("bad1", into: &writer)
    #expect(String(decoding: writer.bytes, as: UTF8.self) == "<replace xmlns='urn:xmpp:message-correct:0' id='bad1'/>")
    #expect(try change(String(decoding: writer.bytes, as: UTF8.self)) == ChangeRequest(.correction, of: "bad1"))
  }

  @Test func isNoneWithoutOneID() throws {
    #expect(try change("<replace xmlns='urn:xmpp:message-correct:0'/>") == nil)
    #expect(try change("<replace xmlns='urn:xmpp:message-correct:0' id=''/>") == nil)
    #expect(try change("<replace id='1'/>") == nil)
    let one = "<replace xmlns='urn:xmpp:message-correct:0' id='1'/>"
    #expect(try change(one + one) == nil)
  }
}
