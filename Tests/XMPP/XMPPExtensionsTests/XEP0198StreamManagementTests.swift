import Testing
import XML
import XMPPExtensions

@Suite struct XEP0198StreamManagementTests {
  static let xmlns = "xmlns='urn:xmpp:sm:3'"
  static let condition = "<item-not-found xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/>"

  @Test(arguments: [
    ("<r \(xmlns)/>", StreamManagementElement.request),
    ("<a \(xmlns) h='0'/>", .answer(handled: 0)),
    ("<a \(xmlns) h='4294967295'/>", .answer(handled: .max)),
    ("<a \(xmlns) h='0000000007'/>", .answer(handled: 7)),
    ("<enabled \(xmlns)/>", .enabled(id: nil, maximumSeconds: nil, location: nil)),
    (
      "<enabled \(xmlns) id='i' resume='true' max='600' location='h:1'/>",
      .enabled(id: "i", maximumSeconds: 600, location: "h:1")
    ),
    ("<enabled \(xmlns) id='i' resume='1' max='-1'/>", .enabled(id: "i", maximumSeconds: nil, location: nil)),
    ("<enabled \(xmlns) id='i' resume='false'/>", .enabled(id: nil, maximumSeconds: nil, location: nil)),
    ("<resumed \(xmlns) h='3' previd='p'/>", .resumed(handled: 3, previousID: "p")),
    ("<failed \(xmlns) h='3'>\(condition)</failed>", .failed(condition: "item-not-found", handled: 3)),
    ("<failed \(xmlns)/>", .failed(condition: "undefined-condition", handled: nil)),
  ])
  func isRead(_ xml: String, _ expected: StreamManagementElement) throws {
    #expect(try StreamManagementElement(element(xml)) == expected)
  }

  @Test(arguments: [
    "", "-1", "+1", " 1", "1 ", "+5", "5 ", "4294967296", "99999999999999999999", "1.0", "0x1", "१", "1\u{301}",
    "00000000001",
  ])
  func aCountThatIsNoneIsMalformed(_ count: String) throws {
    #expect(try StreamManagementElement(element("<a \(Self.xmlns) h='\(count)'/>")) == .malformed)
    #expect(try StreamManagementElement(element("<resumed \(Self.xmlns) previd='p' h='\(count)'/>")) == .malformed)
    #expect(try StreamManagementElement(element("<failed \(Self.xmlns) h='\(count)'/>")) == .malformed)
  }

  @Test(arguments: [
    "<a \(xmlns)/>", "<resumed \(xmlns) h='1'/>", "<enable \(xmlns)/>", "<resume \(xmlns)/>", "<x \(xmlns)/>",
  ])
  func whatMissesSomethingIsMalformed(_ xml: String) throws {
    #expect(try StreamManagementElement(element(xml)) == .malformed)
  }

  @Test func whatIsHugeIsBounded() throws {
    let longest = String(repeating: "x", count: 4_000)
    for (id, expected) in [(longest, longest), (longest + "x", nil), ("", nil)] as [(String, String?)] {
      #expect(
        try StreamManagementElement(element("<enabled \(Self.xmlns) resume='true' id='\(id)' location='\(id)'/>"))
          == .enabled(id: expected, maximumSeconds: nil, location: expected))
    }
    #expect(
      try StreamManagementElement(element("<resumed \(Self.xmlns) h='1' previd='\(longest)x'/>")) == .malformed)
    let reason = "<\(longest) xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/>"
    #expect(
      try StreamManagementElement(element("<failed \(Self.xmlns)>\(reason)</failed>"))
        == .failed(condition: String(longest.prefix(64)), handled: nil))
  }

  @Test func aTextIsNoCondition() throws {
    let text = "<text xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'>no</text>"
    for content in [text + Self.condition, Self.condition + text, "<x/>" + Self.condition] {
      #expect(
        try StreamManagementElement(element("<failed \(Self.xmlns)>\(content)</failed>"))
          == .failed(condition: "item-not-found", handled: nil))
    }
    #expect(
      try StreamManagementElement(element("<failed \(Self.xmlns)>\(text)</failed>"))
        == .failed(condition: "undefined-condition", handled: nil))
  }

  @Test(arguments: ["<r/>", "<a xmlns='urn:xmpp:sm:2' h='1'/>", "<message/>"])
  func othersAreOthers(_ xml: String) throws {
    #expect(try StreamManagementElement(element(xml)) == nil)
  }

  @Test func isWritten() {
    func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
    #expect(text(StreamManagementWriter.enable()) == "<enable xmlns='urn:xmpp:sm:3' resume='true' max='3600'/>")
    #expect(
      text(StreamManagementWriter.tooHigh(h: 10, sent: 8))
        == "<handled-count-too-high xmlns='urn:xmpp:sm:3' h='10' send-count='8'/>")
    #expect(text(StreamManagementWriter.request()) == "<r xmlns='urn:xmpp:sm:3'/>")
    #expect(text(StreamManagementWriter.answer(handled: .max)) == "<a xmlns='urn:xmpp:sm:3' h='4294967295'/>")
    #expect(
      text(StreamManagementWriter.resume(previousID: "<", handled: 1))
        == "<resume xmlns='urn:xmpp:sm:3' h='1' previd='&lt;'/>")
  }
}
