import COpenSSL

/// Channel binding: data that only this connection's two ends share (RFC 5056).
extension TLSSession {
  private static let exporterLength = 32
  private static let exporterLabel = "EXPORTER-Channel-Binding"

  /// `tls-exporter` (RFC 9266, section 2): 32 bytes of this connection's keys. Nil if two connections could have
  /// the same: on TLS 1.2 without the extended master secret (RFC 7627).
  func tlsExporter() -> [UInt8]? {
    guard unsafe SSL_version(handle) >= TLS1_3_VERSION || confab_has_extended_master_secret(handle) == 1 else {
      return nil
    }
    OpenSSLErrors.clear()
    let label = Self.exporterLabel
    var isFine = false
    let keys = unsafe [UInt8](unsafeUninitializedCapacity: Self.exporterLength) { buffer, count in
      // The context is there and empty, which is not the same as no context before TLS 1.3 (RFC 5705, section 4).
      isFine =
        unsafe SSL_export_keying_material(
          handle, buffer.baseAddress, buffer.count, label, label.utf8.count, "", 0, 1) == 1
      count = isFine ? Self.exporterLength : 0
    }
    return isFine ? keys : nil
  }

  /// `tls-server-end-point` (RFC 5929, section 4.1): the hash of the server's certificate. Nil if it is undefined:
  /// the certificate's signature has no hash function of its own, as Ed25519.
  func tlsServerEndPoint() -> [UInt8]? {
    guard let certificate = unsafe serverCertificate() else { return nil }
    defer { unsafe X509_free(certificate) }
    guard let digest = unsafe Self.hash(ofSignatureOf: certificate) else { return nil }
    var length: UInt32 = 0
    let hash = unsafe [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, count in
      let isFine = unsafe X509_digest(certificate, digest, buffer.baseAddress, &length) == 1
      count = isFine ? Int(length) : 0
    }
    return hash.isEmpty ? nil : hash
  }

  /// The caller's own to free. A resumed session has it of the handshake that it goes back to.
  private func serverCertificate() -> OpaquePointer? {
    if unsafe SSL_is_server(handle) == 0 { return unsafe SSL_get1_peer_certificate(handle) }
    guard let certificate = unsafe SSL_get_certificate(handle), unsafe X509_up_ref(certificate) == 1 else { return nil }
    return unsafe certificate
  }

  /// MD5 and SHA-1 are replaced by SHA-256, as the RFC has it.
  private static func hash(ofSignatureOf certificate: OpaquePointer) -> OpaquePointer? {
    var hash = NID_undef
    _ = unsafe X509_get_signature_info(certificate, &hash, nil, nil, nil)  // says more than the hash, which is there
    if hash == NID_undef { return nil }
    return unsafe hash == NID_md5 || hash == NID_sha1 ? EVP_sha256() : confab_digest(hash)
  }
}
