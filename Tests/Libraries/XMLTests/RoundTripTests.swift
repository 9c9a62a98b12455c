import TestSupport
import Testing

@testable import XML

/// What is written is read back as it was.
@Suite struct RoundTripTests {
  static let texts = [
    "", " ", "plain", "a\tb\nc", "a\rb", "a\r\nb", "\r", "\n", "]]>", "<&>'\"", "&amp;", "&#13;", "王小明",
    "\u{1F600}\u{1F468}\u{200D}\u{1F469}",
    "\u{202E}gnol", "\u{7F}\u{80}\u{85}\u{2028}", "\u{10FFFF}\u{E000}", "  spaces  kept  ", "e\u{301}\u{E9}",
  ]

  @Test(arguments: texts)
  func textsAndValues(_ text: String) throws {
    var writer = XMLWriter()
    writer.open("a", xmlns: "urn:a", attributes: ["v": text, "none": nil])
    writer.element("b", text: text)
    writer.close()
    let (element, differences) = feedEveryWay(Array(opening.utf8) + writer.bytes) { items(of: $0).last?.element }
    #expect(differences.isEmpty)
    let read = try #require(element)
    #expect(read.attribute("v").map { Array($0.utf8) } == Array(text.utf8))
    #expect(read.child("b", "urn:a").map { Array($0.text.utf8) } == Array(text.utf8))
    #expect(read.attributeCount == 1)
    #expect(Element.parse(read.serialized()) == read)
  }

  @Test(arguments: [
    "<a xmlns='urn:a'/>", "<a/>", "<a><b xmlns='urn:b'><c xmlns=''/></b>text<d/>more</a>",
    "<a xmlns='urn:a' xmlns:p='urn:p' p:x='1' x='2' xml:lang='de'><p:b p:x='&#13;&#10;&#9;'/></a>",
    "<p:a xmlns:p='urn:p'><p:b xmlns:p='urn:q'><b/></p:b><c/></p:a>", "<a><xml:b/><c xmlns='u&amp;&apos;v'/></a>",
    "<a>1<b/>2<b>3<c>4</c>5</b>6</a>", "<a> <b/> </a>", "<é xmlns='urn:ü' ö='ä'>ß</é>",
    "<a b='&quot;&apos;&lt;&gt;&amp;'>&quot;&apos;&lt;&gt;&amp;</a>", "<a><![CDATA[<b>&amp;</b>]]></a>",
    "<a xmlns:p='urn:p' p:b='1' xmlns:q='urn:q' q:b='2' b='3'/>",
  ])
  func elements(_ xml: String) throws {
    let element = try #require(Element.parse(Array(xml.utf8)))
    let written = element.serialized()
    #expect(Element.parse(written) == element)
    #expect(Element.parse(written)?.serialized() == written)
    // The same inside something that has another default namespace.
    for namespace in ["jabber:client", "urn:a", ""] {
      var bytes = Array("<w xmlns='\(namespace)'>".utf8)
      element.serialize(into: &bytes, inheriting: namespace)
      bytes += Array("</w>".utf8)
      #expect(Element.parse(bytes)?.children.map { $0 } == [element])
    }
  }

