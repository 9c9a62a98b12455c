import Testing
import XMPPStream

/// How the binding of a resource can fail.
@Suite struct BindingFailureTests {
  typealias S = Snippet

  @Test func resourceInUse() throws {
    try Conversation.check(
      """
      \(S.untilBind)
      S: <iq type='error' id='q7-bind'><error type='modify'><conflict xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>
      C: \(S.close)
      FAIL the server says that the resource is in use (conflict)
      """)
  }

  @Test(arguments: [("bad-request", true), ("not-allowed", false), ("resource-constraint", false)])
  func bindingRefused(condition: String, isPermanent: Bool) throws {
    let driver = try Conversation(
      """
      \(S.untilBind)
      S: <iq type='error' id='q7-bind'><error type='wait'><\(condition) xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/><text xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'>so</text></error></iq>
      C: \(S.close)
      FAIL the server refused to bind the resource (\(condition): so)
      """
    ).play()
    #expect(driver.failure?.isPermanent == isPermanent)
  }

  @Test(
    arguments: [
      (S.bound("user@example.org"), "it bound the address user@example.org, which is not the account's"),
      (
        S.bound("other@example.org/confab"),
        "it bound the address other@example.org/confab, which is not the account's"
      ),
      (
        S.bound("user@example.org.evil/confab"),
        "it bound the address user@example.org.evil/confab, which is not the account's"
      ),
      (S.bound("example.org/user"), "it bound the address example.org/user, which is not the account's"),
      (S.bound(""), "it bound no address"),
      (S.bound("@/"), "it bound no address"),
      ("<iq type='result' id='q7-bind'/>", "it bound no address"),
      (
        "<iq type='result' id='q7-bind'><bind xmlns='x'><jid>user@example.org/confab</jid></bind></iq>",
        "it bound no address"
      ),
      (
        S.bound("user@example.org/confab", from: " from='other@example.org'"),
        "the answer to the resource comes from somebody else"
      ),
      (
        S.bound("user@example.org/confab", from: " from='@'"),
        "the answer to the resource comes from somebody else"
      ),
      ("<iq type='set' id='q7-bind'/>", "the answer to the resource is neither a result nor an error"),
      ("<iq id='q7-bind'/>", "the answer to the resource is neither a result nor an error"),
      (S.bound("user@example.org/confab", id: "q7-bine"), "<iq/> before a resource was bound"),
      ("<message from='a@b'><body>x</body></message>", "<message/> before a resource was bound"),
      ("<iq xmlns='jabber:server' type='result' id='q7-bind'/>", "<iq/> before a resource was bound"),
    ])
  func wrongBindings(answer: String, what: String) throws {
    try Conversation.check(
      """
      \(S.untilBind)
      S: \(answer)
      C: <stream:error>\(S.condition("undefined-condition"))</stream:error></stream:stream>
      FAIL the server broke the protocol: \(what)
      """)
  }

  /// Servers prepare addresses by nodeprep (RFC 6122, appendix A), to which a full-width letter is a plain one.
  @Test func theAccountInTheServersSpellingIsTaken() throws {
    try Conversation.check(
      """
      \(S.untilBind)
      S: \(S.bound("\u{FF55}ser@example.org/confab", from: " from='\u{FF55}ser@example.org'"))
      READY \u{FF55}ser@example.org/confab
      """)
  }

  @Test func noBindingOffered() throws {
    let driver = try Conversation("\(S.untilSuccess)\nS: \(S.opened("s3"))\(S.features(""))").driverAfter()
    #expect(driver.failure == .protocolViolation("it offers no resource"))
  }
}
