import COpenSSL

/// AES in GCM mode over bytes that come piece by piece, in either direction. What it decrypts counts once `matches` has
/// said that the tag fits, and not before.
package final class RunningAESGCM {
  private let run: CipherRun

  /// - Parameters:
  ///   - key: 16 or 32 bytes.
  ///   - nonce: 12 or 16 bytes; used once with a key to encrypt.
  package init(key: [UInt8], nonce: [UInt8], isEncrypting: Bool) throws(CryptoError) {
    run = try AESGCM.run(key: key, nonce: nonce, isEncrypting: isEncrypting)
  }

  /// Encrypts or decrypts the next bytes in place.
  package func transform(_ bytes: UnsafeMutableRawBufferPointer) throws(CryptoError) { try unsafe run.update(bytes) }

  /// The tag of all that was encrypted; once.
  package func tag() throws(CryptoError) -> [UInt8] {
    guard run.finish() else { throw CryptoError(.cipher, code: 0) }
    return try run.tag()
  }

  /// True if this is the tag of all that was decrypted; once.
  package func matches(_ tag: [UInt8]) throws(CryptoError) -> Bool {
    guard tag.count == AESGCM.tagBytes else { return false }
    try run.expect(tag: tag)
    return run.finish()
  }
}
