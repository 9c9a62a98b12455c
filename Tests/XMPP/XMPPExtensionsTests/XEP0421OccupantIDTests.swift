import Testing
import XML

@testable import XMPPExtensions

@Suite("Occupant ids")
struct XEP0421OccupantIDTests {
  @Test("An id of up to 128 characters is one")
  func reading() throws {
    let longest = String(repeating: "é", count: 128)
    for (id, read) in [("7f3a+/=", "7f3a+/="), ("", nil), (longest, longest), (longest + "x", nil)] {
      for stanza in ["message", "presence"] {
        let xml = "<\(stanza)><body>x</body><occupant-id xmlns='urn:xmpp:occupant-id:0' id='\(id)'/></\(stanza)>"
        #expect(try OccupantID.of(element(xml)) == read)
      }
    }
  }

  @Test(
    "Two ids, an element without one, and one elsewhere are none",
    arguments: [
      "<occupant-id xmlns='urn:xmpp:occupant-id:0' id='1'/><occupant-id xmlns='urn:xmpp:occupant-id:0' id='2'/>",
      "<occupant-id xmlns='urn:xmpp:occupant-id:0' id='1'/><occupant-id xmlns='urn:xmpp:occupant-id:0'/>",
      "<occupant-id xmlns='urn:xmpp:occupant-id:0'/>", "<occupant-id id='1'/>",
      "<x xmlns='urn:x'><occupant-id xmlns='urn:xmpp:occupant-id:0' id='1'/></x>", "",
    ])
  func forged(_ children: String) throws {
    #expect(try OccupantID.of(element("<message>\(children)</message>")) == nil)
  }
}
