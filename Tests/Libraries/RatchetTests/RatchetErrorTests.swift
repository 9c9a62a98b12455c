import Testing

@testable import Ratchet

@Suite("Refused messages")
struct RatchetErrorTests {
  /// Two who have talked, and a message that the second one has not read yet.
  private static func talk(_ version: RatchetVersion) throws -> (RatchetDevice, RatchetDevice, RatchetMessage) {
    var (alice, bob) = (try RatchetDevice(version, seed: 21), try RatchetDevice(version, seed: 22))
    try alice.begin(with: bob)
    try bob.decrypt(try alice.encrypt([0]))
    try alice.decrypt(try bob.encrypt([1]))
    try bob.decrypt(try alice.encrypt([2]))
    return (alice, bob, try alice.encrypt(Array(repeating: 3, count: 48)))
  }

  @Test("A message with any byte changed is refused, and nothing changes", arguments: RatchetVersion.allCases)
  func flips(version: RatchetVersion) throws {
    var (_, bob, message) = try Self.talk(version)
    let before = bob.session
    for index in message.bytes.indices {
      var bytes = message.bytes
      bytes[index] ^= 1
      #expect(throws: RatchetError.self, "byte \(index)") {
        try bob.decrypt(try RatchetMessage(bytes, isKeyExchange: false, version))
      }
      #expect(bob.session == before)
    }
    #expect(try bob.decrypt(message).secret.count == 48)
  }

  @Test("A key exchange with any byte changed spends no pre-key", arguments: RatchetVersion.allCases)
  func exchangeFlips(version: RatchetVersion) throws {
    var (alice, bob) = (try RatchetDevice(version, seed: 23), try RatchetDevice(version, seed: 24))
    try alice.begin(with: bob)
    let message = try alice.encrypt([1])
    for index in message.bytes.indices {
      var bytes = message.bytes
      bytes[index] ^= 0x81
      #expect(throws: RatchetError.self, "byte \(index)") {
        try bob.decrypt(try RatchetMessage(bytes, isKeyExchange: true, version))
      }
      #expect(bob.session == nil && bob.preKeys.count == 5)
    }
    #expect(try bob.decrypt(message).usedPreKey == 1)
  }

  @Test("A message without a session is no-session")
  func noSession() throws {
    var (_, bob, message) = try Self.talk(.legacy)
    bob.session = nil
    #expect(throws: RatchetError.noSession) { try bob.decrypt(message) }
    let other = try Self.talk(.omemo2).2
    bob.session = try Self.talk(.legacy).1.session
    #expect(throws: RatchetError.noSession) { try bob.decrypt(other) }
  }

  @Test("A counter is a duplicate when it was used, also of an old chain", arguments: RatchetVersion.allCases)
  func duplicates(version: RatchetVersion) throws {
    var (alice, bob, message) = try Self.talk(version)
    try bob.decrypt(message)
    #expect(throws: RatchetError.duplicate) { try bob.decrypt(message) }
    for _ in 0..<3 {
      try alice.decrypt(try bob.encrypt([1]))
      try bob.decrypt(try alice.encrypt([2]))
    }
    let before = bob.session
    #expect(throws: RatchetError.duplicate) { try bob.decrypt(message) }
    #expect(bob.session == before)
  }

  @Test("A counter more than 2,000 ahead is refused before any calculation", arguments: RatchetVersion.allCases)
  func jumps(version: RatchetVersion) throws {
    var (alice, bob, _) = try Self.talk(version)
    for _ in 0..<2_001 { _ = try alice.encrypt([1]) }
    let before = bob.session
    let ahead = try alice.encrypt([1])
    #expect(throws: RatchetError.tooFarAhead) { try bob.decrypt(ahead) }
    let far = try Self.written(version, counter: 1 << 31, ratchetKey: ahead.ratchetKey)
    #expect(throws: RatchetError.tooFarAhead) { try bob.decrypt(far) }
    let inNewChain = try Self.written(version, counter: 2_001, ratchetKey: bob.identity.pair.publicKey)
    #expect(throws: RatchetError.tooFarAhead) { try bob.decrypt(inNewChain) }
    #expect(bob.session == before)
  }

  /// A message that nobody encrypted.
  static func written(
    _ version: RatchetVersion, counter: UInt32, ratchetKey: CurveKey
  ) throws -> RatchetMessage {
    try RatchetMessage(
      WrittenMessage(counter: counter, ratchetKey: ratchetKey).bytes(version), isKeyExchange: false, version)
  }

  @Test("A key exchange with a pre-key that is used or unknown is refused", arguments: RatchetVersion.allCases)
  func unknownPreKeys(version: RatchetVersion) throws {
    var (alice, bob) = (try RatchetDevice(version, seed: 25), try RatchetDevice(version, seed: 26))
    let old = bob
    try alice.begin(with: bob)
    let message = try alice.encrypt([1])
    try bob.decrypt(message)
    let before = bob.session
    // Replayed while the session is there: a copy. After it is gone: its pre-key is used.
    #expect(throws: RatchetError.duplicate) { try bob.decrypt(message) }
    #expect(bob.session == before)
    bob.session = nil
    #expect(throws: RatchetError.unknownPreKey) { try bob.decrypt(message) }
    let keys = RatchetSession.OwnKeys(old.identity, preKey: { old.preKeys[$0] }, signedPreKey: { _ in nil })
    #expect(throws: RatchetError.unknownPreKey) {
      try RatchetSession.decrypt(message, with: nil, keys, random: old.random.bytes)
    }
  }

  @Test("Another identity than the session's, or than the expected one, is refused", arguments: RatchetVersion.allCases)
  func identities(version: RatchetVersion) throws {
    var (_, bob, _) = try Self.talk(version)
    var mallory = try RatchetDevice(version, seed: 27)
    try mallory.begin(with: bob, preKey: 2)
    let message = try mallory.encrypt([1])
    let before = bob.session
    #expect(throws: RatchetError.wrongIdentity) { try bob.decrypt(message) }
    #expect(bob.session == before)
    #expect(throws: RatchetError.wrongIdentity) {
      try RatchetSession.decrypt(
        message, with: nil, expecting: bob.identity.key, bob.keys, random: bob.random.bytes)
    }
    let right = try RatchetSession.decrypt(
      message, with: nil, expecting: mallory.identity.key, bob.keys, random: bob.random.bytes)
    #expect(right.secret == [1])
  }

  @Test("A bundle whose signed pre-key is not signed by its identity is refused", arguments: RatchetVersion.allCases)
  func signatures(version: RatchetVersion) throws {
    let (alice, bob) = (try RatchetDevice(version, seed: 28), try RatchetDevice(version, seed: 29))
    let bundle = try bob.bundle()
    for signature in [alice.signedPreKey.signature(version), [], Array(bundle.signature.dropLast())] {
      let wrong = PeerBundle(
        identity: bundle.identity, signedPreKeyID: 7, signedPreKey: bundle.signedPreKey, signature: signature,
        preKeyID: 1, preKey: bundle.preKey)
      #expect(throws: RatchetError.badSignature) {
        try RatchetSession(with: wrong, version, as: alice.identity, random: alice.random.bytes)
      }
    }
  }

  @Test("Random bytes that do not come end a step without a trace")
  func noRandom() throws {
    var (alice, bob, _) = try Self.talk(.legacy)
    try alice.decrypt(try bob.encrypt([1]))
    let turning = try alice.encrypt([2])
    let before = bob.session
    #expect(throws: RatchetError.self) {
      try RatchetSession.decrypt(turning, with: bob.session, bob.keys, random: { _ in [] })
    }
    #expect(bob.session == before)
    #expect(throws: RatchetError.badKey) { try CurveKeyPair(random: { _ in [] }) }
  }
}
