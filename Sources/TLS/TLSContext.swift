import COpenSSL

/// Whose signatures are believed.
package enum TrustAnchors: Hashable, Sendable {
  /// The system's certificate authorities.
  case system
  /// Those of this PEM file, and no others.
  case file(String)
}

/// What client sessions share: protocol versions, modes and certificate authorities.
///
/// One for each set of trust anchors, made when the first session needs it: it costs 3 MB of memory. Thread-confined,
/// like the sessions that it makes.
@safe package final class TLSContext {
  let handle: OpaquePointer

  /// - Throws: `.configuration` where the authorities cannot be loaded.
  package init(trusting anchors: TrustAnchors) throws(TLSFailure) {
    unsafe handle = unsafe try TLSContext.make(TLS_client_method())
    unsafe SSL_CTX_set_verify(handle, SSL_VERIFY_PEER, nil)
    switch anchors {
    case .system: try loadSystemAuthorities()
    case .file(let path): try loadAuthorities(ofFile: path)
    }
  }

  deinit { unsafe SSL_CTX_free(handle) }

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
    guard unsafe SSL_CTX_load_verify_file(handle, path) == 1 else {
      throw .configuration("cannot read certificate authorities from \(path): \(OpenSSLErrors.takeWords())")
    }
  }

  /// The hashed directory, which is read one file at a time as they are needed; where it has no hashed file, the
  /// bundle, which costs 18 ms.
  private func loadSystemAuthorities() throws(TLSFailure) {
    guard let directory = unsafe X509_get_default_cert_dir(), let file = unsafe X509_get_default_cert_file() else {
      throw .configuration("OpenSSL knows no place of certificate authorities")
    }
    let path = unsafe String(cString: directory)
    OpenSSLErrors.clear()
    if HashedDirectory.hasCertificates(path) {
      guard unsafe SSL_CTX_load_verify_dir(handle, path) == 1 else {
        throw .configuration("cannot read certificate authorities from \(path): \(OpenSSLErrors.takeWords())")
      }
      return
    }
    let bundles = [unsafe String(cString: file), path + "/ca-certificates.crt"]
    guard bundles.contains(where: { unsafe SSL_CTX_load_verify_file(handle, $0) == 1 }) else {
      throw .configuration("there are no certificate authorities in \(path); install ca-certificates or set ca-file")
    }
    OpenSSLErrors.clear()
  }
}

/// The contexts in use, one for each set of trust anchors. Make a new one when the configuration is read again, so
/// that a changed file is seen.
package final class TLSContexts {
  private var made: [TrustAnchors: TLSContext] = [:]

  package init() {}

  /// The context for these anchors, made now where it is the first time.
  package func context(trusting anchors: TrustAnchors) throws(TLSFailure) -> TLSContext {
    if let context = made[anchors] { return context }
    let context = try TLSContext(trusting: anchors)
    made[anchors] = context
    return context
  }
}
