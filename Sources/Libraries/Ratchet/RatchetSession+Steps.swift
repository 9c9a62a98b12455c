extension RatchetSession {
  /// A session that begins with a peer's bundle: two key pairs of `random`.
  ///
  /// - Parameter before: the session in whose place it is: what the peer still sends by that one stays readable.
  /// - Throws: `badSignature`, or that the library failed.
  package init(
    with bundle: PeerBundle, _ version: RatchetVersion, as own: OwnIdentity, behind before: RatchetSession? = nil,
    random: @escaping RandomBytes
  ) throws(RatchetError) {
    let signed = version == .legacy ? bundle.signedPreKey.typed : bundle.signedPreKey.bytes
    guard bundle.identity.verifies(bundle.signature, of: signed, version) else { throw .badSignature }
    let call = try LibraryCall(.init(version: version, identity: own, record: before?.core), random: random)
    try self.init(record: call.build(bundle), skipped: before?.skipped ?? [])
  }

  /// An encrypted key, for one `<key/>`.
  package struct Encrypted: Sendable {
    package let bytes: [UInt8]
    package let isKeyExchange: Bool
    package let session: RatchetSession
  }

  /// Encrypts the key of a message, which is no text but what `LegacyPayload` or `EnvelopePayload` gives.
  package func encrypt(_ secret: [UInt8]) throws(RatchetError) -> Encrypted {
    let call = try LibraryCall(.init(version: version, record: core)) { _ in [] }
    let (bytes, isKeyExchange, record) = try call.encrypt(secret)
    return Encrypted(
      bytes: bytes, isKeyExchange: isKeyExchange, session: try RatchetSession(record: record, skipped: skipped))
  }

  /// A decrypted key.
  package struct Decrypted: Sendable {
    package let secret: [UInt8]
    package let session: RatchetSession
    /// True if the message began a new state of the session: our next message completes the key exchange.
    package let isNew: Bool
    /// The pre-key that the key exchange used; nil: none, or the session was known.
    package let usedPreKey: UInt32?
    /// How `session.skipped` differs from that of before.
    package let skippedChange: SkippedChange
  }

  /// Our keys, for key exchanges.
  package struct OwnKeys {
    package let identity: OwnIdentity
    package let preKey: (UInt32) -> PreKey?
    package let signedPreKey: (UInt32) -> SignedPreKey?

    package init(
      _ identity: OwnIdentity, preKey: @escaping (UInt32) -> PreKey?,
      signedPreKey: @escaping (UInt32) -> SignedPreKey?
    ) {
      (self.identity, self.preKey, self.signedPreKey) = (identity, preKey, signedPreKey)
    }
  }

  /// Decrypts the key of a message.
  ///
  /// - Parameters:
  ///   - session: the one with the sender's device in the message's version; nil: there is none.
  ///   - expected: the identity that the device has to have, if that is known.
  ///   - random: a key pair, if the message turns the ratchet.
  package static func decrypt(
    _ message: RatchetMessage, with session: RatchetSession?, expecting expected: IdentityKey? = nil, _ keys: OwnKeys,
    random: @escaping RandomBytes
  ) throws(RatchetError) -> Decrypted {
    try check(message, session, expected)
    let candidates = session?.skipped(for: message) ?? []
    let call = try LibraryCall(input(message, session, candidates, keys), random: random)
    let (secret, record) = try call.decrypt(message)
    let (split, left) = try split(record)
    let stepped = core(split, countingPreviousChainOf: session)
    let core = call.readsSignedPreKey ? stepped : keepingUnanswered(stepped, of: session)
    guard var after = RatchetSession(core: core, skipped: session?.skipped ?? []) else { throw .failed(code: 0) }
    let change = after.change(from: session, candidates: candidates, left: left)
    after.apply(change)
    return Decrypted(
      secret: secret, session: after, isNew: call.readsSignedPreKey,
      usedPreKey: call.readsSignedPreKey ? message.keyExchange?.preKeyID : nil, skippedChange: change)
  }

  /// The core with the state in front that waits for the peer's answer, if the message came by an older one. The library
  /// would write by that from then on, which the peer may have lost: that is why the new one began.
  private static func keepingUnanswered(_ core: [UInt8], of before: RatchetSession?) -> [UInt8] {
    guard let before, before.isUnanswered, let state = before.layout.states.first else { return core }
    return RecordEditing.putting(first: before.core[state.baseKey], in: core)
  }

  /// Refuses what needs no calculation.
  private static func check(
    _ message: RatchetMessage, _ session: RatchetSession?, _ expected: IdentityKey?
  ) throws(RatchetError) {
    if let identity = message.keyExchange?.identity {
      guard session?.isWith(identity) ?? true, expected.map({ $0.curve == identity.curve }) ?? true else {
        throw .wrongIdentity
      }
    } else if session == nil {
      throw .noSession
    }
    guard session.map({ $0.version == message.version }) ?? true else { throw .noSession }
    let reached = session?.reached(message.ratchetKey) ?? 0
    guard UInt64(message.counter) <= UInt64(reached) + UInt64(longestJump) else { throw .tooFarAhead }
  }

  /// How far the chains with a ratchet key are.
  private func reached(_ key: CurveKey) -> UInt32 {
    layout.states.flatMap(\.receivers).filter { core[$0.ratchetKey].elementsEqual(key.bytes) }.map(\.index).max() ?? 0
  }

  private func skipped(for message: RatchetMessage) -> [SkippedKey] {
    skipped.filter { $0.fits(message) }
  }

  private static func input(
    _ message: RatchetMessage, _ session: RatchetSession?, _ skipped: [SkippedKey], _ keys: OwnKeys
  ) -> LibraryCall.Input {
    LibraryCall.Input(
      version: message.version, identity: keys.identity, record: session?.record(with: skipped),
      preKey: message.keyExchange.flatMap { keys.preKey($0.preKeyID) },
      signedPreKey: message.keyExchange.flatMap { keys.signedPreKey($0.signedPreKeyID) })
  }

  /// How the skipped keys of `before` change, if the library was given `candidates` of them and left others in its
  /// record.
  private func change(
    from before: RatchetSession?, candidates: [SkippedKey], left: [SkippedKey]
  ) -> SkippedChange {
    if skipped.isEmpty, left.isEmpty { return SkippedChange() }
    let given = Set(candidates.map(\.id))
    let kept = Set(left.map(\.id))
    var change = SkippedChange(removed: candidates.map(\.id).filter { !kept.contains($0) })
    change.added = left.filter { !given.contains($0.id) }
    giveUp(&change, before)
    return change
  }

  /// Gives up the skipped keys of chains that are gone, and the oldest that are too many.
  private func giveUp(_ change: inout SkippedChange, _ before: RatchetSession?) {
    let chains = self.chains
    if let before, !before.chains.isSubset(of: chains) {
      change.removed += skipped.filter { !chains.contains($0.chain) }.map(\.id)
    }
    let excess = skipped.count - change.removed.count + change.added.count - SkippedKey.most
    guard excess > 0 else { return }
    let gone = Set(change.removed)
    change.removed += skipped.lazy.map(\.id).filter { !gone.contains($0) }.prefix(excess)
  }

  private var chains: Set<SkippedKey.Chain> {
    Set(layout.states.flatMap { state in state.receivers.map { state.chain($0, in: core) } })
  }
}
