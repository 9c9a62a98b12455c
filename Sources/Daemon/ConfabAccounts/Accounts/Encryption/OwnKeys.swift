import Bytes
import Clocks
import MessageLog
import Ratchet
import Records
import State

/// The keys of this device (XEP-0384, sections 4.2 and 5.3): its identity, the signed pre-keys, and the pre-keys, of
/// which each begins one session.
///
/// A pre-key that was used is kept until the archive is read, and for an hour: several messages may name it, and others may
/// have chosen it at the same time (decision 0193).
final class OwnKeys {
  /// Pre-keys in a bundle, and how few there may be before it is filled up.
  private static let fullBundle = 100
  private static let fewPreKeys = 80
  /// How long a signed pre-key is published. The one before is kept for as long again.
  private static let rotation = Interval.days(7)
  /// How long a pre-key is kept that was used, and how many are.
  private static let grace = Interval.hours(1)
  private static let mostUsed = 500

  private enum Name {
    static let identity = "identity"
    static let counters = "counters"
    static func preKey(_ id: UInt32) -> String { "prekey/\(id)" }
    static func used(_ id: UInt32) -> String { "used/\(id)" }
    static func signed(_ id: UInt32) -> String { "signed/\(id)" }
  }

  private let state: AccountState
  private let storage: Storage
  private let effects: Effects
  private let secrets: Secrets
  private let devices: KnownDevices
  private var known: OwnIdentity?

  init(_ secrets: Secrets, _ devices: KnownDevices, _ state: AccountState, _ storage: Storage, _ effects: Effects) {
    (self.secrets, self.devices, self.state) = (secrets, devices, state)
    (self.storage, self.effects) = (storage, effects)
  }

  var random: RandomBytes { { [effects] in effects.random.bytes($0) } }

  /// The number of this device; nil: it has no keys yet.
  var device: UInt32? { devices.this?.id }

  /// Nil: there is none yet.
  var identity: OwnIdentity? {
    if let known { return known }
    known = secrets[Name.identity].flatMap { try? OwnIdentity(CurveKeyPair(privateKey: $0)) }
    return known
  }

  /// The keys for one key exchange or message.
  var forSessions: RatchetSession.OwnKeys? {
    identity.map { identity in
      .init(identity, preKey: { self.preKey($0) }, signedPreKey: { self.signedPreKey($0) })
    }
  }

  // MARK: - Making

  /// Makes what is missing. A copy of a log is another device with the same identity, and its sessions are gone: two
  /// devices must not share a ratchet.
  func make() throws(RatchetError) {
    let log = storage.log.bytes
    if devices.this?.log == log, identity != nil { return }
    let identity: OwnIdentity
    if let known = self.identity { identity = known } else { identity = try OwnIdentity(random: random) }
    secrets[Name.identity] = identity.pair.privateKey
    for prefix in ["prekey/", "used/", "signed/", "session/", "retired/", "skipped/"] {
      for name in secrets.names(beginning: prefix) { secrets[name] = nil }
    }
    try rotate(identity)
    try fill()
    secrets.store()
    devices.replaceThis(by: effects.random.deviceID, identity: identity.key.curve.bytes, log: log)
    known = identity
  }

  /// Draws a signed pre-key in place of one that is too old, and drops the one before that. True if it did.
  func rotateIfDue() throws(RatchetError) -> Bool {
    guard let identity, effects.now.wall - Timestamp(milliseconds: counters.rotated) > Self.rotation else {
      return false
    }
    try rotate(identity)
    secrets.store()
    return true
  }

  private func rotate(_ identity: OwnIdentity) throws(RatchetError) {
    var counters = counters
    counters.signed += 1
    counters.rotated = effects.now.wall.milliseconds
    let key = try SignedPreKey(id: counters.signed, by: identity, random: random)
    secrets[Name.signed(key.id)] = key.stored
    if counters.signed > 2 { secrets[Name.signed(counters.signed - 2)] = nil }
    self.counters = counters
  }

  /// Draws pre-keys where there are few. True if it did.
  func fillIfFew() throws(RatchetError) -> Bool {
    guard secrets.names(beginning: "prekey/").count < Self.fewPreKeys else { return false }
    try fill()
    secrets.store()
    return true
  }

  private func fill() throws(RatchetError) {
    var counters = counters
    for _ in secrets.names(beginning: "prekey/").count..<Self.fullBundle {
      counters.preKey = counters.preKey % PreKeyID.largest + 1
      secrets[Name.preKey(counters.preKey)] = try PreKey(id: counters.preKey, random: random).stored
    }
    self.counters = counters
  }

