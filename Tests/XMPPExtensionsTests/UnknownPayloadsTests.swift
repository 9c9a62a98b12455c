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

  @Test func whatGrewWhenItWasEscapedIsReadBack() throws {
    let quotes = String(repeating: "\"", count: 900_000)
    let message = try element("<message><x xmlns='urn:x' a='\(quotes)'/></message>")
    let bytes = UnknownPayloads.of(message)
    #expect(bytes.count > 5_000_000)
    #expect(UnknownPayloads.parse(bytes) == Array(message.children))
  }

  /// Declared once on the wire, a namespace is declared for each element of what is kept.
  @Test(
    arguments: [
      { String(repeating: "<p:a/>", count: $0) }, { "<x>" + String(repeating: "<p:a/>", count: $0) + "</x>" },
      { String(repeating: "<x p:b=''/>", count: $0) },
    ] as [@Sendable (Int) -> String])
  func nothingSwellsBeyondTheLimit(_ content: @Sendable (Int) -> String) throws {
    let namespace = String(repeating: "n", count: 10_000)
    func kept(_ count: Int) throws -> [UInt8] {
      UnknownPayloads.of(try element("<message xmlns:p='\(namespace)'><y/>\(content(count))</message>"))
    }
    let all = try kept(9_000)
    #expect(all.count <= UnknownPayloads.longest)
    #expect(all.starts(with: Array("<y xmlns='jabber:client'/>".utf8)))
    let some = try kept(20)
    #expect(some.count > 200_000)
    #expect(UnknownPayloads.parse(some) != nil)
  }

  @Test(arguments: ["<a>", "</all>", "<a/></all><all>", "&x;"])
  func whatIsNoneIsNotRead(_ bytes: String) {
    #expect(UnknownPayloads.parse(Array(bytes.utf8)) == nil)
  }
}
