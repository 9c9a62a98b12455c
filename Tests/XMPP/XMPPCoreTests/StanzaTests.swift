import Testing
import XML
import XMPPCore

@Suite struct StanzaTests {
  @Test func headersAreRead() throws {
    let header = try #require(
      StanzaHeader(element("<iq from='Bob@Example.org/x' to='alice@example.org' id='1' type='get'/>")))
    #expect(header.kind == .iq)
    #expect(header.from == "Bob@Example.org/x")
    #expect(try header.fromJID == JID("bob@example.org/x"))
    #expect(try header.to == JID("alice@example.org"))
    #expect(header.id == "1" && header.type == "get" && !header.hasBadFrom)
    #expect(try StanzaHeader(element("<message/>"))?.fromJID == nil)
  }

  @Test(arguments: [
    "<stream:features/>", "<message xmlns='urn:x'/>", "<Message/>", "<stream:message/>", "<iq xmlns='jabber:server'/>",
  ])
  func othersAreNoStanzas(_ xml: String) throws {
    #expect(try StanzaHeader(element(xml)) == nil)
  }

  @Test(arguments: ["", "@", "a@b@c", "bob@exa mple", "bob@example.org/"])
  func aSenderThatIsNoAddressIsSaidToBeOne(_ from: String) throws {
    let header = try #require(StanzaHeader(element("<presence from='\(from)'/>")))
    #expect(header.hasBadFrom && header.from == from)
  }

  @Test func requestsAndAnswersAreWritten() throws {
    let request = try element("<iq from='a@b/\"&lt;' id='&apos;1' type='get'><q xmlns='urn:q'/></iq>")
    let result = try element(IQ.result(replyingTo: request) { $0.empty("q", xmlns: "urn:q") })
    #expect(result == (try element("<iq type='result' id='&apos;1' to='a@b/\"&lt;'><q xmlns='urn:q'/></iq>")))
    let error = try element(IQ.error(replyingTo: request, .serviceUnavailable))
    #expect(
      error
        == (try element(
          "<iq type='error' id='&apos;1' to='a@b/\"&lt;'><error type='cancel'>"
            + "<service-unavailable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>")))
    #expect(
      String(decoding: IQ.get(id: "7") { $0.empty("ping", xmlns: "urn:xmpp:ping") }, as: UTF8.self)
        == "<iq type='get' id='7'><ping xmlns='urn:xmpp:ping'/></iq>")
    #expect(
      String(decoding: IQ.set(to: "x", id: "8") { _ in }, as: UTF8.self) == "<iq type='set' id='8' to='x'/>")
  }
}

@Suite struct StanzaErrorTests {
  static let xmlns = "xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'"

  @Test(arguments: [
    (
      "<error type='wait' by='x.org'><conflict \(xmlns)/><text \(xmlns)>no</text></error>",
      StanzaError(type: .wait, condition: "conflict", text: "no", by: "x.org")
    ),
    (
      "<error type='cancel'><text \(xmlns)>t</text><gone \(xmlns)>x</gone></error>",
      StanzaError(condition: "gone", text: "t")
    ),
    ("<error/>", StanzaError(condition: "undefined-condition")),
    ("<error type='huge'><forbidden/></error>", StanzaError(condition: "undefined-condition")),
    ("<error type='modify'><made-up \(xmlns)/></error>", StanzaError(type: .modify, condition: "undefined-condition")),
    ("", StanzaError(condition: "undefined-condition")),
    ("<error xmlns='urn:x' type='wait'><conflict \(xmlns)/></error>", StanzaError(condition: "undefined-condition")),
  ])
  func isReadWhateverItHolds(_ xml: String, _ expected: StanzaError) throws {
    #expect(try StanzaError(parsing: element("<message type='error'>\(xml)</message>")) == expected)
  }

  @Test func longTextsAreCut() throws {
    let text = String(repeating: "e\u{301}", count: 5_000)
    let error = try StanzaError(parsing: element("<iq><error><text \(Self.xmlns)>\(text)</text></error></iq>"))
    #expect(error.text?.unicodeScalars.count == StanzaError.longestText)
  }

  @Test func whatIsWrittenIsReadBack() throws {
    for error in [
      StanzaError(type: .auth, condition: "not-authorized", text: "a < b", by: "x'y"), .badRequest, .itemNotFound,
    ] {
      var writer = XMLWriter()
      error.write(into: &writer)
      #expect(try StanzaError(parsing: element(writer.bytes)) == error)
    }
  }

  @Test func aConditionThatIsNoneIsNotWritten() throws {
    var writer = XMLWriter()
    StanzaError(condition: "x/><evil").write(into: &writer)
    #expect(try StanzaError(parsing: element(writer.bytes)).condition == "undefined-condition")
  }
}

@Suite struct StreamErrorTests {
  @Test func isRead() throws {
    let streams = "xmlns='urn:ietf:params:xml:ns:xmpp-streams'"
    let xml = "<stream:error><conflict \(streams)/><text \(streams)>Replaced</text></stream:error>"
    #expect(try StreamError(parsing: element(xml)) == StreamError(condition: "conflict", text: "Replaced"))
    #expect(try StreamError.isStreamError(element(xml)))
    #expect(try !StreamError.isStreamError(element("<error/>")))
    #expect(try StreamError(parsing: element("<stream:error/>")).condition == "undefined-condition")
    #expect(try StreamError(parsing: element("<stream:error><x \(streams)/></stream:error>")).text == nil)
  }

  @Test func isWrittenWithTheEndOfTheStream() {
    let header = "<stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'>"
    for (condition, expected) in [("restricted-xml", "restricted-xml"), ("</x>", "undefined-condition")] {
      let parser = StreamParser()
      var items: [StreamItem] = []
      parser.feed(Array(header.utf8) + StreamError.closing(condition), into: &items)
      guard items.count == 3, case .stanza(let error) = items[1] else { return _ = Issue.record("\(items)") }
      #expect(StreamError(parsing: error).condition == expected)
      #expect(items[2] == .end)
    }
  }
}
