import Testing
import XML
import XMPPCore
import XMPPExtensions

@Suite struct XEP0199PingTests {
  @Test func isAsked() throws {
    #expect(try element(Ping.request(id: "1")) == element("<iq type='get' id='1'><ping xmlns='urn:xmpp:ping'/></iq>"))
    #expect(try element(Ping.request(to: JID("a@b/c"), id: "1")).attribute("to") == "a@b/c")
  }

  @Test func isAnsweredByNothingButAResult() throws {
    let answer = try #require(try answer("<iq id='1' type='get'><ping xmlns='urn:xmpp:ping'/></iq>"))
    #expect(try answer == element("<iq id='1' type='result'/>"))
  }
}
