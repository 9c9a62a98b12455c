import COpenSSL

/// AES-256 in CBC mode with PKCS #7 padding. It does not authenticate: callers check an HMAC before they decrypt.
package enum AESCBC {
  /// `key` has 32 bytes, `iv` 16.
  package static func encrypt(_ bytes: [UInt8], key: [UInt8], iv: [UInt8]) throws(CryptoError) -> [UInt8] {
    let run = try unsafe CipherRun(cipher, key: key, nonce: iv, isEncrypting: true)
    guard let output = try run.run(bytes) else { throw CryptoError(.cipher, code: 0) }
    return output
  }

  /// Nil if the length or the padding is wrong.
  package static func decrypt(_ bytes: [UInt8], key: [UInt8], iv: [UInt8]) throws(CryptoError) -> [UInt8]? {
    try unsafe CipherRun(cipher, key: key, nonce: iv, isEncrypting: false).run(bytes)
  }

  /// Looked up once, as `HashAlgorithm` is, and guarded alike.
  nonisolated(unsafe) private static let cipher = unsafe EVP_CIPHER_fetch(nil, "AES-256-CBC", nil)
}