  /// Many uses of each name, so that prefixes save bytes.
  @Test(arguments: [
    "<p:a xmlns:p='urn:pp'>\(many("<p:b/>"))</p:a>",
    "<a xmlns='urn:aa'>\(many("<b xmlns='urn:bb'><c xmlns=''/></b>"))</a>",
    "<a xmlns='urn:aa' xmlns:p='urn:pp'>\(many("<p:b><d p:e='1' xml:lang='de'/></p:b>"))</a>",
    "<a>\(many("<b xmlns='urn:bb'>]]&gt;<c/></b>&#13;<xml:d/>"))</a>",
    "<a>\(many("<b xmlns='urn:&apos;\"&lt;>'>&lt;&amp;></b>"))</a>",
    "<a b='\"' c=\"'\" d='&apos;&apos;\"&lt;>&#10;&#13;&#9;&amp;'/>",
    "<a>\((0..<60).map { "<n:b xmlns:n='urn:name:\($0)'/><n:c xmlns:n='urn:name:\($0)' n:d=''/>" }.joined())</a>",
  ])
  func brief(_ xml: String) throws {
    let element = try #require(Element.parse(Array(xml.utf8)))
    var whole: [UInt8] = []
    #expect(element.serializeBriefly(into: &whole, inheriting: "", limit: xml.utf8.count))
    #expect(Element.parse(whole) == element)
    var short = Array("before".utf8)
    #expect(!element.serializeBriefly(into: &short, inheriting: "", limit: 8))
    #expect(short == Array("before".utf8))
    for namespace in ["jabber:client", "urn:bb", ""] {
      let children = Array(element.children)
      let bytes = Element.serializeBriefly(children, inheriting: namespace, limit: 1 << 20)
      #expect(Element.parse(Array("<w".utf8) + bytes + Array("</w>".utf8)).map { Array($0.children) } ?? [] == children)
    }
  }

  private static func many(_ xml: String) -> String { String(repeating: xml, count: 30) }

  @Test func whatIsTooLongIsNotWrittenAtAll() throws {
    let element = try #require(Element.parse(Array("<a xmlns:p='urn:p' p:b='1'><p:c>text</p:c><d/></a>".utf8)))
    let whole = element.serialized()
    for limit in 0..<whole.count {
      var bytes = Array("before".utf8)
      #expect(!element.serialize(into: &bytes, inheriting: "", limit: limit))
      #expect(bytes == Array("before".utf8))
    }
    var bytes = Array("before".utf8)
    #expect(element.serialize(into: &bytes, inheriting: "", limit: whole.count))
    #expect(bytes == Array("before".utf8) + whole)
  }

  @Test func aChildIsWrittenWithoutItsParent() throws {
    let message = try stanza("<message><x xmlns='urn:x'><y/></x><body>1</body></message>")
    #expect(
      message.children.map { String(decoding: $0.serialized(), as: UTF8.self) } == [
        "<x xmlns='urn:x'><y/></x>", "<body xmlns='jabber:client'>1</body>",
      ])
    #expect(message.child("x", "urn:x").flatMap { Element.parse($0.serialized()) } == message.child("x", "urn:x"))
  }

  @Test(arguments: [
    "", "text", "<a/><b/>", "<a/>x", " <a>", "<a", "</stream>", "<a/></stream>", "</stream><stream>", "<!--c--><a/>",
    "<?xml version='1.0'?><a/>", "<!DOCTYPE a><a/>", "<a></b>", "<a>\u{0}</a>", "<p:a/>", "<a/></stream><stream><b/>",
  ])
  func whatIsNotOneElementIsNone(_ xml: String) {
    #expect(Element.parse(Array(xml.utf8)) == nil)
  }

  @Test func elementsAreEqualWhereTheirContentIs() throws {
    func parse(_ xml: String) throws -> Element { try #require(Element.parse(Array(xml.utf8))) }
    let element = try parse("<a xmlns='u' b='1' c='2'>t<d/></a>")
    #expect(try parse("<p:a xmlns:p='u' c='2' b='1'><![CDATA[t]]><p:d></p:d></p:a>") == element)
    for other in [
      "<a b='1' c='2'>t<d/></a>", "<a xmlns='u' b='1' c='3'>t<d/></a>", "<a xmlns='u' b='1'>t<d/></a>",
      "<a xmlns='u' b='1' c='2'>t<e/></a>", "<a xmlns='u' b='1' c='2'><d/>t</a>",
      "<a xmlns='u' b='1' c='2'>t<d>x</d></a>",
      "<a xmlns='u' b='1' c='2'>t<d/><d/></a>", "<a xmlns='u' b='1' c='2'>e<d/></a>",
    ] { #expect(try parse(other) != element) }
    #expect(try parse("<a>e\u{301}</a>") != parse("<a>\u{E9}</a>"))
    #expect(try parse("<a><b><c/></b></a>") != parse("<a><b/><c/></a>"))
  }
}

@Suite struct XMLWriterTests {
  @Test func writesWhatItSays() {
    var writer = XMLWriter(Array("<!".utf8))
    writer.open("a", xmlns: "urn:a", attributes: ["b": "1", "c": nil])
    writer.attribute("d", constant: "'&")
    writer.empty("e")
    writer.text("x<y")
    writer.attribute("late", "dropped: the start tag is over")
    writer.element("f", attributes: ["g": "\n"], text: "")
    writer.raw("<h/>".utf8)
    writer.close()
    writer.close()
    #expect(
      String(decoding: writer.bytes, as: UTF8.self)
        == "<!<a xmlns='urn:a' b='1' d='&apos;&amp;'><e/>x&lt;y<f g='&#10;'></f><h/></a>")
  }

  @Test func aStreamHeaderCanBeLeftOpen() {
    var writer = XMLWriter()
    writer.open("stream:stream", attributes: ["to": "x"])
    writer.endStartTag()
    #expect(String(decoding: writer.bytes, as: UTF8.self) == "<stream:stream to='x'>")
  }

  @Test(
    arguments: [
      "", "plain\t\r\n", "\u{1F600}\u{FFFD}\u{7F}\u{80}", "\u{0}", "a\u{8}", "\u{1F600}\u{1F600}\u{FFFE}",
      "e\u{301}\u{FFFF}\u{0}", "\u{EFFF}\u{1F}", "\r\n\u{B}",
    ])
  func forbiddenScalars(_ text: String) {
    var writer = XMLWriter()
    writer.open("a", attributes: ["b": text])
    writer.text(text)
    writer.close()
    let carried = String(
      String.UnicodeScalarView(text.unicodeScalars.map { XMLEscaping.isForbidden($0) ? "\u{FFFD}" : $0 }))
    let element = Element.parse(writer.bytes)
    #expect(element.map { Array($0.text.utf8) } == Array(carried.utf8))
    #expect(element?.attribute("b").map { Array($0.utf8) } == Array(carried.utf8))
  }
}
