import Testing
import XMPPExtensions

@Suite struct XEP0398AvatarConversionTests {
  @Test func serversAnnounceTheConversion() throws {
    let info = try #require(
      DiscoInfo(
        element(
          "<iq type='result' id='1'><query xmlns='http://jabber.org/protocol/disco#info'>"
            + "<feature var='urn:xmpp:pep-vcard-conversion:0'/></query></iq>")))
    #expect(info.has(AvatarConversion.feature))
  }
}
