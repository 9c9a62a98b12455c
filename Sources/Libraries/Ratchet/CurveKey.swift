/// A public Curve25519 key (RFC 7748): canonical, and not of small order.
package struct CurveKey: Hashable, Sendable {
  package static let byteCount = 32
  /// The type in front of a key in legacy messages and bundles.
  private static let type: UInt8 = 5

  /// The u coordinate, 32 bytes, little-endian.
  package let bytes: [UInt8]

  /// Nil if the bytes are no key to agree with.
  package init?(_ bytes: some Collection<UInt8>) {
    guard Self.isCanonical(bytes) else { return nil }
    let key = Array(bytes)
    guard !Self.smallOrders.contains(key) else { return nil }
    self.bytes = key
  }

  /// Reads the 33 bytes of a legacy key.
  package init?(typed bytes: some Collection<UInt8>) {
    guard bytes.first == Self.type else { return nil }
    self.init(bytes.dropFirst())
  }

  /// A key that was checked before.
  init(checked bytes: some Collection<UInt8>) { self.bytes = Array(bytes) }

  /// The 33 bytes of legacy messages and bundles.
  package var typed: [UInt8] { [Self.type] + bytes }

  /// True if 32 bytes are a number below 2^255 - 19.
  static func isCanonical(_ bytes: some Collection<UInt8>) -> Bool {
    guard bytes.count == byteCount, let first = bytes.first else { return false }
    let high = bytes.dropFirst(byteCount - 1).first ?? 0xFF
    guard high < 0x80 else { return false }
    return high < 0x7F || first < 0xED || bytes.dropFirst().dropLast().contains { $0 != 0xFF }
  }

  /// The canonical u of small order: agreements with these are no secret.
  private static let smallOrders: [[UInt8]] = [
    [UInt8](repeating: 0, count: 32),
    [1] + [UInt8](repeating: 0, count: 31),
    [0xEC] + [UInt8](repeating: 0xFF, count: 30) + [0x7F],
    [
      0xE0, 0xEB, 0x7A, 0x7C, 0x3B, 0x41, 0xB8, 0xAE, 0x16, 0x56, 0xE3, 0xFA, 0xF1, 0x9F, 0xC4, 0x6A,
      0xDA, 0x09, 0x8D, 0xEB, 0x9C, 0x32, 0xB1, 0xFD, 0x86, 0x62, 0x05, 0x16, 0x5F, 0x49, 0xB8, 0x00,
    ],
    [
      0x5F, 0x9C, 0x95, 0xBC, 0xA3, 0x50, 0x8C, 0x24, 0xB1, 0xD0, 0xB1, 0x55, 0x9C, 0x83, 0xEF, 0x5B,
      0x04, 0x44, 0x5C, 0xC4, 0x58, 0x1C, 0x8E, 0x86, 0xD8, 0x22, 0x4E, 0xDD, 0xD0, 0x9F, 0x11, 0x57,
    ],
  ]
}

/// A Curve25519 key pair of ours.
package struct CurveKeyPair: Hashable, Sendable, CustomStringConvertible {
  package let publicKey: CurveKey
  /// 32 bytes, secret.
  package let privateKey: [UInt8]

  /// Draws a pair: 32 bytes of `random`.
  package init(random: RandomBytes) throws(RatchetError) { try self.init(privateKey: random(CurveKey.byteCount)) }

  /// Makes a pair of any 32 bytes (RFC 7748, section 5).
  package init(privateKey: [UInt8]) throws(RatchetError) {
    guard privateKey.count == CurveKey.byteCount else { throw .badKey }
    var key = privateKey
    key[0] &= 248
    key[31] = key[31] & 127 | 64
    guard let publicKey = CurveKey(try LibraryKeys.publicKey(ofPrivate: key)) else { throw .badKey }
    (self.publicKey, self.privateKey) = (publicKey, key)
  }

  /// Restores a pair that was made here before, without calculating its public key.
  package init(restoring publicKey: CurveKey, privateKey: [UInt8]) {
    (self.publicKey, self.privateKey) = (publicKey, privateKey)
  }

  package var description: String { "(a key pair)" }
}
