import SASL
import Testing
import XMPPCore
import XMPPStream

/// Where a negotiation says that it stands.
@Suite struct StepTests {
  typealias S = Snippet

  @Test(
    arguments: [
      ("C: \(S.plainHeader)", NegotiationStep.securing),
      ("C: \(S.plainHeader)\nS: \(S.opened("s1"))\(S.offersTLS)\nC: \(S.startTLS)\nS: \(S.proceed)", .securing),
      ("\(S.untilTLS)\nC: \(S.header)", .opening),
      (S.untilAuth, .authenticating),
      (S.untilFinal, .authenticating),
      (S.untilSuccess, .opening),
      (S.untilBind, .binding),
    ])
  func steps(point: String, step: NegotiationStep) throws {
    let driver = try Conversation(point).play()
    #expect(driver.step == step)
  }

  @Test func directTLSIsSecuredFirst() throws {
    var driver = try Conversation(tls: .direct, "").driver()
    #expect(driver.step == .connecting)
    driver.handle(.connected)
    #expect(driver.step == .securing)
    #expect(driver.events.isEmpty)
    driver.handshakeDone()
    #expect(driver.step == .opening)
    #expect(driver.takeSent() == S.header)
  }

  /// No input makes a negotiator skip the encryption.
  @Test func encryptionOutOfTurn() throws {
    var driver = try Conversation("").driver()
    driver.handshakeDone()
    #expect(driver.failure == .protocolViolation("encryption began out of turn"))
    var early = try Conversation("C: \(S.plainHeader)").play()
    early.handshakeDone()
    #expect(early.failure == .protocolViolation("encryption began out of turn"))
  }

  /// An answer that nobody asked for, such as one that a failure crossed, does nothing before the login.
  @Test func keysOutOfTurn() throws {
    var driver = try Conversation("C: \(S.plainHeader)").play()
    driver.handle(.derived(credential: [1]))
    #expect(!driver.isOver)
    var login = try Conversation(S.untilAuth).play()
    login.handle(.derived(credential: [1]))
    #expect(login.failure == .login(.outOfOrder))
  }
}
