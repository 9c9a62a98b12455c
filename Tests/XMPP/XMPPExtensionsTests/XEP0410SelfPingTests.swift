import Testing
import XML
import XMPPCore

@testable import XMPPExtensions

@Suite("Pings to ourselves in a room")
struct XEP0410SelfPingTests {
  static let occupant = "hall@rooms.example.org/Al"

  @Test("The ping goes to our place in the room")
  func request() throws {
    let request = try element(SelfPing.request(JID(Self.occupant), id: "1"))
    #expect(try request == element("<iq type='get' id='1' to='\(Self.occupant)'><ping xmlns='urn:xmpp:ping'/></iq>"))
  }

  /// As Prosody and ejabberd answer.
  @Test(
    "Each answer means one thing",
    arguments: [
      ("cancel", "not-acceptable", .notJoined), ("modify", "not-acceptable", .notJoined),
      ("cancel", "item-not-found", .nickChangedOrGone), ("cancel", "gone", .gone(movedTo: nil)),
      ("cancel", "service-unavailable", .joined), ("cancel", "feature-not-implemented", .joined),
      ("cancel", "remote-server-not-found", .unknown), ("wait", "remote-server-timeout", .unknown),
      ("cancel", "not-allowed", .notJoined), ("modify", "bad-request", .notJoined), ("cancel", "made-up", .notJoined),
    ] as [(String, String, SelfPing.Outcome)])
  func errors(_ type: String, _ condition: String, _ outcome: SelfPing.Outcome) throws {
    let error = "<error type='\(type)'><\(condition) xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>"
    #expect(try SelfPing.outcome(of: element("<iq type='error' from='\(Self.occupant)'>\(error)</iq>")) == outcome)
  }

  @Test("A result means that we are there; a destroyed room says where it is now")
  func others() throws {
    #expect(try SelfPing.outcome(of: element("<iq type='result' from='\(Self.occupant)'/>")) == .joined)
    let gone = """
      <iq type='error'><error type='cancel'><gone xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'>\
      xmpp:new@rooms.example.org?join</gone></error></iq>
      """
    #expect(try SelfPing.outcome(of: element(gone)) == .gone(movedTo: JID("new@rooms.example.org")))
    #expect(try SelfPing.outcome(of: element("<iq type='error'/>")) == .notJoined)
  }
}
