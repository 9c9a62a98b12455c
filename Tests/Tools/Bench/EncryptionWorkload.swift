import Ratchet
import TestSupport
import XML
import XMPPCore
import XMPPExtensions

/// Encryption (XEP-0384): the ratchets alone, in this process, and then what people who encrypt cost their daemons beside
/// what they cost in plain text, at a real Prosody.
enum EncryptionWorkload {
  private static let rounds = 400

  static func run(_ bench: Bench) throws {
    for (version, name) in [(RatchetVersion.legacy, "0.3"), (.omemo2, "2")] {
      let limits = version == .legacy ? (14, 17) : (31, 69)
      let steps = try RatchetSteps(version)
      for devices in [1, 4, 400] {
        let cost = try steps.encrypt(devices, rounds: devices > 4 ? 5 : rounds)
        let note = devices == 1 ? "(libomemo-c alone: \(limits.0))" : ""
        bench.report("\(name): encrypt for \(devices), within a chain", cost, "us", note: note)
      }
      let chain = try steps.decrypt(rounds, turning: false)
      bench.report("\(name): decrypt, within a chain", chain, "us", note: "(libomemo-c alone: \(limits.1))")
      bench.report("\(name): decrypt, each turns the ratchet", try steps.decrypt(rounds / 4, turning: true), "us")
      bench.report("\(name): a new session", try steps.begin(rounds / 8), "us")
    }
    try EncryptedTalk.run(bench)
    try IdleSessions.run(bench)
  }
}

/// Two devices with a session, and what their steps cost in microseconds.
private struct RatchetSteps {
  private let version: RatchetVersion
  private let mine: OwnIdentity
  private let theirs: OwnIdentity
  private let signed: SignedPreKey
  private let preKey: PreKey
  private let bundle: PeerBundle
  private let text = Array("A message of about the usual length, all of it text.".utf8)

  init(_ version: RatchetVersion) throws {
    self.version = version
    (mine, theirs) = (try OwnIdentity(random: Self.random), try OwnIdentity(random: Self.random))
    signed = try SignedPreKey(id: 1, by: theirs, random: Self.random)
    preKey = try PreKey(id: 1, random: Self.random)
    let bundle = DeviceBundle(version, theirs.key, signed, [preKey]).peerBundle(preKey: 0)
    guard let bundle else { throw TestFailure("no bundle") }
    self.bundle = bundle
  }

  private static func random(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255) } }

  private var keys: RatchetSession.OwnKeys {
    RatchetSession.OwnKeys(theirs, preKey: { [preKey] _ in preKey }, signedPreKey: { [signed] _ in signed })
  }

  private var noKeys: RatchetSession.OwnKeys {
    RatchetSession.OwnKeys(mine, preKey: { _ in nil }, signedPreKey: { _ in nil })
  }

  private func read(_ encrypted: RatchetSession.Encrypted) throws -> RatchetMessage {
    try RatchetMessage(encrypted.bytes, isKeyExchange: encrypted.isKeyExchange, version)
  }

  /// The sessions of both, each of which has heard of the other.
  private func pair() throws -> (RatchetSession, RatchetSession) {
    let first = try RatchetSession(with: bundle, version, as: mine, random: Self.random).encrypt(text)
    let heard = try RatchetSession.decrypt(try read(first), with: nil, keys, random: Self.random).session
    let answer = try heard.encrypt(text)
    let known = try RatchetSession.decrypt(try read(answer), with: first.session, noKeys, random: Self.random).session
    return (known, answer.session)
  }

  private func seal() throws -> [UInt8] {
    switch version {
    case .legacy: return try LegacyPayload(sealing: text, random: Self.random).secret
    case .omemo2:
      let envelope = ContentEnvelope.write(
        from: try JID("alice@example.test"), to: try JID("bob@example.test"), padding: ""
      ) { $0.raw(text) }
      return try EnvelopePayload(sealing: envelope, random: Self.random).secret
    }
  }

  func encrypt(_ devices: Int, rounds: Int) throws -> Double {
    var session = try pair().0
    let time = try Stopwatch.measure {
      for _ in 0..<rounds {
        let secret = try seal()
        for _ in 0..<devices { session = try session.encrypt(secret).session }
      }
    }
    return time / Double(rounds)
  }

  func decrypt(_ count: Int, turning: Bool) throws -> Double {
    var (sender, receiver) = try pair()
    let secret = try seal()
    var time = 0.0
    for _ in 0..<count {
      let encrypted = try sender.encrypt(secret)
      sender = encrypted.session
      time += try Stopwatch.measure {
        receiver = try RatchetSession.decrypt(try read(encrypted), with: receiver, keys, random: Self.random).session
      }
      guard turning else { continue }
      let answer = try receiver.encrypt(secret)
      receiver = answer.session
      sender = try RatchetSession.decrypt(try read(answer), with: sender, noKeys, random: Self.random).session
    }
    return time / Double(count)
  }

  func begin(_ count: Int) throws -> Double {
    try Stopwatch.measure {
      for _ in 0..<count { _ = try RatchetSession(with: bundle, version, as: mine, random: Self.random) }
    } / Double(count)
  }
}
