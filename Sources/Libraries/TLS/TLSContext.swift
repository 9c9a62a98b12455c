import COpenSSL
import Glibc

/// The certificate authorities that a connection trusts.
package enum TrustAnchors: Hashable, Sendable {
  /// The system's certificate authorities.
  case system
  /// The authorities in this PEM file, and no others.
  case file(String)
}

/// The shared settings of client sessions: protocol versions, modes and certificate authorities.
///
/// One for each set of trust anchors, made when the first session needs it: it costs 3 MB of memory. Thread-confined,
/// like the sessions that it makes.
@safe package final class TLSContext {
  let handle: OpaquePointer
  /// The newest session of each server and account; none is used twice (RFC 8446, appendix C.4).
  private var sessions: [SessionKey: SavedSession] = [:]

  /// - Throws: `.configuration` where the authorities cannot be loaded.
  package init(trusting anchors: TrustAnchors) throws(TLSFailure) {
    unsafe handle = unsafe try TLSContext.make(TLS_client_method())
    unsafe SSL_CTX_set_verify(handle, SSL_VERIFY_PEER, nil)
    unsafe confab_ctx_tell_sessions(handle)
    unsafe SSL_CTX_sess_set_new_cb(handle) { ssl, session in
      if let ssl = unsafe ssl, let session = unsafe session, unsafe SSL_version(ssl) >= TLS1_3_VERSION {
        unsafe SessionMemory.of(SSL_get_rbio(ssl))?.onNewSession(ssl, session)
      }
      return 0  // it was copied
    }
    switch anchors {
    case .system: try loadSystemAuthorities()
    case .file(let path): try loadAuthorities(ofFile: path)
    }
  }

  deinit { unsafe SSL_CTX_free(handle) }

  /// Takes the session of a key out, if it may still be resumed.
  func takeSession(_ key: SessionKey, now: Int64) -> SavedSession? {
    sessions.removeValue(forKey: key).flatMap { $0.isGood(at: now) ? $0 : nil }
  }

  func keep(_ session: SavedSession, _ key: SessionKey) { sessions[key] = session }

  /// A context with what every session of ours keeps to: TLS 1.2 at least, OpenSSL's security level, no renegotiation.
  static func make(_ method: OpaquePointer?) throws(TLSFailure) -> OpaquePointer {
    OpenSSLErrors.clear()
    guard let handle = unsafe SSL_CTX_new(method) else { throw .configuration("TLS: " + OpenSSLErrors.takeWords()) }
    guard unsafe confab_ctx_set_min_tls12(handle) == 1 else {
      unsafe SSL_CTX_free(handle)
      throw .configuration("TLS 1.2 is not available: " + OpenSSLErrors.takeWords())
    }
    unsafe confab_ctx_set_modes(handle)
    return unsafe handle
  }

  private func loadAuthorities(ofFile path: String) throws(TLSFailure) {
    OpenSSLErrors.clear()
    var status = stat()
    // OpenSSL would wait for the writer of a pipe.
    guard unsafe stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
      throw .configuration("cannot read certificate authorities from \(path): it is not a regular file")
    }
    guard unsafe SSL_CTX_load_verify_file(handle, path) == 1 else {
      throw .configuration("cannot read certificate authorities from \(path): \(OpenSSLErrors.takeWords())")
    }
  }

  private func loadSystemAuthorities() throws(TLSFailure) {
    guard let place = SystemAuthorities.place else {
      throw .configuration("OpenSSL has no default directory of certificate authorities; set ca-file")
    }
    OpenSSLErrors.clear()
    switch place {
    case .directory(let path):
      guard unsafe SSL_CTX_load_verify_dir(handle, path) == 1 else {
        throw .configuration("cannot read certificate authorities from \(path): \(OpenSSLErrors.takeWords())")
      }
    case .bundles(let paths, let directory):
      guard paths.contains(where: { unsafe SSL_CTX_load_verify_file(handle, $0) == 1 }) else {
        throw .configuration(
          "there are no certificate authorities in \(directory); install ca-certificates or set ca-file")
      }
      OpenSSLErrors.clear()
    }
  }
}
