import TestSupport
import Testing

@testable import XML

@Suite struct StreamParserTests {
  @Test func headerIsReadWithItsNamespaces() {
    #expect(items(of: opening) == [.header(openingHeader)])
    #expect(items(of: "<?xml version='1.0'?>" + opening) == [.header(openingHeader)])
    #expect(items(of: "<?xml version='1.0' encoding='UTF-8'?>" + opening) == [.header(openingHeader)])
    #expect(items(of: "<?xml version=\"1.0\" encoding=\"utf-8\" ?>\n" + opening) == [.header(openingHeader)])
    #expect(openingHeader.isStream)
  }

  @Test func aRootOfAnotherNameIsSaidToBeOne() throws {
    let items = items(of: "<html xmlns='http://www.w3.org/1999/xhtml'>")
    #expect(
      items == [
        .header(
          StreamHeader(
            local: "html", streamNamespace: "http://www.w3.org/1999/xhtml", namespace: "http://www.w3.org/1999/xhtml"))
      ])
    guard case .header(let header) = items.first else { throw UnexpectedItem(description: "\(items)") }
    #expect(!header.isStream)
  }

  @Test func aStanzaIsReadWithAllThatIsInIt() throws {
    let message = try stanza(
      "<message from='bob@example.org/phone' id=\"m1\" xml:lang='de'><body>Grüße &amp; \u{1F600}</body>"
        + "<x xmlns='urn:x' xmlns:p='urn:p' p:a='1' a='2'><p:y/>text<y/></x></message>")
    #expect(message.isNamed("message", "jabber:client"))
    #expect(message.attribute("from") == "bob@example.org/phone")
    #expect(message.attribute("id", equals: "m1"))
    #expect(!message.attribute("id", equals: "m"))
    #expect(message.attribute("to") == nil)
    #expect(message.language == "de")
    #expect(message.child("body", "jabber:client")?.text == "Grüße & \u{1F600}")
    let x = try #require(message.child("x", "urn:x"))
    #expect(x.attribute("a") == "2")
    #expect(x.attribute("a", namespace: "urn:p") == "1")
    #expect(x.attributeCount == 2)
    #expect(x.children.map(\.local) == ["y", "y"])
    #expect(x.children.map(\.namespace) == ["urn:p", "urn:x"])
    #expect(x.children("y", "urn:x").count == 1)
    #expect(x.text == "text")
    #expect(message.text == "")
    #expect(message.child("x", "jabber:client") == nil)
  }

  /// They share memory: each is what it would be alone, wherever the bytes are cut, and however many names there are.
  @Test func stanzasThatComeTogetherAreEachAsIfAlone() throws {
    let names = (0..<120).map { "<n\($0) a\($0)='\($0)'/>" }.joined()
    let texts = [
      "<message id='1' from='a@b'><body a='x'>one<i>in</i>more</body><x xmlns='urn:x' y='&amp;'/></message>",
      "<iq/>", "<presence xml:lang='de'><show>away</show>\(names)</presence>",
      "<message id='2'><body>two</body></message>",
    ]
    let together = items(of: opening + texts.joined(), splitLimit: 512)
    let alone = try texts.map { StreamItem.stanza(try stanza($0)) }
    #expect(Array(together.dropFirst()) == alone)
    for (item, text) in zip(together.dropFirst(), texts) {
      guard case .stanza(let element) = item else { throw UnexpectedItem(description: "\(item)") }
      #expect(element.byteCount == text.utf8.count)
    }
    #expect(together == items(of: [Array((opening + texts.joined()).utf8)[...]]))
  }

  @Test func textInPiecesIsJoinedAndNotThatOfChildren() throws {
    let element = try stanza("<a>one<b>inner</b>two<![CDATA[<three>]]>&#x34;&lt;<c/></a>")
    #expect(element.text == "onetwo<three>4<")
    #expect(element.child("b", "jabber:client")?.text == "inner")
  }

  @Test func ampersandsInValuesAreReadOnce() throws {
    let element = try stanza(
      "<a b='&amp;#38;&#38;&amp;&lt;x&#x26;amp;' xmlns:p='u&amp;v' p:c='&amp;'><d xmlns='u&amp;v'/></a>")
    #expect(element.attribute("b") == "&#38;&&<x&amp;")
    #expect(element.attribute("c", namespace: "u&v") == "&")
    #expect(element.children.map(\.namespace) == ["u&v"])
    #expect(
      items(of: "<stream id='a&amp;b'>") == [
        .header(StreamHeader(local: "stream", streamNamespace: "", namespace: "", id: "a&b"))
      ])
  }

  @Test func childrenOfTheStreamThatAreNoStanzasAreDeliveredToo() throws {
    let features = try stanza("<stream:features><starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/></stream:features>")
    #expect(features.isNamed("features", "http://etherx.jabber.org/streams"))
    #expect(features.child("starttls", "urn:ietf:params:xml:ns:xmpp-tls") != nil)
  }

  @Test func nothingIsDeliveredBeforeTheEndTag() {
    let text = opening + "<message><body>hello</body></message"
    #expect(items(of: text) == [.header(openingHeader)])
    #expect(items(of: text + ">").count == 2)
  }

  @Test func theEndOfTheStreamIsTheLastItem() {
    let text = opening + "<a/></stream:stream>"
    #expect(items(of: text).last == .end)
    #expect(items(of: text).count == 3)
    #expect(items(of: text + " <b/> \u{0} anything").count == 3)
    #expect(items(of: "<stream/>").last == .end)
  }

  @Test func whiteSpaceBetweenStanzasIsFine() {
    let items = items(of: " \n" + opening + "\n \t<a/> \r\n<b/> ")
    #expect(items.compactMap(\.element).map(\.local) == ["a", "b"])
    #expect(items.count == 3)
  }

  @Test func manyStanzasKeepNothingBehind() {
    let parser = StreamParser()
    var items: [StreamItem] = []
    parser.feed(Array(opening.utf8), into: &items)
    let stanza = Array("<message from='a@b/c'><body>\(String(repeating: "x", count: 500))</body></message>".utf8)
    for _ in 0..<5_000 {
      parser.feed(stanza, into: &items)
      #expect(parser.pendingBytes == 0)
      items.removeAll(keepingCapacity: true)
    }
    parser.feed(Array("<a>".utf8), into: &items)
    #expect(parser.heldBytes < 32)
  }

  @Test func pendingBytesTellWhatIsBehindTheLastItem() {
    let parser = StreamParser(limits: .unauthenticated)
    var items: [StreamItem] = []
    parser.feed(Array((opening + "<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>").utf8), into: &items)
    #expect(items.count == 2)
    #expect(parser.pendingBytes == 0)
    parser.feed(Array("<mess".utf8), into: &items)
    #expect(items.count == 2)
    #expect(parser.pendingBytes == 5)
  }

  @Test func sizesAreThoseOnTheWire() throws {
    let xml = "<message id='1'><body>1 &lt; 2</body></message>"
    #expect(try stanza(xml).byteCount == xml.utf8.count)
    let two = items(of: opening + xml + xml).compactMap(\.element)
    #expect(two.map(\.byteCount) == [xml.utf8.count, xml.utf8.count])
  }
}
