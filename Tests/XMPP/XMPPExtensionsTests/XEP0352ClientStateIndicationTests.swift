import Testing
import XMPPExtensions

/// The examples of XEP-0352.
@Suite("XEP-0352: Client State Indication")
struct XEP0352ClientStateIndicationTests {
  @Test("Each state is an element of its own")
  func elements() {
    #expect(String(decoding: ClientStateIndication.active.bytes, as: UTF8.self) == "<active xmlns='urn:xmpp:csi:0'/>")
    #expect(
      String(decoding: ClientStateIndication.inactive.bytes, as: UTF8.self) == "<inactive xmlns='urn:xmpp:csi:0'/>")
  }
}
