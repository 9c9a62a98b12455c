import COpenSSL

/// The server and the account of a session: a server must not learn from one account's session about another account.
struct SessionKey: Hashable {
  /// The JID's domain, which the certificate was for.
  let serverName: String
  /// The account.
  let owner: String
}

/// A server's ticket, with which the next handshake needs no certificate (RFC 8446, section 2.2; RFC 5077).
@safe final class SavedSession {
  /// OpenSSL's SSL_SESSION, a copy of our own: the original is spoilt when its connection is cut.
  let handle: OpaquePointer
  /// When it was given, in Unix seconds.
  private let time: Int64
  /// How long the server takes it, in seconds.
  private let lifetime: Int64
  /// Until when the certificate that stood at the beginning is believed, however often its session was resumed.
  let provenUntil: Int64

  /// However long the server would take it, a day after a certificate was seen another one is asked for.
  private static let longestTrust: Int64 = 86_400
  /// For servers of TLS 1.2 that say nothing: OpenSSL's default.
  private static let usualLifetime: Int64 = 7200

  /// - Parameters:
  ///   - session: OpenSSL's, which is copied.
  ///   - ssl: the connection that it comes from.
  ///   - previous: the session that this connection resumed.
  /// - Returns: nil if it cannot be resumed, or could be mixed up with another (RFC 7627, section 5.3).
  init?(copying session: OpaquePointer, of ssl: OpaquePointer, after previous: SavedSession?) {
    let isNew = unsafe SSL_version(ssl) >= TLS1_3_VERSION
    guard unsafe isNew || confab_has_extended_master_secret(ssl) == 1, unsafe SSL_SESSION_is_resumable(session) == 1,
      let copy = unsafe SSL_SESSION_dup(session)
    else { return nil }
    unsafe handle = unsafe copy
    time = unsafe Int64(SSL_SESSION_get_time(copy))
    let hint = unsafe Int64(clamping: SSL_SESSION_get_ticket_lifetime_hint(copy))
    lifetime = hint == 0 && !isNew ? SavedSession.usualLifetime : hint
    provenUntil =
      unsafe previous?.provenUntil
      ?? min(SavedSession.chainEnd(of: ssl) ?? 0, time + SavedSession.longestTrust)
  }

  deinit { unsafe SSL_SESSION_free(handle) }

  /// True if the session may be resumed at a time in Unix seconds.
  func isGood(at now: Int64) -> Bool {
    time <= now && now - time < lifetime && now < provenUntil
  }

  /// When the first certificate of the chain that was verified ends, in Unix seconds; nil if there was none.
  static func chainEnd(of ssl: OpaquePointer) -> Int64? {
    let chain = unsafe SSL_get0_verified_chain(ssl)
    return unsafe (0..<confab_certificates_count(chain)).map { unsafe confab_certificate_end(chain, $0) }.min()
  }
}
