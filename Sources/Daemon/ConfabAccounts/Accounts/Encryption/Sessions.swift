import Bytes
import Crypto
import Ratchet
import Records

/// The sessions of this device with others (XEP-0384, section 4.3), which stand among the secrets: each step sets what it
/// changes there, and is as durable as the record that takes that.
final class Sessions {
  /// A device in one version of OMEMO: with each it has a session of its own.
  struct Peer: Hashable {
    let jid: String
    let id: UInt32
    let version: RatchetVersion

    fileprivate var path: String { "\(version == .legacy ? "0.3" : "2")/\(jid)/\(id)" }
  }

  /// Sessions that are kept opened: those of a burst.
  private static let mostOpen = 64

  private let secrets: Secrets
  private let keys: OwnKeys
  private var open: [Peer: RatchetSession] = [:]

  init(_ secrets: Secrets, _ keys: OwnKeys) { (self.secrets, self.keys) = (secrets, keys) }

  /// Opened sessions are not those of the secrets any more: those were rolled back, or given up.
  func forgetOpen() { open = [:] }

  /// True if there is a session to write by.
  func has(_ peer: Peer) -> Bool { exists(peer) && !secrets.has(Self.retiredName(peer)) }

  /// Peers by whose session nothing is written, and that have no new one.
  var retired: [Peer] {
    secrets.names(beginning: "retired/").compactMap { name in
      let parts = name.split(separator: "/")
      guard parts.count == 4, let id = UInt32(parts[3]) else { return nil }
      return Peer(jid: String(parts[2]), id: id, version: parts[1] == "2" ? .omemo2 : .legacy)
    }
  }

  private func exists(_ peer: Peer) -> Bool { open[peer] != nil || secrets.has(Self.name(peer)) }

  /// Writes by a session no more. What still comes by it is read, until there is a new one and behind that. False: there
  /// is none.
  func retire(_ peer: Peer) -> Bool {
    guard exists(peer) else { return false }
    secrets[Self.retiredName(peer)] = []
    return true
  }

  // MARK: - Steps

  /// Begins a session by a bundle of the device. The one of before, which the device may have begun meanwhile, goes on
  /// for what comes by it.
  func begin(_ peer: Peer, _ bundle: PeerBundle) throws(RatchetError) {
    guard let identity = keys.identity else { throw .noSession }
    let session = try RatchetSession(
      with: bundle, peer.version, as: identity, behind: session(peer), random: keys.random)
    set(session, of: peer, SkippedChange())
    if secrets.has(Self.retiredName(peer)) { secrets[Self.retiredName(peer)] = nil }
  }

  /// Encrypts the key of a message; nil: there is no session.
  func encrypt(_ secret: [UInt8], to peer: Peer) throws(RatchetError) -> (key: [UInt8], isKeyExchange: Bool)? {
    guard has(peer), let session = session(peer) else { return nil }
    let encrypted = try session.encrypt(secret)
    set(encrypted.session, of: peer, SkippedChange())
    return (encrypted.bytes, encrypted.isKeyExchange)
  }

  /// Decrypts the key of a message. An error changes nothing.
  ///
  /// - Parameter identity: what the device is known by; nil: it is not.
  func decrypt(
    _ message: RatchetMessage, of peer: Peer, expecting identity: IdentityKey?
  ) throws(RatchetError) -> RatchetSession.Decrypted {
    guard let own = keys.forSessions else { throw .noSession }
    let decrypted = try RatchetSession.decrypt(
      message, with: session(peer), expecting: identity, own, random: keys.random)
    if let id = decrypted.usedPreKey { keys.used(id) }
    if decrypted.isNew, secrets.has(Self.retiredName(peer)) { secrets[Self.retiredName(peer)] = nil }
    set(decrypted.session, of: peer, decrypted.skippedChange)
    return decrypted
  }

  /// Ends the session with a device.
  func drop(_ peer: Peer) {
    open[peer] = nil
    for name in [Self.name(peer), Self.retiredName(peer)] + secrets.names(beginning: "skipped/\(peer.path)/")
    where secrets.has(name) {
      secrets[name] = nil
    }
  }

  // MARK: - Storing

  private static func name(_ peer: Peer) -> String { "session/\(peer.path)" }

  private static func retiredName(_ peer: Peer) -> String { "retired/\(peer.path)" }

  private static func name(_ key: SkippedKey.ID, of peer: Peer) -> String {
    let chain = Base64.encodeURL(Array(key.chain.baseKey.bytes.prefix(9) + key.chain.ratchetKey.bytes.prefix(9)))
    return "skipped/\(peer.path)/\(chain)/\(key.counter)"
  }

  private func session(_ peer: Peer) -> RatchetSession? {
    if let session = open[peer] { return session }
    guard let core = secrets[Self.name(peer)] else { return nil }
    let skipped = secrets.names(beginning: "skipped/\(peer.path)/").compactMap { secrets[$0].flatMap(SkippedKey.init) }
    let session = RatchetSession(core: core, skipped: skipped.sorted { $0.id.counter < $1.id.counter })
    keepOpen(session, of: peer)
    return session
  }

  private func set(_ session: RatchetSession, of peer: Peer, _ change: SkippedChange) {
    secrets[Self.name(peer)] = session.core
    for id in change.removed { secrets[Self.name(id, of: peer)] = nil }
    for key in change.added { secrets[Self.name(key.id, of: peer)] = key.stored }
    keepOpen(session, of: peer)
  }

  private func keepOpen(_ session: RatchetSession?, of peer: Peer) {
    if open.count >= Self.mostOpen, open[peer] == nil { open = [:] }
    open[peer] = session
  }
}

// Stored: base key, ratchet key, counter (little-endian, 4 bytes), key.
extension SkippedKey {
  fileprivate var stored: [UInt8] {
    let counter = (0..<4).map { UInt8(truncatingIfNeeded: id.counter >> ($0 * 8)) }
    return id.chain.baseKey.bytes + id.chain.ratchetKey.bytes + counter + key
  }

  fileprivate init?(stored: [UInt8]) {
    guard stored.count == 68 + Self.keyBytes, let base = CurveKey(stored[..<32]),
      let ratchet = CurveKey(stored[32..<64])
    else { return nil }
    let counter = stored[64..<68].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    self.init(id: ID(chain: Chain(baseKey: base, ratchetKey: ratchet), counter: counter), key: Array(stored[68...]))
  }
}
