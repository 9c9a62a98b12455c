/// A failed operation of the ratchet. Nothing has changed: sessions and pre-keys are those of before.
package enum RatchetError: Error, Hashable, Sendable {
  /// The message continues a session that is not known.
  case noSession
  /// The key of the message was used already, or was given up: a copy, or a sender that was restored from a backup.
  case duplicate
  /// The counter is more than `RatchetSession.longestJump` ahead of its chain.
  case tooFarAhead
  /// The key exchange names a pre-key or a signed pre-key that is not (or no longer) ours.
  case unknownPreKey
  /// The message has no right form, or its authentication code is wrong.
  case damaged
  /// The signed pre-key of a bundle is not signed by its identity.
  case badSignature
  /// A public key has a wrong length, is not canonical, or is of small order.
  case badKey
  /// The key exchange is of another identity than the session's, or than the expected one.
  case wrongIdentity
  /// The library failed, by its own code: no memory, or a stored session that it does not take.
  case failed(code: Int32)
}
