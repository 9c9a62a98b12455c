import Testing
import XMPPStream

/// How encryption can fail to come about: nothing of what was said in the clear may survive it.
@Suite struct EncryptionFailureTests {
  typealias S = Snippet

  @Test func noEncryptionOffered() throws {
    try Conversation.check(
      """
      C: \(S.plainHeader)
      S: \(S.opened("s1"))\(S.offersLogin("PLAIN", "SCRAM-SHA-1"))
      C: \(S.close)
      FAIL the server offers no encryption
      """)
  }

  @Test func encryptionRefused() throws {
    try Conversation.check(
      """
      C: \(S.plainHeader)
      S: \(S.opened("s1"))\(S.offersTLS)
      C: \(S.startTLS)
      S: <failure xmlns='\(S.tls)'/></stream:stream>
      C: \(S.close)
      FAIL the server refused to start encryption
      """)
  }

  /// An attacker's bytes that ride with `<proceed/>` (CVE-2011-0411 and its kin): nothing of them is used, and the
  /// handshake is not begun.
  @Test(
    arguments: [
      "<stream:features/>", "<", "x", "<a><b>", S.opened("s2"), "</stream:stream>", "\u{16}\u{3}\u{1}",
      S.offersLogin("PLAIN"), S.success(S.serverFinal),
    ])
  func bytesBehindProceed(bytes: String) throws {
    var driver = try Conversation("C: \(S.plainHeader)\nS: \(S.opened("s1"))\(S.offersTLS)\nC: \(S.startTLS)").play()
    driver.receive(ArraySlice((S.proceed + bytes).utf8))
    #expect(driver.failure == .protocolViolation("it spoke before the new stream was opened"))
    #expect(!driver.events.contains(.startTLS))
    #expect(driver.takeSent() == "")
  }

  /// The same bytes in a read of their own go where they belong: to the handshake, which fails over them.
  @Test func bytesAfterProceed() throws {
    var driver = try Conversation("C: \(S.plainHeader)\nS: \(S.opened("s1"))\(S.offersTLS)\nC: \(S.startTLS)").play()
    driver.receive(ArraySlice(S.proceed.utf8))
    driver.receive(ArraySlice("<stream:features/>".utf8))
    #expect(driver.events.suffix(2) == [.startTLS, .brokenHandshake])
  }

  /// Features seen in the clear are forgotten: what counts is what is offered after the handshake.
  @Test func featuresFromTheClearAreForgotten() throws {
    try Conversation.check(
      """
      C: \(S.plainHeader)
      S: \(S.opened("s1"))<stream:features><starttls xmlns='\(S.tls)'/><mechanisms xmlns='\(S.sasl)'><mechanism>SCRAM-SHA-1</mechanism></mechanisms></stream:features>
      C: \(S.startTLS)
      S: \(S.proceed)
      TLS
      C: \(S.header)
      S: \(S.opened("s2"))\(S.features(""))
      C: \(S.close)
      FAIL the server offers no way to log in
      """)
  }
}
