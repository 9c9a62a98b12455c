import Testing

@testable import Ratchet

/// Random bytes that the same seed gives again.
final class SeededBytes {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 32) } }

  func number(below bound: Int) -> Int { Int(next() >> 33) % max(bound, 1) }

  private func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state &* 0x2545_F491_4F6C_DD1D
  }
}

/// A device with keys and one session.
struct RatchetDevice {
  let random: SeededBytes
  let identity: OwnIdentity
  let signedPreKey: SignedPreKey
  var preKeys: [UInt32: PreKey] = [:]
  var session: RatchetSession?
  let version: RatchetVersion

  init(_ version: RatchetVersion, seed: UInt64) throws {
    let random = SeededBytes(seed)
    (self.random, self.version) = (random, version)
    identity = try OwnIdentity(random: random.bytes)
    signedPreKey = try SignedPreKey(id: 7, by: identity, random: random.bytes)
    for id in 1...5 as ClosedRange<UInt32> { preKeys[id] = try PreKey(id: id, random: random.bytes) }
  }

  /// The content of its bundle, with one of the pre-keys.
  func bundle(preKey id: UInt32 = 1) throws -> PeerBundle {
    PeerBundle(
      identity: identity.key, signedPreKeyID: signedPreKey.id, signedPreKey: signedPreKey.pair.publicKey,
      signature: signedPreKey.signature(version), preKeyID: id,
      preKey: try #require(preKeys[id]).pair.publicKey)
  }

  mutating func begin(with peer: RatchetDevice, preKey: UInt32 = 1) throws {
    session = try RatchetSession(
      with: try peer.bundle(preKey: preKey), version, as: identity, random: random.bytes)
  }

  mutating func encrypt(_ secret: [UInt8]) throws -> RatchetMessage {
    let sent = try #require(session).encrypt(secret)
    session = sent.session
    return try RatchetMessage(sent.bytes, isKeyExchange: sent.isKeyExchange, version)
  }

  var keys: RatchetSession.OwnKeys {
    RatchetSession.OwnKeys(
      identity, preKey: { preKeys[$0] }, signedPreKey: { $0 == signedPreKey.id ? signedPreKey : nil })
  }

  @discardableResult
  mutating func decrypt(_ message: RatchetMessage) throws -> RatchetSession.Decrypted {
    let before = session
    let received = try RatchetSession.decrypt(message, with: session, keys, random: random.bytes)
    if var old = before {
      old.apply(received.skippedChange)
      #expect(old.skipped == received.session.skipped)
    }
    #expect(RatchetSession(core: received.session.core, skipped: received.session.skipped) == received.session)
    session = received.session
    if let id = received.usedPreKey { preKeys[id] = nil }
    return received
  }
}
