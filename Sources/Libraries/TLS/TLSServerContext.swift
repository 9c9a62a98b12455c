import COpenSSL

/// The serving side, for the scripted servers of tests and measurements: Confab itself serves no TLS.
@safe package final class TLSServerContext {
  let handle: OpaquePointer

  /// - Parameters:
  ///   - certificateFile: PEM, the server's certificate first, then those that signed for it.
  ///   - keyFile: PEM, its private key.
  ///   - isOld: speaks TLS 1.2 at most.
  ///   - isVeryOld: and does so without the extended master secret (RFC 7627).
  ///   - ticketSeconds: how long its sessions may be resumed.
  package init(
    certificateFile: String, keyFile: String, isOld: Bool = false, isVeryOld: Bool = false,
    ticketSeconds: Int = 7200
  ) throws(TLSFailure) {
    unsafe handle = unsafe try TLSContext.make(TLS_server_method())
    OpenSSLErrors.clear()
    guard unsafe SSL_CTX_use_certificate_chain_file(handle, certificateFile) == 1,
      unsafe SSL_CTX_use_PrivateKey_file(handle, keyFile, SSL_FILETYPE_PEM) == 1
    else {
      throw .configuration("cannot read \(certificateFile) and \(keyFile): \(OpenSSLErrors.takeWords())")
    }
    unsafe SSL_CTX_set_timeout(handle, ticketSeconds)
    if isOld || isVeryOld { _ = unsafe confab_ctx_set_max_tls12(handle) }
    if isVeryOld { unsafe confab_ctx_forget_extended_master_secret(handle) }
    unsafe SSL_CTX_set_alpn_select_cb(
      handle,
      { _, chosen, length, offered, count, _ in
        // Takes the first protocol that is offered.
        guard let offered = unsafe offered, count > 1 else { return SSL_TLSEXT_ERR_NOACK }
        unsafe chosen?.pointee = unsafe offered.advanced(by: 1)
        unsafe length?.pointee = unsafe min(offered.pointee, UInt8(clamping: count - 1))
        return SSL_TLSEXT_ERR_OK
      }, nil)
  }

  deinit { unsafe SSL_CTX_free(handle) }
}
