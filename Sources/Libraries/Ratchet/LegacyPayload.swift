package import Crypto

/// The payload of a legacy message: AES-128-GCM, whose key and tag the ratchets carry.
package struct LegacyPayload: Hashable, Sendable {
  /// For each device's ratchet: the key, 16 bytes, and the tag, 16 bytes.
  package let secret: [UInt8]
  /// 12 bytes.
  package let iv: [UInt8]
  /// As long as the plain text; nil: the message transports keys alone.
  package let bytes: [UInt8]?

  private static let keyBytes = 16

  /// Encrypts a text: 28 bytes of `random`. Nil: an empty message, which moves the ratchets alone.
  package init(sealing text: [UInt8]?, random: RandomBytes) throws(CryptoError) {
    let key = random(Self.keyBytes)
    iv = random(AESGCM.nonceBytes)
    let sealed = try AESGCM.seal(text ?? [], key: key, nonce: iv)
    (secret, bytes) = (key + sealed.tag, text == nil ? nil : sealed.bytes)
  }

  /// Decrypts a payload; nil if it is not what the secret belongs to.
  ///
  /// - Parameters:
  ///   - secret: the key, and the tag, unless that is the payload's end (as old clients send it).
  ///   - iv: 12 bytes, of old clients 16.
  package static func open(_ bytes: [UInt8], secret: [UInt8], iv: [UInt8]) -> [UInt8]? {
    guard iv.count == AESGCM.nonceBytes || iv.count == 16 else { return nil }
    let key = Array(secret.prefix(keyBytes))
    let end = secret.count == keyBytes ? AESGCM.tagBytes : 0
    guard key.count == keyBytes, bytes.count >= end else { return nil }
    let tag = end > 0 ? Array(bytes.suffix(end)) : Array(secret.dropFirst(keyBytes))
    return try? AESGCM.open(Array(bytes.dropLast(end)), tag: tag, key: key, nonce: iv)
  }
}
