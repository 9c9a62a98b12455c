import Bytes
import SASL
import Testing
import XMPPStream

/// Logins that are bound to their connection, and those that are not though they might be.
@Suite struct ChannelBindingTests {
  typealias S = Snippet

  /// Bytes 0 to 31 for either type.
  static let facts = TLSFacts(
    version: "TLSv1.3", cipher: "TLS_AES_256_GCM_SHA384", tlsExporter: Array(0..<32),
    tlsServerEndPoint: Array(0..<32))

  private func conversation(_ features: String, _ rest: String, account: Conversation.LoginRules = .init())
    -> Conversation
  {
    Conversation(
      tls: .direct, account: account, facts: Self.facts,
      "TLS\nC: \(S.header)\nS: \(S.opened("s1"))\(S.features(features))\n\(rest)")
  }

  private func end(_ serverFinal: String) -> String {
    """
    S: \(S.success(serverFinal))
    C: \(S.header)
    S: \(S.opened("s2"))\(S.offersBind)
    C: \(S.bind)
    S: \(S.bound("user@example.org/confab"))
    READY user@example.org/confab
    """
  }

  @Test func tlsExporter() throws {
    let conversation = conversation(
      S.mechanisms("SCRAM-SHA-1", "SCRAM-SHA-1-PLUS") + S.bindings("tls-server-end-point", "tls-exporter"),
      """
      C: \(S.auth("SCRAM-SHA-1-PLUS", "{p=tls-exporter,,n=user,r=fyko+d2lbbFgONRv9qkxdawL}"))
      S: \(S.challenge(S.serverFirst))
      C: \(S.response("{c=cD10bHMtZXhwb3J0ZXIsLAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f,r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,p=i0z2xFi+ITaJvbLXpcWyruGx26U=}"))
      \(end("{v=YgmPUhdXTCPY9I7+PKzEdnp1cdo=}"))
      """)
    try conversation.playEveryWay()
    let stream = try #require(try conversation.play().ready)
    #expect(stream.login.description == "SCRAM-SHA-1-PLUS tls-exporter")
    #expect(!stream.login.leavesBindingUnused)
  }

  @Test func tlsServerEndPoint() throws {
    let driver = try conversation(
      S.bindings("tls-unique", "tls-server-end-point") + S.mechanisms("SCRAM-SHA-1-PLUS", "SCRAM-SHA-512"),
      """
      C: \(S.auth("SCRAM-SHA-1-PLUS", "{p=tls-server-end-point,,n=user,r=fyko+d2lbbFgONRv9qkxdawL}"))
      S: \(S.challenge(S.serverFirst))
      C: \(S.response("{c=cD10bHMtc2VydmVyLWVuZC1wb2ludCwsAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=,r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,p=z8dLQJmun2sA+XpCkRPSWO61Enc=}"))
      \(end("{v=if1R+hByy96r9wlpTEFxowaJvkg=}"))
      """
    ).play()
    #expect(driver.ready?.login.channelBinding == .tlsServerEndPoint)
  }

  /// What the features say decides the flag of the first message.
  @Test(
    arguments: [
      (S.mechanisms("SCRAM-SHA-1"), "y", false),
      (S.mechanisms("SCRAM-SHA-1", "SCRAM-SHA-1-PLUS"), "n", true),
      (S.mechanisms("SCRAM-SHA-1", "SCRAM-SHA-1-PLUS") + S.bindings("tls-unique"), "n", true),
      (S.mechanisms("SCRAM-SHA-1") + S.bindings("tls-exporter"), "n", true),
      (S.mechanisms("SCRAM-SHA-1") + S.bindings(), "y", false),
      (
        S.mechanisms("SCRAM-SHA-1", "SCRAM-SHA-1-PLUS") + S.bindings("tls-exporter").replacing(":0'", with: ":1'"), "n",
        true
      ),
      (
        S.mechanisms("SCRAM-SHA-1", "SCRAM-SHA-1-PLUS")
          + "<sasl-channel-binding xmlns='urn:xmpp:sasl-cb:0'><channel-binding/></sasl-channel-binding>",
        "n", true
      ),
    ])
  func flags(features: String, flag: String, isUnused: Bool) throws {
    var driver = try conversation(features, "").driverAfter()
    let first = Conversation.expanded(S.auth("SCRAM-SHA-1", "{\(flag),,n=user,r=fyko+d2lbbFgONRv9qkxdawL}"))
    #expect(driver.takeSent().hasSuffix(first))
  }

