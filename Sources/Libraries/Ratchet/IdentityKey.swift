import Bytes

/// The public identity of a device, in both of its forms.
package struct IdentityKey: Hashable, Sendable {
  /// The Curve25519 form, on which trust hangs and which fingerprints show (XEP-0384, section 8).
  package let curve: CurveKey
  /// The Ed25519 form, 32 bytes, which omemo:2 writes. Its sign bit is 0 unless the device itself says otherwise.
  package let edwards: [UInt8]

  package init(_ curve: CurveKey) {
    self.curve = curve
    edwards = LibraryKeys.edwards(of: curve)
  }

  /// Reads the Ed25519 form; nil: it is no point to agree with.
  package init?(edwards bytes: some Collection<UInt8>) {
    let edwards = Array(bytes)
    guard edwards.count == CurveKey.byteCount, CurveKey.isCanonical(edwards.dropLast() + [edwards[31] & 0x7F]),
      let curve = CurveKey(LibraryKeys.curve(ofEdwards: edwards))
    else { return nil }
    (self.curve, self.edwards) = (curve, edwards)
  }

  /// The bytes in messages and bundles of a version.
  package func bytes(_ version: RatchetVersion) -> [UInt8] { version == .legacy ? curve.typed : edwards }

  /// Reads the bytes of a message or bundle of a version.
  package init?(_ bytes: some Collection<UInt8>, _ version: RatchetVersion) {
    switch version {
    case .legacy:
      guard let curve = CurveKey(typed: bytes) else { return nil }
      self.init(curve)
    case .omemo2: self.init(edwards: bytes)
    }
  }

  /// 64 digits in lower case.
  package var fingerprint: String { Hex.encode(curve.bytes) }

  /// True if the device signed these bytes (a pre-key, a label).
  package func verifies(_ signature: [UInt8], of bytes: [UInt8], _ version: RatchetVersion) -> Bool {
    signature.count == OwnIdentity.signatureBytes && LibraryKeys.verifies(signature, of: bytes, by: self, version)
  }
}

/// Our own identity: a Curve25519 key pair, whose Ed25519 form has the sign bit 0.
package struct OwnIdentity: Hashable, Sendable {
  package static let signatureBytes = 64

  package let pair: CurveKeyPair
  package let key: IdentityKey

  package init(_ pair: CurveKeyPair) {
    self.pair = pair
    key = IdentityKey(pair.publicKey)
  }

  /// Draws an identity: 32 bytes of `random`.
  package init(random: RandomBytes) throws(RatchetError) { self.init(try CurveKeyPair(random: random)) }

  /// Signs bytes (XEdDSA, a valid Ed25519 signature of the Ed25519 form): 64 bytes of `random`.
  package func sign(_ bytes: [UInt8], random: @escaping RandomBytes) throws(RatchetError) -> [UInt8] {
    try LibraryKeys.sign(bytes, pair.privateKey, random: random)
  }
}
