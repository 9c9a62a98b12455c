import COpenSSL

extension TLSSession {
  /// A client session's use of earlier sessions.
  package struct Resumption: Equatable, Sendable {
    /// The name of the account to which the sessions belong.
    package let owner: String
    /// True if a session may be resumed; otherwise they are forgotten, and the server shows its certificate.
    package let isAllowed: Bool
    /// In Unix seconds.
    package let now: Int64

    package init(owner: String, isAllowed: Bool, now: Int64) {
      self.owner = owner
      self.isAllowed = isAllowed
      self.now = now
    }
  }

  /// Resumes the last session if possible, and saves those that the server gives.
  ///
  /// Nothing of a certificate is checked when a session is resumed, so sessions are kept by the name that theirs was
  /// checked for, in the context of the anchors that it was checked by, and no longer than the chain was valid.
  func resume(_ resumption: Resumption, _ context: TLSContext, _ name: String) {
    let key = SessionKey(serverName: name.lowercased(), owner: resumption.owner)
    var previous = context.takeSession(key, now: resumption.now)
    if !resumption.isAllowed { previous = nil }
    if let previous, unsafe SSL_set_session(handle, previous.handle) != 1 { OpenSSLErrors.clear() }
    unsafe memory.onNewSession = { [unowned context] ssl, session in
      let resumed = unsafe SSL_session_reused(ssl) == 1 ? previous : nil
      let saved = unsafe SavedSession(copying: session, of: ssl, after: resumed)
      if let saved { context.keep(saved, key) }
    }
  }

  /// Keeps the session of a finished handshake of TLS 1.2; TLS 1.3 has tickets, which come later. OpenSSL tells of those
  /// of full handshakes only, and before it says whether they are safe.
  func keepFinishedSession() {
    guard unsafe SSL_version(handle) < TLS1_3_VERSION, let session = unsafe SSL_get_session(handle) else { return }
    unsafe memory.onNewSession(handle, session)
  }
}