  /// One who is refused a bound login is told that it may not be the password, and no weaker one is tried.
  @Test func refusedBinding() throws {
    let driver = try conversation(
      S.mechanisms("SCRAM-SHA-1", "SCRAM-SHA-1-PLUS") + S.bindings("tls-exporter"),
      """
      C: \(S.auth("SCRAM-SHA-1-PLUS", "{p=tls-exporter,,n=user,r=fyko+d2lbbFgONRv9qkxdawL}"))
      S: \(S.failure("<not-authorized/>"))
      C: \(S.close)
      FAIL the password is wrong, or somebody is between us and the server (not-authorized)
      """
    ).play()
    #expect(driver.failure?.isPermanent == true)
  }

  /// What an earlier login had is not given up, and nothing of the password leaves.
  @Test(
    arguments: [
      (Mechanism.scramSHA1Plus, ["SCRAM-SHA-512", "PLAIN"], Mechanism.scramSHA512),
      (.scramSHA512, ["SCRAM-SHA-256", "SCRAM-SHA-1"], .scramSHA256),
      (.scramSHA256Plus, ["SCRAM-SHA-512-PLUS", "SCRAM-SHA-256-PLUS", "SCRAM-SHA-1"], .scramSHA1),
      (.scramSHA1, ["PLAIN"], .plain),
    ])
  func pinned(pin: Mechanism, offered: [String], best: Mechanism) throws {
    let list = offered.map { "<mechanism>\($0)</mechanism>" }.joined()
    let driver = try conversation(
      "<mechanisms xmlns='\(S.sasl)'>\(list)</mechanisms>",
      """
      C: \(S.close)
      FAIL only \(best.rawValue) can be used to log in, where \(pin.rawValue) was before: somebody may be in between; if it is the server's own doing, `confab unpin` accepts it
      """, account: .init(pin: pin, allowsPlain: true)
    ).play()
    #expect(driver.failure == .weakened(from: pin, to: best))
    #expect(driver.failure?.isPermanent == true)
  }

  @Test(arguments: [Mechanism.scramSHA1Plus, .scramSHA1, .plain])
  func asStrongOrStronger(pin: Mechanism) throws {
    let features = S.mechanisms("SCRAM-SHA-1-PLUS") + S.bindings("tls-server-end-point")
    var driver = try conversation(features, "", account: .init(pin: pin)).driverAfter()
    #expect(driver.takeSent().contains("mechanism='SCRAM-SHA-1-PLUS'"))
  }

  /// An offer that the server does not confirm (XEP-0474) ends the login before a proof leaves.
  @Test func changedOffer() throws {
    let first = S.serverFirst.replacing("}", with: ",h=G6k/rBLDqgOhRRaCuuatSDFkJ08=}")
    let driver = try conversation(
      S.mechanisms("SCRAM-SHA-1"),
      """
      C: \(S.auth("SCRAM-SHA-1", "{y,,n=user,r=fyko+d2lbbFgONRv9qkxdawL}"))
      S: \(S.challenge(first))
      C: \(S.abort)\(S.close)
      FAIL the server's login offer was changed in transit: an attacker may be in the middle
      """
    ).play()
    #expect(driver.failure?.isPermanent == true)
  }
}

/// PLAIN, which tells the password: only where the account's owner allows it.
@Suite struct PlainTests {
  typealias S = Snippet

  private func conversation(_ rest: String) -> Conversation {
    Conversation(
      tls: .direct, account: .init(allowsPlain: true),
      "TLS\nC: \(S.header)\nS: \(S.opened("s1"))\(S.offersLogin("PLAIN"))\n\(rest)")
  }

  private let auth = S.auth("PLAIN", "{\0user\0pencil}")

  @Test func allowed() throws {
    try conversation(
      """
      C: \(auth)
      S: \(S.success(""))
      C: \(S.header)
      S: \(S.opened("s2"))\(S.offersBind)
      C: \(S.bind)
      S: \(S.bound("user@example.org/confab"))
      READY user@example.org/confab
      """
    ).playEveryWay()
  }

  @Test(
    arguments: [
      (S.failure("<not-authorized/>"), "", "the server says the password is wrong (not-authorized)"),
      (S.challenge(S.serverFirst), S.abort, "the server sent an unexpected login message"),
      (S.challenge(""), S.abort, "the server sent an unexpected login message"),
    ])
  func answers(answer: String, farewell: String, sentence: String) throws {
    try conversation("C: \(auth)\nS: \(answer)\nC: \(farewell)\(S.close)\nFAIL \(sentence)").playEndEveryWay()
  }

  @Test func aSCRAMComesFirst() throws {
    var driver = try Conversation(
      tls: .direct, account: .init(allowsPlain: true),
      "TLS\nC: \(S.header)\nS: \(S.opened("s1"))\(S.offersLogin("PLAIN", "SCRAM-SHA-1"))"
    ).driverAfter()
    #expect(driver.takeSent().contains("mechanism='SCRAM-SHA-1'"))
  }
}
