/// Secrets at rest: AES-256-GCM under a key of 32 bytes, with a random nonce for each, because the same position of a
/// log may be written twice.
package enum SealedBox {
  /// Bytes that a box has beside its content: nonce and tag.
  package static let overhead = AESGCM.nonceBytes + AESGCM.tagBytes

  /// Seals `bytes`.
  ///
  /// - Parameters:
  ///   - context: where the box belongs; `open` refuses it with another one.
  ///   - nonce: 12 random bytes, never used before with this key.
  /// - Returns: the nonce, the encrypted bytes, the tag.
  package static func seal(
    _ bytes: [UInt8], key: [UInt8], context: [UInt8] = [], nonce: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    guard key.count == 32, nonce.count == AESGCM.nonceBytes else { throw CryptoError(.cipher, code: 0) }
    let sealed = try AESGCM.seal(bytes, key: key, nonce: nonce, context: context)
    return nonce + sealed.bytes + sealed.tag
  }

  /// Nil if the box is damaged, or was sealed with another key or in another context.
  package static func open(
    _ box: [UInt8], key: [UInt8], context: [UInt8] = []
  ) throws(CryptoError) -> [UInt8]? {
    guard key.count == 32, box.count >= overhead else { return nil }
    let (nonce, tag) = (Array(box.prefix(AESGCM.nonceBytes)), Array(box.suffix(AESGCM.tagBytes)))
    let bytes = Array(box.dropFirst(nonce.count).dropLast(tag.count))
    return try AESGCM.open(bytes, tag: tag, key: key, nonce: nonce, context: context)
  }
}
