import TestSupport
import Testing

@testable import XML

/// What a stream may not hold: each input is fed whole, split at every byte, and byte by byte.
@Suite struct HostileStreamTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var bytes: [UInt8]
    var condition: String
    var testDescription: String { name }

    init(_ name: String, _ text: String, _ condition: String) {
      self.init(name, bytes: Array(text.utf8), condition)
    }

    init(_ name: String, bytes: [UInt8], _ condition: String) {
      (self.name, self.bytes, self.condition) = (name, bytes, condition)
    }
  }

  /// Inside a stream, after a good stanza, in an element that has begun and is never delivered.
  static let inside: [Row] = [
    Row("comment", "<!-- c -->", "restricted-xml"),
    Row("processing instruction", "<?php x ?>", "restricted-xml"),
    Row("DTD in the stream", "<!DOCTYPE x [<!ENTITY e 'v'>]>", "not-well-formed"),
    Row("undeclared entity", "&e;", "restricted-xml"),
    Row("undeclared entity in a value", "<a b='&e;'/>", "restricted-xml"),
    Row("bare ampersand", "a & b;", "not-well-formed"),
    Row("second declaration", "<?xml version='1.0'?>", "not-well-formed"),
    Row("wrong end tag", "<a></b>", "not-well-formed"),
    Row("attribute twice", "<a b='1' b='2'/>", "not-well-formed"),
    Row("attribute without quotes", "<a b=1/>", "not-well-formed"),
    Row("tag in a value", "<a b='<c/>'/>", "not-well-formed"),
    Row("end of CDATA in text", "a]]>b", "not-well-formed"),
    Row("number of no character", "&#0;", "not-well-formed"),
    Row("number of a surrogate", "&#xD800;", "not-well-formed"),
    Row("number beyond Unicode", "&#x110000;", "not-well-formed"),
    Row("number that overflows", "&#99999999999999999999;", "not-well-formed"),
    Row("control as a number", "&#8;", "not-well-formed"),
    Row("control", "\u{1}", "not-well-formed"),
    Row("U+FFFE", "\u{FFFE}", "not-well-formed"),
    Row("NUL", "\u{0}", "not-well-formed"),
    Row("NUL in a name", "<a\u{0}/>", "not-well-formed"),
    Row("unbound prefix", "<p:a/>", "bad-namespace-prefix"),
    Row("unbound prefix of an attribute", "<a p:b='1'/>", "bad-namespace-prefix"),
    Row("attribute twice by two prefixes", "<a xmlns:p='u' xmlns:q='u' p:b='1' q:b='2'/>", "bad-namespace-prefix"),
    Row("two colons", "<a:b:c/>", "bad-namespace-prefix"),
    Row("continuation alone", bytes: [0x80], "not-well-formed"),
    Row("overlong", bytes: [0xC0, 0xAF], "not-well-formed"),
    Row("surrogate", bytes: [0xED, 0xA0, 0x80], "not-well-formed"),
    Row("beyond Unicode", bytes: [0xF4, 0x90, 0x80, 0x80], "not-well-formed"),
    Row("cut sequence", bytes: [0xE2, 0x82, 0x3C], "not-well-formed"),
    Row("Latin-1", bytes: [0x63, 0x61, 0x66, 0xE9, 0x20], "not-well-formed"),
  ]

  @Test(arguments: inside)
  func insideAStanza(_ row: Row) {
    let start = Array((opening + "<message id='good'/><message id='bad'><body>never seen").utf8)
    // What follows is well-formed again: nothing of it may be delivered.
    let rest = Array("</body></message><message id='after'><body>x</body></message></stream:stream>".utf8)
    let items = XMLTests.items(of: start + row.bytes + rest)
    #expect(items.count == 3)
    #expect(items.first == .header(openingHeader))
    #expect(items.dropFirst().first?.element?.attribute("id") == "good")
    #expect(items.last?.failure?.streamErrorCondition == row.condition)
  }

  @Test(arguments: inside.filter { ["restricted-xml", "bad-namespace-prefix"].contains($0.condition) })
  func betweenStanzas(_ row: Row) {
    let items = XMLTests.items(of: Array((opening + "<a/>").utf8) + row.bytes + Array("<b/>".utf8))
    #expect(items.count == 3)
    #expect(items.last?.failure?.streamErrorCondition == row.condition)
  }

  @Test(arguments: [
    Row("text between stanzas", "\(opening)<a/>text<b/>", "bad-format"),
    Row("CDATA between stanzas", "\(opening)<a/><![CDATA[text]]><b/>", "bad-format"),
    Row("a stream within the stream", "\(opening)<a/>\(opening)<b/>", "bad-format"),
    Row("an empty stream within the stream", "\(opening)<a/><stream:stream/><b/>", "bad-format"),
    Row("end tag of another stream", "\(opening)</stream>", "not-well-formed"),
  ])
  func betweenStanzasToo(_ row: Row) {
    #expect(XMLTests.items(of: row.bytes).last?.failure?.streamErrorCondition == row.condition)
  }

  @Test(arguments: [
    Row("DTD", "<!DOCTYPE stream><stream/>", "restricted-xml"),
    Row(
      "billion laughs",
      "<?xml version='1.0'?><!DOCTYPE s [<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;'>]><s xmlns='x'>&b;&b;</s>",
      "restricted-xml"),
    Row("external DTD", "<!DOCTYPE s SYSTEM 'file:///etc/passwd'><s>", "restricted-xml"),
    Row("external entity", "<!DOCTYPE s [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><s>&e;</s>", "restricted-xml"),
    Row("parameter entity", "<!DOCTYPE s [<!ENTITY % p SYSTEM 'http://x/'>%p;]><s>", "restricted-xml"),
    Row("comment", "<!-- c --><s>", "restricted-xml"),
    Row("style sheet", "<?xml-stylesheet href='x'?><s>", "restricted-xml"),
    Row("encoding ISO-8859-1", "<?xml version='1.0' encoding='ISO-8859-1'?><s>", "unsupported-encoding"),
    Row("encoding UTF-16", "<?xml version=\"1.0\" encoding = \"utf-16\"?><s>", "unsupported-encoding"),
    Row("encoding UTF-7", "<?xml version='1.0' encoding='UTF-7'?><s>", "unsupported-encoding"),
    Row("encoding EBCDIC", "<?xml version='1.0'\n\tencoding='IBM037' standalone='yes'?><s>", "unsupported-encoding"),
    Row("no encoding at all", "<?xml version='1.0' encoding=''?><s>", "unsupported-encoding"),
    Row("UTF-8 mark", bytes: [0xEF, 0xBB, 0xBF] + Array("<s>".utf8), "unsupported-encoding"),
    Row("UTF-16 mark, big", bytes: [0xFE, 0xFF, 0, 0x3C, 0, 0x73], "unsupported-encoding"),
    Row("UTF-16 mark, little", bytes: [0xFF, 0xFE, 0x3C, 0, 0x73, 0], "unsupported-encoding"),
    Row("UTF-16 without mark, big", bytes: [0, 0x3C, 0, 0x3F], "unsupported-encoding"),
    Row("UTF-16 without mark, little", bytes: [0x3C, 0, 0x3F, 0], "unsupported-encoding"),
    Row("UTF-32", bytes: [0, 0, 0xFE, 0xFF, 0, 0, 0, 0x3C], "unsupported-encoding"),
    Row("EBCDIC", bytes: [0x4C, 0x6F, 0xA7, 0x94, 0x93], "not-well-formed"),
    Row("TLS record", bytes: [0x16, 0x03, 0x01, 0x02, 0x00], "not-well-formed"),
    Row("HTTP", "HTTP/1.1 400 Bad Request\r\n\r\n", "not-well-formed"),
    Row("declaration without end", "<?xml " + String(repeating: " ", count: 300), "not-well-formed"),
    Row("declaration after space", " <?xml version='1.0'?><s>", "not-well-formed"),
    Row("version missing", "<?xml encoding='UTF-8'?><s>", "not-well-formed"),
    Row("text first", "text<s>", "not-well-formed"),
    Row("unbound prefix of the stream", "<stream:stream>", "bad-namespace-prefix"),
  ])
  func atTheStart(_ row: Row) {
    let items = XMLTests.items(of: row.bytes)
    #expect(items.last?.failure?.streamErrorCondition == row.condition)
    #expect(items.allSatisfy { $0.element == nil }, "no text of an entity is ever delivered")
  }

  @Test func afterAFailureNothingHappens() {
    let parser = StreamParser()
    var items: [StreamItem] = []
    parser.feed(Array((opening + "<!--c-->").utf8), into: &items)
    #expect(items.count == 2)
    for _ in 0..<100 {
      parser.feed(Array("<a/></stream:stream>\u{0}&e;<!DOCTYPE".utf8), into: &items)
      parser.feed([], into: &items)
    }
    #expect(items.count == 2)
    #expect(parser.heldBytes == 0)
  }

  @Test func whatAFailureSaysNeverQuotesTheInput() {
    for secret in ["<a></secret>", "&secret;", "<secret:a/>", "<!--secret-->", "<a b=secret>", "<?secret x?>"] {
      let failure = XMLTests.items(of: [Array((opening + "<x>" + secret + "<<").utf8)[...]]).last?.failure
      #expect(failure.map { "\($0)".contains("secret") } == false)
    }
  }

  /// What Prosody 0.12 makes of `<xml:x/>` and of `<x xml:y='1'/>`, and what else binds a reserved name.
  @Test(arguments: [
    "<x xmlns='http://www.w3.org/XML/1998/namespace'/>",
    "<x xmlns:ns1='http://www.w3.org/XML/1998/namespace' ns1:y='1' xmlns='urn:x'><ns1:z/></x>",
    "<x xmlns:xml='urn:x'/>", "<x xmlns:p=''/>", "<x xmlns='http://www.w3.org/2000/xmlns/'/>",
    "<x xmlns:p='http://www.w3.org/2000/xmlns/'/>",
    "<x xmlns:xmlns='http://www.w3.org/2000/xmlns/'/>",
  ])
  func aWrongDeclarationCostsItsStanzaOnly(_ payload: String) throws {
    let good = "<message><x xmlns='urn:x' xml:y='1'/></message>"
    let items = XMLTests.items(
      of: opening + "<message from='eve@x' id='1'><body>b</body>\(payload)<y/></message>\(good)")
    #expect(items.count == 3)
    let refused = try #require(items.dropFirst().first?.refused)
    #expect(refused.from == "eve@x" && refused.reason == "a wrong declaration of a namespace")
    #expect(items.last?.element?.child("x", "urn:x") != nil)
    // An unbound prefix is no matter of the stanza before.
    #expect(self.items("\(opening)<message>\(payload)</message><message><ns1:z/></message>").last?.failure != nil)
    #expect(self.items("<?xml version='1.0'?>\(payload)").last?.failure == .badNamespacePrefix)
  }

  private func items(_ text: String) -> [StreamItem] { XMLTests.items(of: text) }

  /// docs/decisions/0001-long-xml-names.md
  @Test(arguments: ["<NAME xmlns='urn:x'/>", "<x NAME='1'/>", "<x xmlns='NAME'/>", "<x xmlns:NAME='u' NAME:y='1'/>"])
  func aLongNameHarmsNobody(_ payload: String) {
    let payload = payload.replacing("NAME", with: String(repeating: "n", count: 60_000))
    let bytes = Array("\(opening)<message id='1'>\(payload)</message><a/>".utf8)
    let items = XMLTests.items(of: stride(from: 0, to: bytes.count, by: 1_000).map { bytes[$0...].prefix(1_000) })
    #expect(items == XMLTests.items(of: [bytes[...]]))
    #expect(items.compactMap(\.element).map(\.local) == ["message", "a"])
    #expect(items.count == 3)
  }

  /// Servers do not look at what a namespace is, and anybody may write to us.
  @Test(arguments: ["%", "not a URI", "a\u{E9}b", "::", "http://[", " ", "relative", "\u{1F600}"])
  func aNamespaceThatIsNoURIHarmsNobody(_ namespace: String) throws {
    let message = try stanza("<message><x xmlns='\(namespace)'/><y xmlns:p='\(namespace)'><p:z p:a='1'/></y></message>")
    #expect(message.children.map(\.namespace) == [namespace, "jabber:client"])
    #expect(XMLTests.items(of: opening + "<message><x xmlns='\(namespace)'/></message><a/>").count == 3)
  }
}
