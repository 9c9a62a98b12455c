import Testing
import XML
import XMPPCore
import XMPPExtensions

@Suite struct XEP0115EntityCapabilitiesTests {
  /// Section 5.2.
  @Test func theExampleOfTheDocument() {
    let info = DiscoInfo(
      identities: [.init(category: "client", type: "pc", name: "Exodus 0.9.1")],
      features: [
        "http://jabber.org/protocol/muc", "http://jabber.org/protocol/caps", "http://jabber.org/protocol/disco#items",
        "http://jabber.org/protocol/disco#info",
      ])
    #expect(EntityCapabilities.verification(of: info) == "QgayPKawpkPSDYmwT/WM94uAlu0=")
  }

  @Test func oursAreAnnouncedAndStandForWhatIsAnswered() throws {
    let caps = try #require(EntityCapabilities.own(.test()))
    #expect(
      try element(Presence().serialized { caps.write(into: &$0) })
        == element(
          "<presence><c xmlns='\(Namespace.caps)' hash='sha-1' node='https://confab.example' ver='\(caps.ver)'/></presence>"
        ))
    let answer = try answer(
      "<iq id='1' type='get'><query xmlns='http://jabber.org/protocol/disco#info' node='\(caps.discoNode)'/></iq>")
    let info = try #require(answer.flatMap { DiscoInfo($0) })
    #expect(EntityCapabilities.verification(of: info) == caps.ver)
  }
}
