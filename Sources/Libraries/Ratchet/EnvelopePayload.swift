package import Crypto

/// The payload of an omemo:2 message, an envelope (XEP-0384, sections 4.4 and 4.5): AES-256-CBC and HMAC-SHA-256 under
/// keys from one that the ratchets carry.
package struct EnvelopePayload: Hashable, Sendable {
  /// For each device's ratchet: the key, 32 bytes, and the authentication code, 16 bytes.
  package let secret: [UInt8]
  package let bytes: [UInt8]

  private static let keyBytes = 32
  private static let codeBytes = 16

  /// The secret of an empty message, which has no payload (section 5.5.3).
  package static let emptySecret = [UInt8](repeating: 0, count: keyBytes)

  /// Encrypts an envelope: 32 bytes of `random`.
  package init(sealing envelope: [UInt8], random: RandomBytes) throws(CryptoError) {
    let key = random(Self.keyBytes)
    let keys = try Keys(from: key)
    bytes = try AESCBC.encrypt(envelope, key: keys.encryption, iv: keys.iv)
    secret = key + (try keys.code(of: bytes))
  }

  /// Decrypts a payload; nil if it is not what the secret belongs to.
  package static func open(_ bytes: [UInt8], secret: [UInt8]) -> [UInt8]? {
    guard secret.count == keyBytes + codeBytes, let keys = try? Keys(from: Array(secret.prefix(keyBytes))),
      let code = try? keys.code(of: bytes), Digest.equal(code, Array(secret.dropFirst(keyBytes)))
    else { return nil }
    return try? AESCBC.decrypt(bytes, key: keys.encryption, iv: keys.iv)
  }

  private struct Keys {
    let encryption: [UInt8]
    let authentication: [UInt8]
    let iv: [UInt8]

    init(from key: [UInt8]) throws(CryptoError) {
      let keys = try HKDF.derive(from: key, info: "OMEMO Payload", count: 80)
      (encryption, authentication, iv) = (Array(keys[..<32]), Array(keys[32..<64]), Array(keys[64...]))
    }

    func code(of bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
      Array(try Digest.hmac(key: authentication, message: bytes, .sha256).prefix(EnvelopePayload.codeBytes))
    }
  }
}