  /// The numbers that were given last, and when the signed pre-key was drawn.
  private struct Counters {
    var preKey: UInt32 = 0
    var signed: UInt32 = 0
    /// Milliseconds since 1970.
    var rotated: Int64 = 0
  }

  private var counters: Counters {
    get {
      let words = secrets[Name.counters].map { String(decoding: $0, as: UTF8.self).split(separator: " ") } ?? []
      guard words.count == 3, let preKey = UInt32(words[0]), let signed = UInt32(words[1]), let time = Int64(words[2])
      else { return Counters() }
      return Counters(preKey: preKey, signed: signed, rotated: time)
    }
    set { secrets[Name.counters] = Array("\(newValue.preKey) \(newValue.signed) \(newValue.rotated)".utf8) }
  }

  // MARK: - Using

  private func preKey(_ id: UInt32) -> PreKey? {
    (secrets[Name.preKey(id)] ?? secrets[Name.used(id)]).flatMap { PreKey(id: id, stored: Array($0.prefix(64))) }
  }

  private func signedPreKey(_ id: UInt32) -> SignedPreKey? {
    secrets[Name.signed(id)].flatMap { SignedPreKey(id: id, stored: $0) }
  }

  /// A session began with this pre-key: the bundle has it no more.
  func used(_ id: UInt32) {
    guard let key = secrets[Name.preKey(id)] else { return }
    let time = UInt64(bitPattern: effects.now.wall.milliseconds)
    secrets[Name.used(id)] = key + (0..<8).map { UInt8(truncatingIfNeeded: time >> ($0 * 8)) }
    secrets[Name.preKey(id)] = nil
  }

  /// The archive is read: what comes now names no pre-key that was used long ago.
  ///
  /// - Parameter age: how long the server has had the present bundle, as far as is known.
  func forgetUsed(bundleAge age: Interval) {
    let now = effects.now.wall
    let used = secrets.names(beginning: "used/").map { (name: $0, time: Timestamp(usedAt: secrets[$0] ?? [])) }
    // A clock that was put back keeps none for ever.
    let isOld = { (time: Timestamp) in age > Self.grace && (time > now || now - time > Self.grace) }
    let kept = used.filter { !isOld($0.time) }.sorted { $0.time > $1.time }
    let forgotten = used.filter { isOld($0.time) } + kept.dropFirst(Self.mostUsed)
    for (name, _) in forgotten { secrets[name] = nil }
    if !forgotten.isEmpty { secrets.store() }
  }

  /// The keys that others need to begin a session with this device: the signed pre-key and all pre-keys.
  var published: (signed: SignedPreKey, preKeys: [PreKey])? {
    guard let signed = signedPreKey(counters.signed) else { return nil }
    let ids = secrets.names(beginning: "prekey/").compactMap { UInt32($0.dropFirst("prekey/".count)) }
    return (signed, ids.sorted().compactMap { preKey($0) })
  }
}

extension RandomSource {
  /// A number for a device: 1 to 2^31 - 1 (XEP-0384, section 5.3.1).
  fileprivate var deviceID: UInt32 {
    let number = bytes(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
    return max(number, 1)
  }
}

extension Timestamp {
  /// The time behind a pre-key that was used.
  fileprivate init(usedAt stored: [UInt8]) {
    let time = stored.dropFirst(64).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    self.init(milliseconds: Int64(bitPattern: time))
  }
}

// Stored: the private key, the public key; of a signed one both signatures, of 64 bytes each; of a pre-key
// that was used, when that was (milliseconds since 1970, little-endian, 8 bytes).
extension CurveKeyPair {
  fileprivate var stored: [UInt8] { privateKey + publicKey.bytes }

  fileprivate init?(stored: some Collection<UInt8>) {
    guard stored.count == 64, let key = CurveKey(Array(stored.suffix(32))) else { return nil }
    self.init(restoring: key, privateKey: Array(stored.prefix(32)))
  }
}

extension PreKey {
  fileprivate var stored: [UInt8] { pair.stored }

  fileprivate init?(id: UInt32, stored: [UInt8]) {
    guard let pair = CurveKeyPair(stored: stored) else { return nil }
    self.init(id: id, pair: pair)
  }
}

extension SignedPreKey {
  fileprivate var stored: [UInt8] { pair.stored + legacySignature + omemo2Signature }

  fileprivate init?(id: UInt32, stored: [UInt8]) {
    guard stored.count == 192, let pair = CurveKeyPair(stored: stored.prefix(64)) else { return nil }
    self.init(
      id: id, pair: pair, legacySignature: Array(stored[64..<128]), omemo2Signature: Array(stored[128..<192]))
  }
}
