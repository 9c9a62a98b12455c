import Clocks
import Testing
import XML
import XMPPCore

@Suite struct OutgoingMessageTests {
  @Test func isWrittenInAFixedOrder() throws {
    let message = try OutgoingMessage(to: JID("bob@example.org"), id: "s1", originID: "o1", text: "1 < 2\r\n ")
    var bytes = Array("before".utf8)
    message.serialize(into: &bytes)
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "before<message to='bob@example.org' id='s1' type='chat'><body>1 &lt; 2&#13;\n </body>"
        + "<origin-id xmlns='urn:xmpp:sid:0' id='o1'/></message>")
  }

  @Test func aLateOneCarriesItsTime() throws {
    let message = try OutgoingMessage(
      to: JID("bob@example.org/r&d"), id: "s1", originID: "o1", text: "x",
      delay: Timestamp(rfc3339: "2026-11-20T09:10:00.123Z"), delayedBy: JID("alice@example.org"))
    var bytes: [UInt8] = []
    message.serialize(into: &bytes)
    let read = try element(bytes)
    #expect(read.attribute("to") == "bob@example.org/r&d")
    #expect(read.children.map(\.local) == ["body", "origin-id", "delay"])
    let delay = try #require(read.child("delay", Namespace.delay))
    #expect(delay.attribute("stamp") == "2026-11-20T09:10:00.123Z")
    #expect(delay.attribute("from") == "alice@example.org")
  }

  @Test(arguments: [
    "", " ", "two\nlines\r\nand\ra \t tab", "]]>", "<&>'\"", "王\u{1F600}\u{200F}שלום", "\u{85}\u{2028}\u{7F}",
    String(repeating: "長い ", count: 5_000),
  ])
  func anyTextArrivesAsItWas(_ text: String) throws {
    var bytes: [UInt8] = []
    try OutgoingMessage(to: JID("b@c"), id: "1", originID: "2", text: text).serialize(into: &bytes)
    let body = try #require(try element(bytes).child("body", Namespace.client))
    #expect(Array(body.text.utf8) == Array(text.utf8))
  }
}

@Suite struct PresenceTests {
  @Test func isRead() throws {
    let presence = try #require(
      try Presence(
        element(
          "<presence from='bob@example.org/x'><show>dnd</show><status>Bu&lt;sy</status><priority>-5</priority></presence>"
        )))
    #expect(
      try presence == Presence(from: JID("bob@example.org/x"), show: .dnd, status: "Bu<sy", priority: -5))
  }

  @Test(arguments: Presence.Kind.allCases.filter { $0 != .available })
  func everyTypeIsReadAndWritten(_ kind: Presence.Kind) throws {
    let presence = try Presence(kind, to: JID("bob@example.org"))
    #expect(try Presence(element(presence.serialized())) == presence)
  }

  @Test func nonsenseInsideCountsAsNotSaid() throws {
    let xml = "<presence><show>happy</show><priority>1000</priority><status xmlns='urn:x'>no</status></presence>"
    #expect(try Presence(element(xml)) == Presence())
  }

  @Test(arguments: ["<presence type='available'/>", "<presence type=''/>", "<presence type='x'/>", "<message/>"])
  func nonsenseOutsideIsNoPresence(_ xml: String) throws {
    #expect(try Presence(element(xml)) == nil)
  }

  @Test func isWritten() throws {
    let bytes = Presence(show: .away, status: "out", priority: 1).serialized { $0.empty("x", xmlns: "urn:x") }
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "<presence><show>away</show><status>out</status><priority>1</priority><x xmlns='urn:x'/></presence>")
    #expect(String(decoding: Presence().serialized(), as: UTF8.self) == "<presence/>")
  }
}
