import Testing
import XML
import XMPPExtensions

@Suite struct XEP0092SoftwareVersionTests {
  static let request = "<iq id='1' type='get'><query xmlns='jabber:iq:version'/></iq>"

  @Test func weSayWhichSoftwareThisIsAndNotOnWhat() throws {
    #expect(
      try answer(Self.request)
        == element(
          "<iq type='result' id='1'><query xmlns='jabber:iq:version'><name>Confab</name><version>0.1.0</version></query></iq>"
        ))
  }

  @Test func theSystemIsSaidWhereAsked() throws {
    let query = try answer(Self.request, .test(operatingSystem: "A < B"))?.child("query", "jabber:iq:version")
    #expect(query?.child("os", "jabber:iq:version")?.text == "A < B")
  }
}
