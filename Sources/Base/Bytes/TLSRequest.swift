/// How a connection is to be secured.
package struct TLSRequest: Equatable, Sendable {
  /// The domain of the JID, with A-labels, which the certificate must be for; not the host that was connected to
  /// (RFC 7590, section 3.4).
  package let domain: String
  /// The authorities that are trusted in place of the system's.
  package let authorityFile: String?
  /// True to ask for `xmpp-client` by ALPN (XEP-0368), as direct TLS does.
  package let alpn: Bool
  /// The account whose earlier sessions may be resumed; nil: none, and none is kept.
  package let account: String?
  /// True if a session may be resumed now; otherwise the account's sessions are forgotten.
  package let resumes: Bool

  package init(
    domain: String, authorityFile: String? = nil, alpn: Bool, account: String? = nil, resumes: Bool = false
  ) {
    self.domain = domain
    self.authorityFile = authorityFile
    self.alpn = alpn
    self.account = account
    self.resumes = resumes
  }
}
