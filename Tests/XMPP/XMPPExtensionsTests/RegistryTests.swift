import Testing
import XML
import XMPPCore
import XMPPExtensions

@Suite struct RegistryTests {
  @Test func everyRequestHasOneAnswerThatFitsIt() throws {
    let answer = try #require(
      try answer("<iq from='bob@example.org/x' to='a@b/c' id='7' type='get'><ping xmlns='urn:xmpp:ping'/></iq>"))
    #expect(try answer == element("<iq type='result' id='7' to='bob@example.org/x'/>"))
  }

  @Test(arguments: [
    // What is not handled
    ("<iq from='s@x' id='1' type='get'><q xmlns='urn:unknown'/></iq>", "service-unavailable"),
    ("<iq from='s@x' id='1' type='set'><q xmlns='urn:unknown'/></iq>", "service-unavailable"),
    ("<iq from='s@x' id='1' type='set'><ping xmlns='urn:xmpp:ping'/></iq>", "service-unavailable"),
    ("<iq from='s@x' id='1' type='set'><query xmlns='jabber:iq:roster'/></iq>", "service-unavailable"),
    ("<iq id='1' type='get'><ping xmlns='jabber:client'/></iq>", "service-unavailable"),
    ("<iq id='1' type='get'><ping xmlns='urn:xmpp:ping:0'/></iq>", "service-unavailable"),
    // What makes no sense
    ("<iq id='1' type='get'/>", "bad-request"),
    ("<iq id='1' type='set'>text</iq>", "bad-request"),
    ("<iq id='1' type='get'><ping xmlns='urn:xmpp:ping'/><ping xmlns='urn:xmpp:ping'/></iq>", "bad-request"),
    ("<iq type='get'><ping xmlns='urn:xmpp:ping'/></iq>", "bad-request"),
    ("<iq id='1'><ping xmlns='urn:xmpp:ping'/></iq>", "bad-request"),
    ("<iq id='1' type='GET'><ping xmlns='urn:xmpp:ping'/></iq>", "bad-request"),
    ("<iq id='1' type=''/>", "bad-request"),
  ])
  func otherRequestsGetAnError(_ xml: String, _ expected: String) throws {
    #expect(try condition(xml) == expected)
    let answer = try #require(try answer(xml))
    let request = try element(xml)
    #expect(answer.attribute("to") == request.attribute("from"))
    #expect(answer.attribute("id") == request.attribute("id"))
  }

  @Test(arguments: [
    "<iq id='1' type='result'><query xmlns='jabber:iq:version'/></iq>", "<iq id='1' type='error'/>",
    "<iq type='result'/>", "<message id='1' type='get'/>", "<iq xmlns='urn:x' id='1' type='get'/>",
    "<iq from='a@b@c' id='1' type='get'><ping xmlns='urn:xmpp:ping'/></iq>",
  ])
  func whatIsNoRequestIsNeverAnswered(_ xml: String) throws {
    #expect(try answer(xml) == nil)
  }

  @Test func noAnswerIsEverAnswered() throws {
    for xml in ["<iq id='1' type='get'/>", "<iq id='1' type='x'/>", "<iq type='set'><a/></iq>"] {
      let answer = try #require(try Registry.answer(iq: element(xml), context: .test()))
      #expect(try Registry.answer(iq: element(answer), context: .test()) == nil)
    }
  }

  static func ping(id: String, _ type: String) -> String {
    "<iq from='e@e' id='\(id)' type='\(type)'><ping xmlns='urn:xmpp:ping'/></iq>"
  }

  /// It would be escaped in the answer: a stanza that is short enough for our server, and whose answer is not.
  @Test func aHugeIDIsNotSentBack() throws {
    let longest = String(repeating: "&apos;", count: Registry.longestID)
    for asker in [ExtensionContext.Asker.trusted, .stranger] {
      for type in ["get", "set", "x"] {
        #expect(try answer(Self.ping(id: longest, type), .test(asker)) != nil)
        #expect(try answer(Self.ping(id: longest + "x", type), .test(asker)) == nil)
      }
    }
  }

  /// Nothing that came is in an answer but who asked, and the id.
  @Test(arguments: ExtensionContext.Asker.allKinds, [true, false])
  func anAnswerIsNeverMuchLongerThanItsRequest(_ asker: ExtensionContext.Asker, isKnown: Bool) throws {
    let long = String(repeating: "'", count: 100_000)
    let name = isKnown ? "http://jabber.org/protocol/disco#info" : "urn:unknown"
    let iq = try element(
      "<iq from='e@e' id='1' type='get'><query xmlns='\(name)' node=\"\(long)\">\(long)</query></iq>")
    let answer = try #require(Registry.answer(iq: iq, context: .test(asker)))
    #expect(answer.count < 4_096)
  }

  /// What a stranger is told is what the server would say if we were not there.
  @Test(arguments: [
    "<ping xmlns='urn:xmpp:ping'/>", "<query xmlns='jabber:iq:version'/>", "<time xmlns='urn:xmpp:time'/>",
    "<query xmlns='http://jabber.org/protocol/disco#info'/>", "<query xmlns='http://jabber.org/protocol/disco#items'/>",
    "<query xmlns='http://jabber.org/protocol/disco#info' node='x'/>", "<unknown xmlns='urn:x'/>", "",
    "<a/><b/>",
  ])
  func strangersLearnNothing(_ payload: String) throws {
    let xml = "<iq from='eve@evil.example/x' id='1' type='get'>\(payload)</iq>"
    #expect(try condition(xml, .test(.stranger)) == "service-unavailable")
    for iq in ["<iq from='e@e' type='get'>", "<iq from='e@e' id='1'>", "<iq from='e@e' id='1' type='set'>"] {
      #expect(try condition(iq + payload + "</iq>", .test(.stranger)) == "service-unavailable")
    }
    #expect(try answer("<iq from='e@e' id='1' type='result'>\(payload)</iq>", .test(.stranger)) == nil)
  }

  @Test func whoIsAStranger() throws {
    let own = try JID("alice@example.org/confab")
    let bob = try JID("bob@example.org")
    func asker(_ sender: String?) throws -> ExtensionContext.Asker {
      ExtensionContext.Asker(sender: try sender.map { try JID($0) }, own: own) { $0 == bob }
    }
    for trusted in [nil, "alice@example.org", "Alice@Example.org/other", "example.org", "bob@example.org/phone"] {
      #expect(try asker(trusted) == .trusted)
    }
    for stranger in ["eve@example.org", "example.org/x", "alice@example.net", "sub.example.org", "bob@example.net"] {
      #expect(try asker(stranger) == .stranger)
    }
  }

  @Test func theTableIsInOrderAndAnnouncesEachFeatureOnce() {
    let numbers = Registry.rows.map(\.number)
    #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
    let features = Registry.info(.test()).features
    #expect(features == features.sorted() && Set(features).count == features.count)
    #expect(features.contains("http://jabber.org/protocol/disco#info"))
  }
}
