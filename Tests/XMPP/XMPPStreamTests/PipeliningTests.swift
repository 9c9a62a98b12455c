import SASL
import Testing
import XMPPStream

/// Negotiations that go ahead of the server, and what becomes of them where it is not as expected.
@Suite struct PipeliningTests {
  typealias S = Snippet

  /// What the snippets' server offers.
  private static let asBefore = Negotiator.Pipelining.expected(
    SASLOffer(mechanisms: ["SCRAM-SHA-1"]), features(management: true))

  private static func features(management: Bool) -> StreamFeatures {
    var features = StreamFeatures()
    features.streamManagement = management
    return features
  }

  private static let greeting = "<greeting sm='true' ver='false'/>"
  private static let loginAhead = "\(S.header)\(S.auth("SCRAM-SHA-1", S.clientFirst))"

  @Test func theGreetingGoesBehindTheResource() throws {
    try Conversation(
      pipelining: .known,
      """
      \(S.untilSuccess)
      S: \(S.opened("s3"))\(S.offersBind)
      C: \(S.bind)\(Self.greeting)
      S: \(S.bound("user@example.org/confab"))
      READY user@example.org/confab
      """
    ).playEveryWay()
  }

  @Test func everythingExpectedGoesWithTheHeaders() throws {
    try Conversation(
      pipelining: Self.asBefore,
      """
      C: \(S.plainHeader)\(S.startTLS)
      S: \(S.opened("s1"))\(S.offersTLS)\(S.proceed)
      TLS
      C: \(Self.loginAhead)
      S: \(S.opened("s2"))\(S.offersLogin("SCRAM-SHA-1"))\(S.challenge(S.serverFirst))
      C: \(S.response(S.clientFinal))
      S: \(S.success(S.serverFinal))
      C: \(S.header)\(S.bind)\(Self.greeting)
      S: \(S.opened("s3"))\(S.offersBind)\(S.bound("user@example.org/confab"))
      READY user@example.org/confab
      """
    ).playEveryWay()
  }

  @Test(
    "other features than expected end the stream",
    arguments: [
      S.offersLogin("SCRAM-SHA-256", "SCRAM-SHA-1"), S.offersLogin("SCRAM-SHA-512"),
      S.features(S.mechanisms("SCRAM-SHA-1", "SCRAM-SHA-1-PLUS") + S.bindings("tls-exporter")),
    ])
  func otherMechanisms(features: String) throws {
    try Conversation(
      tls: .direct, facts: ChannelBindingTests.facts, pipelining: Self.asBefore,
      """
      TLS
      C: \(Self.unboundLogin)
      S: \(S.opened("s1"))\(features)
      C: \(S.close)
      FAIL the server is not as expected: it offers something else than at the last login
      """
    ).playEndEveryWay()
  }

  /// With something to bind a login to, and a server that offers nothing of the kind.
  private static let unboundLogin =
    "\(S.header)\(S.auth("SCRAM-SHA-1", "{y,,n=user,r=fyko+d2lbbFgONRv9qkxdawL}"))"

  @Test func nothingUsable() throws {
    try Conversation(
      tls: .direct, pipelining: Self.asBefore,
      """
      TLS
      C: \(Self.loginAhead)
      S: \(S.opened("s1"))\(S.offersLogin("PLAIN"))
      C: \(S.close)
      FAIL the server offers no way to log in that is safe enough (it offers PLAIN)
      """
    ).playEndEveryWay()
  }

  @Test func encryptionIsOfferedAsEver() throws {
    try Conversation(
      pipelining: Self.asBefore,
      """
      C: \(S.plainHeader)\(S.startTLS)
      S: \(S.opened("s1"))\(S.offersLogin("SCRAM-SHA-1"))
      C: \(S.close)
      FAIL the server offers no encryption
      """
    ).playEndEveryWay()
  }

  @Test func nothingReadBeforeTLSCounts() throws {
    try Conversation(
      pipelining: Self.asBefore,
      """
      C: \(S.plainHeader)\(S.startTLS)
      S: \(S.opened("s1"))\(S.offersTLS)\(S.proceed)\(S.opened("s2"))\(S.offersLogin("SCRAM-SHA-1"))
      FAIL the server broke the protocol: it spoke before the new stream was opened
      """
    ).play()
  }

  @Test func aSessionThatCannotBeAsBefore() throws {
    try Conversation(
      tls: .direct, pipelining: Self.asBefore,
      """
      TLS
      C: \(Self.loginAhead)
      S: \(S.opened("s2"))\(S.offersLogin("SCRAM-SHA-1"))\(S.challenge(S.serverFirst))
      C: \(S.response(S.clientFinal))
      S: \(S.success(S.serverFinal))
      C: \(S.header)\(S.bind)\(Self.greeting)
      S: \(S.opened("s3"))\(S.features("<bind xmlns='\(S.bindNamespace)'/>"))
      C: \(S.close)
      FAIL the server is not as expected: it offers something else than at the last login
      """
    ).playEndEveryWay()
  }

  @Test func aPasswordIsNotToldAhead() throws {
    try Conversation(
      tls: .direct, account: .init(allowsPlain: true),
      pipelining: .expected(SASLOffer(mechanisms: ["PLAIN"]), StreamFeatures()),
      """
      TLS
      C: \(S.header)
      S: \(S.opened("s1"))\(S.offersLogin("PLAIN", "SCRAM-SHA-1"))
      C: \(S.auth("SCRAM-SHA-1", S.clientFirst))
      """
    ).play()
  }

  @Test("it is ahead as long as what it said is not answered")
  func isAhead() throws {
    var driver = try Conversation(tls: .direct, pipelining: Self.asBefore, "").driver()
    driver.handle(.connected)
    #expect(!driver.isAhead)
    driver.handshakeDone()
    #expect(driver.isAhead)
    driver.receive(Array((S.opened("s1") + S.offersLogin("SCRAM-SHA-1")).utf8)[...])
    #expect(driver.isAhead)
    driver.receive(Array(Conversation.expanded(S.challenge(S.serverFirst)).utf8)[...])
    #expect(!driver.isAhead)
    driver.receive(Array(Conversation.expanded(S.success(S.serverFinal)).utf8)[...])
    #expect(driver.isAhead)
    driver.receive(Array((S.opened("s2") + S.offersBind + S.bound("user@example.org/confab")).utf8)[...])
    #expect(!driver.isAhead && driver.ready != nil)
  }
}
