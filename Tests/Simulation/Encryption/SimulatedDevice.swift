import Bytes
import Ratchet
import XML
import XMPPCore
import XMPPExtensions

/// A device of somebody's, with real ratchets.
final class SimulatedDevice {
  /// A device in one version, with which this one has a session.
  struct Peer: Hashable {
    let jid: String
    let id: UInt32
    let version: RatchetVersion
  }

  /// A stanza, as this device has it.
  enum Reading: Equatable {
    /// It has no key for this device.
    case notForIt
    /// It moves the ratchet alone.
    case empty
    /// Read, with what stands inside the encryption.
    case text(String)
    case unreadable(String)
  }

  let owner: String
  let id: UInt32
  let versions: [RatchetVersion]
  private let identity: OwnIdentity
  private let signed: SignedPreKey
  private let preKeys: [PreKey]
  private let random: SeededRandom
  private var sessions: [Peer: RatchetSession] = [:]
  /// What was read, by the bytes of its keys: a copy cannot be decrypted again.
  private var known: [[UInt8]: Reading] = [:]
  /// Users with whom sessions were lost: what they encrypted for those may be unreadable.
  private(set) var hasLost: Set<String> = []

  init(_ owner: String, _ id: UInt32, _ versions: [RatchetVersion], seed: UInt64) throws {
    let random = SeededRandom(seed)
    (self.owner, self.id, self.versions, self.random) = (owner, id, versions, random)
    identity = try OwnIdentity { random.bytes($0) }
    signed = try SignedPreKey(id: 1, by: identity) { random.bytes($0) }
    preKeys = try (1...8).map { try PreKey(id: $0) { random.bytes($0) } }
  }

  /// Its bundle.
  ///
  /// - Parameter isWrong: its signature is not that of its keys.
  func bundle(_ version: RatchetVersion, isWrong: Bool = false) -> String {
    var writer = XMLWriter()
    var signed = signed
    if isWrong {
      signed = SignedPreKey(
        id: signed.id, pair: preKeys[0].pair, legacySignature: signed.legacySignature,
        omemo2Signature: signed.omemo2Signature)
    }
    DeviceBundle(version, identity.key, signed, preKeys).write(into: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Forgets its sessions with somebody.
  func loseSessions(with jid: String) {
    hasLost.insert(jid)
    for peer in sessions.keys where peer.jid == jid { sessions[peer] = nil }
  }

  // MARK: - Out

  /// The key of a message for a device; nil: there is no session, and none can begin.
  ///
  /// - Parameter bundle: gives keys of the device to begin a session with.
  func encrypt(_ secret: [UInt8], for peer: Peer, _ bundle: () -> PeerBundle?) throws -> EncryptedContent.Key? {
    guard let session = try sessions[peer] ?? begin(peer, bundle()) else { return nil }
    let encrypted = try session.encrypt(secret)
    sessions[peer] = encrypted.session
    return EncryptedContent.Key(
      jid: peer.version == .legacy ? nil : try JID(peer.jid), device: peer.id, isKeyExchange: encrypted.isKeyExchange,
      bytes: encrypted.bytes)
  }

  private func begin(_ peer: Peer, _ bundle: PeerBundle?) throws -> RatchetSession? {
    try bundle.map { bundle in
      try RatchetSession(with: bundle, peer.version, as: identity) { self.random.bytes($0) }
    }
  }

  /// The payload of a text, and the secret for each ratchet.
  func seal(
    _ text: String, _ version: RatchetVersion, from: JID, to: JID, envelope: String
  ) throws -> (secret: [UInt8], iv: [UInt8]?, payload: [UInt8]) {
    switch version {
    case .legacy:
      let sealed = try LegacyPayload(sealing: Array(text.utf8)) { self.random.bytes($0) }
      return (sealed.secret, sealed.iv, sealed.bytes ?? [])
    case .omemo2:
      let content = ContentEnvelope.write(from: from, to: to, padding: "x") { $0.raw(envelope.utf8) }
      let sealed = try EnvelopePayload(sealing: content) { self.random.bytes($0) }
      return (sealed.secret, nil, sealed.bytes)
    }
  }

  // MARK: - In

  /// Reads a stanza of a user's.
  func read(_ stanza: Element, from sender: String) -> Reading {
    guard let own = try? JID(owner) else { return .notForIt }
    for child in stanza.children {
      guard let content = EncryptedContent(child, for: id, of: own), let key = content.keys.first else { continue }
      if let reading = known[key.bytes] { return reading }
      let reading = read(content, key, Peer(jid: sender, id: content.sender, version: content.version))
      known[key.bytes] = reading
      return reading
    }
    return .notForIt
  }

  private func read(_ content: EncryptedContent, _ key: EncryptedContent.Key, _ peer: Peer) -> Reading {
    do {
      let message = try RatchetMessage(key.bytes, isKeyExchange: key.isKeyExchange, content.version)
      let keys = RatchetSession.OwnKeys(
        identity, preKey: { id in self.preKeys.first { $0.id == id } }, signedPreKey: { _ in self.signed })
      let decrypted = try RatchetSession.decrypt(message, with: sessions[peer], keys) { self.random.bytes($0) }
      sessions[peer] = decrypted.session
      guard let payload = content.payload else { return .empty }
      return text(of: payload, content, decrypted.secret).map { .text($0) } ?? .unreadable("the payload is damaged")
    } catch {
      return .unreadable("\(error)")
    }
  }

  private func text(of payload: [UInt8], _ content: EncryptedContent, _ secret: [UInt8]) -> String? {
    switch content.version {
    case .legacy:
      LegacyPayload.open(payload, secret: secret, iv: content.iv ?? []).map { String(decoding: $0, as: UTF8.self) }
    case .omemo2:
      EnvelopePayload.open(payload, secret: secret).flatMap { ContentEnvelope($0) }?.content
        .first { $0.local == "body" }?.text
    }
  }
}
