/// A key pair of ours for one key exchange.
package struct PreKey: Hashable, Sendable {
  /// 1 to `PreKeyID.largest`.
  package let id: UInt32
  package let pair: CurveKeyPair

  package init(id: UInt32, pair: CurveKeyPair) { (self.id, self.pair) = (id, pair) }

  package init(id: UInt32, random: RandomBytes) throws(RatchetError) {
    self.init(id: id, pair: try CurveKeyPair(random: random))
  }
}

/// The numbers of pre-keys.
package enum PreKeyID {
  /// The largest that we give: libomemo-c never spends the one above (`PRE_KEY_MEDIUM_MAX_VALUE`).
  package static let largest: UInt32 = 0xFFFFFE
  /// The largest that others may give (XEP-0384, section 5.3.2).
  package static let largestOfOthers: UInt32 = 0x7FFF_FFFF
}

/// A key pair of ours that many key exchanges use until the next one, signed by our identity.
package struct SignedPreKey: Hashable, Sendable {
  package let id: UInt32
  package let pair: CurveKeyPair
  package let legacySignature: [UInt8]
  package let omemo2Signature: [UInt8]

  package init(id: UInt32, pair: CurveKeyPair, legacySignature: [UInt8], omemo2Signature: [UInt8]) {
    (self.id, self.pair) = (id, pair)
    (self.legacySignature, self.omemo2Signature) = (legacySignature, omemo2Signature)
  }

  /// Draws a key pair and signs it for both versions.
  package init(id: UInt32, by identity: OwnIdentity, random: @escaping RandomBytes) throws(RatchetError) {
    let pair = try CurveKeyPair(random: random)
    self.init(
      id: id, pair: pair, legacySignature: try identity.sign(pair.publicKey.typed, random: random),
      omemo2Signature: try identity.sign(pair.publicKey.bytes, random: random))
  }

  package func signature(_ version: RatchetVersion) -> [UInt8] {
    version == .legacy ? legacySignature : omemo2Signature
  }
}

/// The keys of a peer's bundle that one key exchange takes.
package struct PeerBundle: Hashable, Sendable {
  package let identity: IdentityKey
  package let signedPreKeyID: UInt32
  package let signedPreKey: CurveKey
  package let signature: [UInt8]
  package let preKeyID: UInt32
  package let preKey: CurveKey

  package init(
    identity: IdentityKey, signedPreKeyID: UInt32, signedPreKey: CurveKey, signature: [UInt8], preKeyID: UInt32,
    preKey: CurveKey
  ) {
    (self.identity, self.signature) = (identity, signature)
    (self.signedPreKeyID, self.signedPreKey) = (signedPreKeyID, signedPreKey)
    (self.preKeyID, self.preKey) = (preKeyID, preKey)
  }
}
