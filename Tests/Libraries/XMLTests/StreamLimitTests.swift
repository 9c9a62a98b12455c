import TestSupport
import Testing

@testable import XML

/// Stanzas over a limit are skipped to their end; what cannot be skipped ends the stream. Memory is bounded in both.
@Suite struct StreamLimitTests {
  static let small = StreamLimits(
    depth: 4, stanzaBytes: 400, attributes: 3, children: 5, stanzaNames: 12, names: 1_000, tokenBytes: 1_000,
    hardNames: 5_000, hardDepth: 50)

  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var xml: String
    var reason: String
    var testDescription: String { name }
  }

  static func message(_ content: String) -> String {
    "<message from='eve@example.org/x' id='m1' type='chat'>\(content)</message>"
  }

  static let rows: [Row] = [
    Row(name: "text", xml: message(String(repeating: "x", count: 400)), reason: "bytes"),
    Row(name: "many elements", xml: message(String(repeating: "<a>y</a>", count: 60)), reason: "children"),
    Row(name: "a value", xml: message("<a b='\(String(repeating: "v", count: 400))'/>"), reason: "bytes"),
    Row(
      name: "its own value",
      xml: "<message from='eve@example.org/x' id='m1' type='chat' b='\(String(repeating: "v", count: 400))'/>",
      reason: "attributes|bytes"),
    Row(name: "end tags alone", xml: message("<a/>" + String(repeating: " ", count: 380)), reason: "bytes"),
    Row(name: "depth", xml: message("<a><b><c><d/></c></b></a>"), reason: "nested"),
    Row(
      name: "depth and then text",
      xml: message(
        "<a><b><c><d>text</d>text</c></b><!-- not looked at -->".replacing("<!-- not looked at -->", with: "</a>")),
      reason: "nested"),
    Row(name: "attributes", xml: message("<a a='' b='' c='' d=''/>"), reason: "attributes"),
    Row(name: "children", xml: message("<a/><a/><a/><a/><a/><a/>"), reason: "children"),
    Row(
      name: "names", xml: message("<a><b/><c/><d/><e/></a><f><g/><h/><i/><j/></f><k><l/><m/></k>"), reason: "names"),
  ]

  @Test(arguments: rows)
  func aStanzaOverALimitIsSkippedAndReported(_ row: Row) throws {
    let items = items(of: opening + "<a/>" + row.xml + "<b id='after'/>", limits: Self.small)
    #expect(items.count == 4)
    let refused = try #require(items.dropFirst(2).first?.refused)
    #expect(row.reason.split(separator: "|").contains { refused.reason.contains($0) })
    #expect(
      refused
        == RefusedStanza(
          name: "message", from: "eve@example.org/x", id: "m1", type: "chat", bytes: row.xml.utf8.count,
          reason: refused.reason))
    #expect(items.last?.element?.attribute("id") == "after")
  }

  @Test func whatIsExactlyAtALimitIsDelivered() {
    let text = Self.message("<a><b><c a='' b='' c=''/></b></a><a/><a/><a/><a/>")
    let full = text.replacing("</message>", with: String(repeating: " ", count: 400 - text.utf8.count) + "</message>")
    let items = items(of: opening + full, limits: Self.small)
    #expect(items.last?.element?.byteCount == 400)
    let over = opening + full.replacing("</message>", with: " </message>")
    #expect(feed(over).last?.refused?.bytes == 401)
  }

  private func feed(_ text: String) -> [StreamItem] { XMLTests.items(of: text, limits: Self.small) }

  @Test func whatARefusedStanzaSaysOfItselfIsBounded() throws {
    let long = String(repeating: "i", count: 5_000)
    let items = items(of: [Array("\(opening)<message from='a@b' id='\(long)' \(Self.attributes(300))/>".utf8)[...]])
    let refused = try #require(items.last?.refused)
    #expect(refused.id == nil && refused.from == "a@b")
  }

  private static func attributes(_ count: Int) -> String {
    (0..<count).map { "a\($0)=''" }.joined(separator: " ")
  }

  @Test func forbiddenXMLInASkippedStanzaEndsTheStreamToo() {
    let start = "<message><a><b><c><d/></c></b></a>"
    for bad in ["<!--c-->", "<p:x/>", "&e;", "<?p?>", "\u{1}"] {
      let items = feed(opening + start + bad + "</message><b/>")
      #expect(items.count == 2 && items.last?.failure != nil)
    }
  }

  @Test func aStanzaWithoutEndIsHeldInBoundedMemory() {
    let parser = StreamParser()
    var items: [StreamItem] = []
    parser.feed(Array((opening + "<message from='eve@x' id='1'><body>").utf8), into: &items)
    let text = [UInt8](repeating: 0x78, count: 64 << 10)
    var most = 0
    for _ in 0..<256 {
      parser.feed(text, into: &items)
      most = max(most, parser.heldBytes)
    }
    #expect(items.count == 1)
    #expect(most <= (1 << 20) + 100)
    #expect(parser.heldBytes == 0)
    parser.feed(Array("</body></message><a/>".utf8), into: &items)
    #expect(items.count == 3)
    #expect(
      items[1].refused?.bytes == 256 * text.count + "<message from='eve@x' id='1'><body></body></message>".utf8.count)
  }

  @Test(arguments: [
    "<message id='", "<message><a b='", "<message><", "<message><!-- ", "<message><?p ", "<!DOCTYPE x [", "<message>&",
    "<message></", "<message xmlns:p='",
  ])
  func aTagWithoutEndEndsTheStream(_ start: String) {
    let parser = StreamParser()
    var items: [StreamItem] = []
    parser.feed(Array((opening + start).utf8), into: &items)
    let text = [UInt8](repeating: 0x78, count: 64 << 10)
    for _ in 0..<65 where items.last?.failure == nil { parser.feed(text, into: &items) }
    // Some are found out earlier than by their size.
    #expect(items.last?.failure != nil)
    #expect(items.count == 2)
  }

  @Test func beforeAuthenticationLessIsAccepted() {
    let parser = StreamParser(limits: .unauthenticated)
    var items: [StreamItem] = []
    parser.feed(Array((opening + "<features a='").utf8), into: &items)
    parser.feed([UInt8](repeating: 0x78, count: 65 << 10), into: &items)
    #expect(items.last?.failure == .tooLarge("a tag, an attribute or a comment without end"))
    let text = "<features>\(String(repeating: "x", count: 65 << 10))</features>"
    #expect(XMLTests.items(of: [Array((opening + text).utf8)[...]], limits: .unauthenticated).last?.refused != nil)
  }

  @Test func depthIsBoundedWhileSkipping() {
    let deep = String(repeating: "<a>", count: 60)
    #expect(feed(opening + deep).last?.failure == .tooLarge("nested elements"))
    let declared = String(repeating: "<a xmlns:p='u' xmlns:q='u' xmlns:r='u'>", count: 30)
    #expect(feed(opening + declared).last?.failure == .tooLarge("namespace declarations"))
  }

  /// A new parser takes over behind a whole stanza, wherever the bytes are cut, with what the stream's start tag declares.
  @Test func namesWithoutEndAreForgottenInBetween() {
    var limits = Self.small
    limits.names = 40
    let start =
      "<?xml version='1.0'?>\n<stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' "
      + "xmlns:p='urn:p' version='1.0' id='a>b' >"
    let stanzas = (0..<60).map { "<n\($0) a\($0)='1'><p:x/><stream:y/>t</n\($0)> " }.joined()
    let items = XMLTests.items(of: start + stanzas + "</stream:stream>", limits: limits)
    #expect(items.count == 62)
    #expect(items.last == .end)
    for (number, element) in items.compactMap(\.element).enumerated() {
      #expect(element.local == "n\(number)" && element.attribute("id") == nil && element.text == "t")
      #expect(element.namespace == "jabber:client")
      #expect(element.children.map(\.namespace) == ["urn:p", "http://etherx.jabber.org/streams"])
      #expect(element.byteCount == "<n a='1'><p:x/><stream:y/>t</n>".utf8.count + 3 * "\(number)".utf8.count)
    }
  }

  @Test func theDictionaryIsBoundedHoweverManyNamesCome() {
    let parser = StreamParser()
    var items: [StreamItem] = []
    parser.feed(Array(opening.utf8), into: &items)
    var most = 0
    for number in 0..<100 {
      let names = (0..<900).map { "<n\(number)-\($0)/>" }.joined()
      parser.feed(Array("<message>\(names)</message>".utf8), into: &items)
      most = max(most, parser.nameCount)
    }
    #expect(most > 10_000 && most < 22_000)
    #expect(items.compactMap(\.element).count == 100 && items.count == 101)
  }

  @Test func whatIsWrongBehindIsWrongAsEver() {
    var limits = Self.small
    limits.names = 30
    let many = (0..<40).map { "<n\($0)/>" }.joined()
    for bad in ["<q:x/>", "<!-- -->", "</wrong>", "text", "<a b='1' b='2'/>", "&e;"] {
      let items = XMLTests.items(of: opening + many + "<ok/>" + bad + "<after/>", limits: limits)
      #expect(items.last?.failure != nil, "\(bad)")
      #expect(items.compactMap(\.element).count == 41, "\(bad)")
    }
  }

  /// The hard limit is of one skipped stanza: how many come at once does not matter.
  @Test func namesOfSkippedStanzasAreForgottenBehindEach() {
    var limits = Self.small
    (limits.names, limits.hardNames) = (24, 60)
    let skipped = (0..<60).map { "<n\($0) a\($0)='' b\($0)='' c\($0)='' d\($0)=''/>" }.joined()
    let items = XMLTests.items(of: opening + skipped + "<ok/>", limits: limits)
    #expect(items.compactMap(\.refused).count == 60)
    #expect(items.last?.element?.local == "ok")
  }

  /// Where there can be no new parser it is said, once.
  @Test func aLongOpeningIsNotKept() {
    let long =
      "<stream:stream xmlns:stream='http://etherx.jabber.org/streams' id='\(String(repeating: "i", count: 4_100))'>"
    let parser = StreamParser(limits: Self.small)
    var items: [StreamItem] = []
    parser.feed(Array(long.utf8), into: &items)
    for number in 0..<2_000 { parser.feed(Array("<n\(number)/>".utf8), into: &items) }
    #expect(items.filter { $0 == .namesExhausted }.count == 1)
    #expect(items.compactMap(\.element).count == 2_000, "it is a notice only")
    #expect(items.last?.element?.local == "n1999")
  }

  @Test func namesWithoutEndInOneStanzaEndTheStream() {
    let parser = StreamParser(limits: Self.small)
    var items: [StreamItem] = []
    parser.feed(Array((opening + "<message>").utf8), into: &items)
    for number in 0..<5_000 { parser.feed(Array("<x\(number)/>".utf8), into: &items) }
    #expect(items.last?.failure == .namesExhausted)
  }

  /// The limit is of one stanza: names that earlier ones had are known and count again, those of this one once each.
  @Test func namesCountByTheStanzaThoughTheyAreShared() {
    var limits = Self.small
    limits.children = 100
    limits.stanzaNames = 12
    let ten = (0..<9).map { "<n\($0)/>" }.joined()
    // jabber:client, message and nine more are eleven; each again and again is no more.
    let message = "<message>\(ten)\(ten)</message>"
    let items = XMLTests.items(of: opening + String(repeating: message, count: 20), limits: limits)
    #expect(items.compactMap(\.element).count == 20)
    let beyond = "<message>\(ten)<a/><b/><c/></message>"
    let mixed = XMLTests.items(of: opening + message + beyond + message, limits: limits)
    #expect(mixed.dropFirst().map { $0.refused?.reason.contains("names") ?? false } == [false, true, false])
    // Names of two stanzas are together over the limit of one.
    let other = (0..<9).map { "<m\($0)/>" }.joined()
    let apart = XMLTests.items(of: opening + message + "<message>\(other)</message>" + message, limits: limits)
    #expect(apart.compactMap(\.element).count == 3)
  }

  @Test func longNamesAreForgottenByTheirBytes() {
    let parser = StreamParser()
    var items: [StreamItem] = []
    parser.feed(Array(opening.utf8), into: &items)
    let long = String(repeating: "n", count: 40_000)
    var most = 0
    for number in 0..<300 {
      parser.feed(Array("<a\(number)\(long)/>".utf8), into: &items)
      most = max(most, parser.nameCount)
    }
    #expect(items.compactMap(\.element).count == 300 && items.count == 301)
    #expect(most < 200)
  }

  @Test func oneLongNamespaceForManyNamesIsHeldOnce() {
    let parser = StreamParser()
    var items: [StreamItem] = []
    let long = String(repeating: "u", count: 100_000)
    let children = (0..<900).map { "<p:n\($0)/>" }.joined()
    parser.feed(Array((opening + "<message xmlns:p='\(long)'>\(children)").utf8), into: &items)
    #expect(parser.heldBytes < 120_000)
    parser.feed(Array("</message>".utf8), into: &items)
    #expect(items.last?.element?.children.reduce(0) { $0 + ($1.namespace.utf8.count == 100_000 ? 1 : 0) } == 900)
  }
}
