import Clocks
import Testing
import XML
import XMPPCore
import XMPPExtensions

@Suite struct XEP0313MessageArchiveTests {
  @Test func aQueryIsAskedForAPage() throws {
    let start = try #require(Timestamp(rfc3339: "2010-06-07T00:00:00Z"))
    let query = ArchiveQuery(token: "f27", start: start, page: .after("a"), max: 250)
    let request = try element(query.request(to: JID("juliet@capulet.lit"), id: "1"))
    #expect(request.attribute("type") == "set")
    #expect(request.attribute("to") == "juliet@capulet.lit")
    let asked = try #require(request.child("query", "urn:xmpp:mam:2"))
    #expect(asked.attribute("queryid") == "f27")
    let fields = try #require(asked.child("x", "jabber:x:data")).children("field", "jabber:x:data")
    #expect(fields.map { $0.attribute("var") } == ["FORM_TYPE", "start"])
    #expect(
      fields.map { $0.child("value", "jabber:x:data")?.text } == ["urn:xmpp:mam:2", "2010-06-07T00:00:00.000Z"])
    #expect(
      asked.child("set", "http://jabber.org/protocol/rsm")?.child("after", "http://jabber.org/protocol/rsm") != nil)
  }

  @Test func withoutATimeThereIsNoForm() throws {
    let query = ArchiveQuery(token: "f27", start: nil, page: .last, max: 1)
    let request = try element(query.request(to: JID("juliet@capulet.lit"), id: "1"))
    #expect(request.child("query", "urn:xmpp:mam:2")?.child("x", "jabber:x:data") == nil)
  }

  static func result(_ attributes: String, _ content: String = "") throws -> ArchiveResult? {
    ArchiveResult(try element("<result xmlns='urn:xmpp:mam:2' \(attributes)>\(content)</result>"))
  }

  @Test func aResultIsRead() throws {
    let message = XEP0297StanzaForwardingTests.forwarded("<message from='bob@example.org'><body>x</body></message>")
    let found = try #require(try Self.result("queryid='q' id='1'", message))
    #expect(found.token == "q")
    #expect(found.id == "1")
    #expect(found.copy != nil)
    // What was taken out of an archive leaves its place behind.
    #expect(try #require(try Self.result("id='1'", XEP0297StanzaForwardingTests.forwarded(""))).copy == nil)
    #expect(try #require(try Self.result("id='1'")).token == nil)
    let long = String(repeating: "x", count: ResultSet.longestID + 1)
    for none in ["", "id=''", "id='\(long)'", "queryid='q'"] { #expect(try Self.result(none) == nil) }
  }

  static func end(_ attributes: String) throws -> ArchiveEnd? {
    ArchiveEnd(try element("<iq type='result'><fin xmlns='urn:xmpp:mam:2' \(attributes)/></iq>"))
  }

  @Test func theEndOfAPageIsRead() throws {
    #expect(try Self.end("")?.isComplete == false)
    #expect(try Self.end("")?.isStable == true)
    for yes in ["true", "1"] { #expect(try Self.end("complete='\(yes)'")?.isComplete == true) }
    for no in ["false", "0"] { #expect(try Self.end("stable='\(no)'")?.isStable == false) }
    #expect(try Self.end("complete='yes'")?.isComplete == false)
    #expect(try ArchiveEnd(element("<iq type='result'/>")) == nil)
  }
}
