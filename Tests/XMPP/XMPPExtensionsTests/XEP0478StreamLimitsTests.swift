import Bytes
import Testing
import XMPPExtensions

@Suite("XEP-0478: Stream Limits Advertisement")
struct XEP0478StreamLimitsTests {
  @Test("A picture fits with its base64 and what is around it", arguments: [10_000, 256 << 10, 1 << 20])
  func picture(stanza: Int) {
    let most = AdvertisedLimits.picture(in: stanza)
    #expect(most > stanza / 2)
    #expect(Base64.encode([UInt8](repeating: 0, count: most)).utf8.count + 1024 <= stanza)
  }

  @Test("Of a stanza that is too short for anything else there is room for none", arguments: [0, 2_048, -5])
  func none(stanza: Int) { #expect(AdvertisedLimits.picture(in: stanza) == 0) }
}
