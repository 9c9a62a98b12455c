import COpenSSL

/// AES in GCM mode (NIST SP 800-38D) with a key of 16 or 32 bytes. A nonce, of 12 or 16 bytes, is used once with a key.
package enum AESGCM {
  package static let nonceBytes = 12
  package static let tagBytes = 16

  /// Encrypts `bytes`; the tag covers `context`, too, which `open` must be given again.
  package static func seal(
    _ bytes: [UInt8], key: [UInt8], nonce: [UInt8], context: [UInt8] = []
  ) throws(CryptoError) -> (bytes: [UInt8], tag: [UInt8]) {
    let run = try run(key: key, nonce: nonce, isEncrypting: true)
    try run.authenticate(context)
    guard let output = try run.run(bytes) else { throw CryptoError(.cipher, code: 0) }
    return (output, try run.tag())
  }

  /// Nil if the tag does not fit: another key, nonce or context, or other bytes.
  package static func open(
    _ bytes: [UInt8], tag: [UInt8], key: [UInt8], nonce: [UInt8], context: [UInt8] = []
  ) throws(CryptoError) -> [UInt8]? {
    guard tag.count == tagBytes else { return nil }
    let run = try run(key: key, nonce: nonce, isEncrypting: false)
    try run.authenticate(context)
    try run.expect(tag: tag)
    return try run.run(bytes)
  }

  static func run(key: [UInt8], nonce: [UInt8], isEncrypting: Bool) throws(CryptoError) -> CipherRun {
    guard nonce.count == nonceBytes || nonce.count == 16 else { throw CryptoError(.cipher, code: 0) }
    let cipher = unsafe key.count == 16 ? shortCipher : cipher
    return try unsafe CipherRun(cipher, key: key, nonce: nonce, isEncrypting: isEncrypting, hasFreeNonce: true)
  }

  /// Looked up once, as `HashAlgorithm` is, and guarded alike.
  nonisolated(unsafe) private static let cipher = unsafe EVP_CIPHER_fetch(nil, "AES-256-GCM", nil)
  nonisolated(unsafe) private static let shortCipher = unsafe EVP_CIPHER_fetch(nil, "AES-128-GCM", nil)
}
