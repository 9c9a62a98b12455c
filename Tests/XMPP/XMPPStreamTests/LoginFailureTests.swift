import Testing
import XMPPStream

/// How a login can fail: each with what is said before the connection is closed and what people are told.
@Suite struct LoginFailureTests {
  typealias S = Snippet

  @Test func strippedMechanisms() throws {
    try Conversation.check(
      """
      \(S.untilTLS)
      C: \(S.header)
      S: \(S.opened("s2"))\(S.offersLogin("PLAIN", "DIGEST-MD5", "SCRAM-SHA-1-PLUS"))
      C: \(S.close)
      FAIL the server offers no way to log in that is safe enough (it offers PLAIN, DIGEST-MD5, SCRAM-SHA-1-PLUS)
      """)
  }

  @Test func wrongPassword() throws {
    try Conversation(
      password: "wrong",
      """
      \(S.untilAuth)
      S: \(S.challenge(S.serverFirst))
      C: \(S.response("{c=biws,r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,p=GEGNAnqQMyjrGvb9q0apYc30afQ=}"))
      S: \(S.failure("<not-authorized/><text>Bad&#10;luck.</text>"))
      C: \(S.close)
      FAIL the server says the password is wrong (not-authorized: Bad luck.)
      """
    ).playEndEveryWay()
  }

  @Test(
    arguments: [
      // All of RFC 6120, section 6.5, in its order.
      ("<aborted/>", "the server refused the login (aborted)", false),
      ("<account-disabled/>", "the server says the account is disabled (account-disabled)", true),
      ("<credentials-expired/>", "the server says the password has expired (credentials-expired)", true),
      ("<encryption-required/>", "the server says that the connection is not encrypted (encryption-required)", false),
      ("<incorrect-encoding/>", "the server refused the login (incorrect-encoding)", false),
      ("<invalid-authzid/>", "the server says that this account may not be used (invalid-authzid)", true),
      ("<invalid-mechanism/>", "the server refuses a login mechanism that it offered (invalid-mechanism)", false),
      ("<malformed-request/>", "the server refused the login (malformed-request)", false),
      ("<mechanism-too-weak/>", "the server says the login mechanism is too weak (mechanism-too-weak)", true),
      ("<not-authorized/>", "the server says the password is wrong (not-authorized)", true),
      (
        "<temporary-auth-failure/>", "the server cannot check the password at the moment (temporary-auth-failure)",
        false
      ),
      ("<text>?</text><my-own xmlns='x'/>", "the server refused the login (my-own: ?)", true),
      ("", "the server refused the login (undefined-condition)", true),
    ])
  func failuresOfTheLogin(content: String, sentence: String, isPermanent: Bool) throws {
    for start in [S.untilAuth, S.untilFinal] {
      let driver = try Conversation("\(start)\nS: \(S.failure(content))\nC: \(S.close)\nFAIL \(sentence)").play()
      #expect(driver.failure?.isPermanent == isPermanent)
    }
  }

  @Test(
    arguments: [
      (
        "{r=other,s=QSXCR+Q6sek8bf92,i=4096}",
        "the server's login message is not for this login (wrong nonce)"
      ),
      (
        "{r=fyko+d2lbbFgONRv9qkxdawLx,s=QSXCR+Q6sek8bf92,i=1024}",
        "the server protects the password with only 1024 iterations; the minimum is 4096"
      ),
      (
        "{r=fyko+d2lbbFgONRv9qkxdawLx,s=QSXCR+Q6sek8bf92,i=100000000}",
        "the server asks for more than 1000000 iterations"
      ),
      (
        "{m=x,r=fyko+d2lbbFgONRv9qkxdawLx,s=QSXCR+Q6sek8bf92,i=4096}",
        "the server requires an unknown SCRAM extension"
      ),
      ("{e=other-error}", "the server refused the login (other-error)"),
      ("", "the server's login message is malformed: item 1 is not an attribute"),
      ("=", "the server's login message is malformed: item 1 is not an attribute"),
      ("????", "the server's login message is malformed: it is not base64"),
      ("<x/>", "the server's login message is malformed: item 1 is not an attribute"),
    ])
  func challengesAreAborted(text: String, sentence: String) throws {
    try Conversation.check("\(S.untilAuth)\nS: \(S.challenge(text))\nC: \(S.abort)\(S.close)\nFAIL \(sentence)")
  }

  @Test(
    arguments: [
      ("", "the server could not prove that it knows the password: it may not be the real one"),
      ("=", "the server could not prove that it knows the password: it may not be the real one"),
      (
        "{v=v0X8v3Bz2T0CJGbJQyF0X+HI4Ts=}",
        "the server could not prove that it knows the password: it may not be the real one"
      ),
      ("{v=}", "the server's login message is malformed: item 1 is not an attribute"),
      ("{x=1}", "the server's login message is malformed: it does not begin with the attributes v"),
      ("{e=invalid-proof}", "the server refused the login (invalid-proof)"),
      ("v=rmF9pqV8S7suAoZWja4dJRkFsKQ=", "the server's login message is malformed: it is not base64"),
    ])
  func successesThatProveNothing(text: String, sentence: String) throws {
    try Conversation.check("\(S.untilFinal)\nS: \(S.success(text))\nC: \(S.close)\nFAIL \(sentence)")
  }

  /// A success in place of the challenge: the server would never have to know the password.
  @Test(arguments: ["", S.serverFinal])
  func earlySuccess(text: String) throws {
    try Conversation.check(
      "\(S.untilAuth)\nS: \(S.success(text))\nC: \(S.close)\n"
        + "FAIL the server could not prove that it knows the password: it may not be the real one")
  }

  @Test func wrongProofInAChallenge() throws {
    try Conversation.check(
      """
      \(S.untilFinal)
      S: \(S.challenge("{v=v0X8v3Bz2T0CJGbJQyF0X+HI4Ts=}"))
      C: \(S.abort)\(S.close)
      FAIL the server could not prove that it knows the password: it may not be the real one
      """)
  }

  @Test func proofGivenTwice() throws {
    try Conversation.check(
      """
      \(S.untilFinal)
      S: \(S.challenge(S.serverFinal))
      C: \(S.response(""))
      S: \(S.success(S.serverFinal))
      C: \(S.close)
      FAIL the server sent an unexpected login message
      """)
  }

  @Test func bytesBehindSuccess() throws {
    var driver = try Conversation(S.untilFinal).play()
    driver.receive(ArraySlice(Conversation.expanded(S.success(S.serverFinal) + S.opened("s3")).utf8))
    #expect(driver.failure == .protocolViolation("it spoke before the new stream was opened"))
  }
}
