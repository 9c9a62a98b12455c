/// The bytes of one `<key/>`, read before the library sees them: a step of a ratchet, maybe with a key exchange.
package struct RatchetMessage: Hashable, Sendable {
  /// The most bytes of one; those of today's clients have less than 400.
  package static let mostBytes = 2_048

  package let version: RatchetVersion
  /// All bytes, as they came.
  package let bytes: [UInt8]
  package let ratchetKey: CurveKey
  /// The number of the message in its chain, from 0.
  package let counter: UInt32
  /// The length of the sender's previous chain.
  package let previousCounter: UInt32
  package let ciphertext: [UInt8]
  /// Nil: the message belongs to a session that exists.
  package let keyExchange: KeyExchange?

  package struct KeyExchange: Hashable, Sendable {
    package let preKeyID: UInt32
    package let signedPreKeyID: UInt32
    package let baseKey: CurveKey
    package let identity: IdentityKey
  }

  /// Reads a message; throws `damaged` unless it has the one form that the version gives it.
  ///
  /// - Parameter isKeyExchange: as its element says (`prekey` in legacy, `kex` in omemo:2).
  package init(_ bytes: [UInt8], isKeyExchange: Bool, _ version: RatchetVersion) throws(RatchetError) {
    guard bytes.count <= Self.mostBytes else { throw .damaged }
    var message = bytes
    var exchange: KeyExchange?
    if isKeyExchange {
      guard let (read, inner) = version == .legacy ? Self.legacyExchange(bytes) : Self.exchange(bytes) else {
        throw .damaged
      }
      (exchange, message) = (read, inner)
    }
    guard let step = version == .legacy ? Step(legacy: message) : Step(message) else { throw .damaged }
    (self.version, self.bytes, keyExchange) = (version, bytes, exchange)
    (ratchetKey, counter, previousCounter) = (step.ratchetKey, step.counter, step.previousCounter)
    ciphertext = step.ciphertext
  }

  /// The version byte of legacy messages.
  private static let versionByte: UInt8 = 0x33

  /// PreKeySignalMessage: 1 pre-key id, 2 base key, 3 identity key, 4 message, 5 registration id, 6 signed pre-key id.
  private static func legacyExchange(_ bytes: [UInt8]) -> (KeyExchange, [UInt8])? {
    guard bytes.first == versionByte, let fields = StrictFields(Array(bytes.dropFirst()), [1...1, 5...6], [2...4]),
      let baseKey = fields.bytes(2).flatMap({ CurveKey(typed: $0) }), let identity = fields.bytes(3)
    else { return nil }
    return exchange(fields, preKey: 1, signedPreKey: 6, baseKey, IdentityKey(identity, .legacy), message: 4)
  }

  /// OMEMOKeyExchange: 1 pre-key id, 2 signed pre-key id, 3 identity key, 4 base key, 5 message (XEP-0384, section 13).
  private static func exchange(_ bytes: [UInt8]) -> (KeyExchange, [UInt8])? {
    guard let fields = StrictFields(bytes, numbers: 1...2, bytes: 3...5),
      let baseKey = fields.bytes(4).flatMap({ CurveKey($0) }), let identity = fields.bytes(3)
    else { return nil }
    return exchange(fields, preKey: 1, signedPreKey: 2, baseKey, IdentityKey(identity, .omemo2), message: 5)
  }

  private static func exchange(
    _ fields: StrictFields, preKey: UInt32, signedPreKey: UInt32, _ baseKey: CurveKey, _ identity: IdentityKey?,
    message: UInt32
  ) -> (KeyExchange, [UInt8])? {
    guard let identity, let message = fields.bytes(message), let preKey = fields.number(preKey),
      let signedPreKey = fields.number(signedPreKey), max(preKey, signedPreKey) <= PreKeyID.largestOfOthers
    else { return nil }
    return (
      KeyExchange(preKeyID: preKey, signedPreKeyID: signedPreKey, baseKey: baseKey, identity: identity), message
    )
  }

  /// A message without a key exchange.
  private struct Step {
    let ratchetKey: CurveKey
    let counter: UInt32
    let previousCounter: UInt32
    let ciphertext: [UInt8]

    /// The version byte; SignalMessage: 1 ratchet key, 2 counter, 3 previous counter, 4 ciphertext; 8 bytes of MAC.
    init?(legacy bytes: [UInt8]) {
      guard bytes.count > 9, bytes[0] == RatchetMessage.versionByte,
        let fields = StrictFields(Array(bytes[1..<bytes.count - 8]), [2...3], [1...1, 4...4]),
        let key = fields.bytes(1).flatMap({ CurveKey(typed: $0) })
      else { return nil }
      self.init(key, fields, counter: 2, previous: 3)
    }

    /// OMEMOAuthenticatedMessage: 1 MAC, 2 OMEMOMessage, in which 1 counter, 2 previous counter, 3 ratchet key,
    /// 4 ciphertext.
    init?(_ bytes: [UInt8]) {
      guard let outer = StrictFields(bytes, [], [1...2]), outer.bytes(1)?.count == 16, let inner = outer.bytes(2),
        let fields = StrictFields(inner, numbers: 1...2, bytes: 3...4),
        let key = fields.bytes(3).flatMap({ CurveKey($0) })
      else { return nil }
      self.init(key, fields, counter: 1, previous: 2)
    }

    private init?(_ key: CurveKey, _ fields: StrictFields, counter: UInt32, previous: UInt32) {
      // A ciphertext of AES-CBC has whole blocks, at least one.
      guard let ciphertext = fields.bytes(4), !ciphertext.isEmpty, ciphertext.count % 16 == 0,
        let counter = fields.number(counter), let previousCounter = fields.number(previous)
      else { return nil }
      (ratchetKey, self.counter, self.previousCounter) = (key, counter, previousCounter)
      self.ciphertext = ciphertext
    }
  }
}
