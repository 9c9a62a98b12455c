import SASL
import Testing
import XMPPCore
import XMPPStream

/// Logins that go on with an earlier stream (XEP-0198, section 5), and what becomes of them where it is over.
@Suite struct ResumptionTests {
  typealias S = Snippet

  private static func resumption() throws -> Negotiator.Resumption {
    Negotiator.Resumption(jid: try JID("user@example.org/confab"), previousID: "some-'id'", handled: .max)
  }

  private static let resume = "<resume xmlns='urn:xmpp:sm:3' h='4294967295' previd='some-&apos;id&apos;'/>"
  private static let offers = S.features(
    "<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/><sm xmlns='urn:xmpp:sm:3'/>")
  private static let greeting = "<greeting sm='true' ver='false'/>"

  private static func resumed(_ h: String, _ id: String = "some-&apos;id&apos;") -> String {
    "<resumed xmlns='urn:xmpp:sm:3' h='\(h)' previd='\(id)'/>"
  }

  private static func failed(_ attributes: String = "") -> String {
    "<failed xmlns='urn:xmpp:sm:3'\(attributes)><item-not-found xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></failed>"
  }

  @Test func goesOnInsteadOfBinding() throws {
    try Conversation(
      pipelining: .known, resumption: try Self.resumption(),
      """
      \(S.untilSuccess)
      S: \(S.opened("s3"))\(Self.offers)
      C: \(Self.resume)
      S: \(Self.resumed("7"))
      RESUMED 7
      """
    ).playEndEveryWay()
  }

  @Test func isAskedForWithTheHeader() throws {
    var features = StreamFeatures()
    features.streamManagement = true
    let asBefore = Negotiator.Pipelining.expected(SASLOffer(mechanisms: ["SCRAM-SHA-1"]), features)
    let driver = try Conversation(
      tls: .direct, pipelining: asBefore, resumption: try Self.resumption(),
      """
      TLS
      C: \(S.header)\(S.auth("SCRAM-SHA-1", S.clientFirst))
      S: \(S.opened("s1"))\(S.offersLogin("SCRAM-SHA-1"))\(S.challenge(S.serverFirst))
      C: \(S.response(S.clientFinal))
      S: \(S.success(S.serverFinal))
      C: \(S.header)\(Self.resume)
      S: \(S.opened("s3"))\(Self.offers)\(Self.resumed("0"))
      RESUMED 0
      """
    ).play()
    #expect(driver.resumed?.stream.jid.description == "user@example.org/confab")
  }

  @Test(arguments: ["", " h='12'"])
  func whereItIsOverAResourceIsBoundInTheSameLogin(attributes: String) throws {
    let driver = try Conversation(
      pipelining: .known, resumption: try Self.resumption(),
      """
      \(S.untilSuccess)
      S: \(S.opened("s3"))\(Self.offers)
      C: \(Self.resume)
      S: \(Self.failed(attributes))
      C: \(S.bind)\(Self.greeting)
      S: \(S.bound("user@example.org/confab"))
      READY user@example.org/confab
      """
    ).play()
    let handled: UInt32? = attributes.isEmpty ? nil : 12
    #expect(driver.events.contains(.notResumed(condition: "item-not-found", handled: handled)))
  }

  @Test func whoOffersNoStreamManagementIsNotAsked() throws {
    try Conversation(
      resumption: try Self.resumption(),
      """
      \(S.untilSuccess)
      S: \(S.opened("s3"))\(S.features("<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/>"))
      C: \(S.bind)
      S: \(S.bound("user@example.org/confab"))
      READY user@example.org/confab
      """
    ).playEndEveryWay()
  }

  @Test(arguments: [
    "<resumed xmlns='urn:xmpp:sm:3' h='0' previd='another'/>", "<resumed xmlns='urn:xmpp:sm:3' previd='some-id'/>",
    "<resumed xmlns='urn:xmpp:sm:3' h='4294967296' previd='some-&apos;id&apos;'/>",
    "<failed xmlns='urn:xmpp:sm:3' h='-1'/>", "<enabled xmlns='urn:xmpp:sm:3'/>", "<message/>",
  ])
  func anythingElseEndsTheStream(answer: String) throws {
    let driver = try Conversation(
      resumption: try Self.resumption(),
      """
      \(S.untilSuccess)
      S: \(S.opened("s3"))\(Self.offers)
      C: \(Self.resume)
      S: \(answer)
      """
    ).driverAfter()
    #expect(driver.resumed == nil && driver.ready == nil)
    #expect(driver.failure?.sentence.hasSuffix("in answer to <resume/>") == true)
  }
}
