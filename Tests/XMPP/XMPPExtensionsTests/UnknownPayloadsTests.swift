import Testing
import XML
import XMPPExtensions

@Suite struct UnknownPayloadsTests {
  @Test func whatIsStoredOtherwiseIsLeftOut() throws {
    let message = try element(
      "<message type='chat'>text<body>b</body><subject>s</subject><thread>t</thread>"
        + "<delay xmlns='urn:xmpp:delay' stamp='x'/><stanza-id xmlns='urn:xmpp:sid:0' by='a' id='1'/>"
        + "<origin-id xmlns='urn:xmpp:sid:0' id='1'/><error type='cancel'/></message>")
    #expect(UnknownPayloads.of(message).isEmpty)
    #expect(UnknownPayloads.parse([]) == [])
  }

  @Test func theRestIsKeptAsItCameAndReadBack() throws {
    let rest = """
      <body xml:lang='de'>zwei</body><active xmlns='http://jabber.org/protocol/chatstates'/><unknown/>\
      <x xmlns='jabber:x:oob'><url>https://example.org/?a=1&amp;b=2</url></x><body xmlns='urn:other'>&#13;</body>
      """
    let message = try element("<message><body>one</body>\(rest)</message>")
    let kept = try #require(UnknownPayloads.parse(UnknownPayloads.of(message)))
    #expect(kept == Array(message.children.dropFirst()))
    #expect(kept.count == 5)
  }

  /// Only the first is stored otherwise, and only where it is the stream's own.
  @Test(arguments: ["body", "subject", "thread"])
  func furtherOnesAreKept(_ name: String) throws {
    let message = try element(
      "<message><\(name) xmlns='urn:x'>0</\(name)><\(name)>1</\(name)><\(name)>2</\(name)></message>")
    let kept = try #require(UnknownPayloads.parse(UnknownPayloads.of(message)))
    #expect(kept.map(\.text) == ["0", "2"])
    #expect(kept.map(\.namespace) == ["urn:x", "jabber:client"])
  }

  @Test func whatIsStoredIsToldByItsNamespaceToo() throws {
    let message = try element(
      "<message><delay/><origin-id xmlns='urn:x'/><stanza-id xmlns='urn:xmpp:sid:1'/></message>")
    #expect(UnknownPayloads.parse(UnknownPayloads.of(message)) == Array(message.children))
  }

  @Test func quotationMarksTakeWhatTheyTookOnTheWire() throws {
    let quotes = String(repeating: "\"", count: 900_000)
    let message = try element("<message><x xmlns='urn:x' a='\(quotes)'/></message>")
    let bytes = UnknownPayloads.of(message)
    #expect(bytes.count <= message.byteCount + Self.declaration)
    #expect(UnknownPayloads.parse(bytes) == Array(message.children))
  }

  /// ` xmlns='jabber:client'`: on the wire, the stream header declares it.
  private static let declaration = 22

  /// A namespace that is declared once on the wire is declared once in the kept text.
  @Test(
    arguments: [
      { String(repeating: "<p:a/>", count: $0) }, { "<x>" + String(repeating: "<p:a/>", count: $0) + "</x>" },
      { String(repeating: "<x p:b=''/>", count: $0) }, { String(repeating: "<x/>", count: $0) },
      { String(repeating: "<p:a><p:b p:c='d'/>text</p:a>", count: $0) },
      { "<p:a>" + String(repeating: "<b/>", count: $0) + "</p:a>" },
    ] as [@Sendable (Int) -> String], [(10_000, 90), (100, 900), (100, 2)])
  func nothingTakesMoreThanOnTheWire(_ content: @Sendable (Int) -> String, _ size: (length: Int, count: Int)) throws {
    let namespace = String(repeating: "n", count: size.length)
    let message = try element("<message xmlns:p='\(namespace)'><y/>\(content(size.count))</message>")
    let bytes = UnknownPayloads.of(message)
    #expect(bytes.count <= message.byteCount + Self.declaration)
    #expect(UnknownPayloads.parse(bytes) == Array(message.children))
    let whole = try #require(UnknownPayloads.whole(message))
    #expect(whole.count <= message.byteCount + Self.declaration)
    #expect(Element.parse(whole) == message)
  }

  /// A default namespace beside a prefix saves the bytes that prefixes cost here.
  @Test func whatWouldStillBeLongerIsLeftOut() throws {
    let children = String(
      repeating: "<p:x xmlns:p='urn:p' xmlns=''>\(String(repeating: "<y/>", count: 99))</p:x>", count: 90)
    let message = try element("<message>\(children)</message>")
    let bytes = UnknownPayloads.of(message)
    #expect(bytes.count <= message.byteCount + Self.declaration)
    let kept = try #require(UnknownPayloads.parse(bytes))
    #expect(kept.count > 20 && kept == Array(message.children.prefix(kept.count)))
    #expect(UnknownPayloads.whole(message) == nil)
  }

  @Test(arguments: ["<a>", "</all>", "<a/></all><all>", "&x;", " x>", " xmlns:a='b'><a:x/>c</all><all>"])
  func whatIsNoneIsNotRead(_ bytes: String) {
    #expect(UnknownPayloads.parse(Array(bytes.utf8)) == nil)
  }
}
