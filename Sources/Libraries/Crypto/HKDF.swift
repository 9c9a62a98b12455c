/// HKDF (RFC 5869) with SHA-256: keys from a secret that is good already, not from a password.
package enum HKDF {
  /// The most bytes that one derivation gives (RFC 5869, section 2.3).
  package static let mostBytes = 255 * 32

  /// Derives `count` bytes, at most `mostBytes`. An empty `salt` counts as 32 zero bytes (section 2.2).
  package static func derive(
    from secret: [UInt8], salt: [UInt8] = [], info: String, count: Int
  ) throws(CryptoError) -> [UInt8] {
    guard (0...mostBytes).contains(count) else { throw CryptoError(.keyDerivation, code: 0) }
    let key = try Digest.hmac(key: salt, message: secret, .sha256)
    var bytes: [UInt8] = []
    var block: [UInt8] = []
    var number: UInt8 = 1
    while bytes.count < count {
      block = try Digest.hmac(key: key, message: block + info.utf8 + [number], .sha256)
      bytes += block
      number &+= 1
    }
    return Array(bytes.prefix(count))
  }
}
