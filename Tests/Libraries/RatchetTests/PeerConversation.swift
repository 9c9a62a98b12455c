import Bytes
import Testing

@testable import Ratchet

/// One of the other library's ways to answer: a program, or what one answered before.
protocol RatchetPeer: AnyObject {
  /// The answer to a request (Tests/Support/omemo_peer.py).
  func ask(_ request: String) throws -> [Substring]
}

/// A conversation with a peer that chance decides, the same for the same seed and the same answers.
struct PeerConversation {
  private let peer: any RatchetPeer
  private let version: RatchetVersion
  private let chance: SeededBytes
  private var own: RatchetDevice
  private var onTheWay: [(isOurs: Bool, key: String, isExchange: Bool, secret: [UInt8])] = []

  init(_ version: RatchetVersion, with peer: any RatchetPeer, seed: UInt64) throws {
    (self.version, self.peer, chance) = (version, peer, SeededBytes(seed))
    own = try RatchetDevice(version, seed: seed + 1_000)
  }

  /// Talks; an odd seed lets the peer begin.
  mutating func run(steps: Int) throws {
    try begin()
    for _ in 0..<steps {
      switch chance.number(below: 20) {
      case 0: try exchangePayloads()
      case 1...10 where onTheWay.count < 8: try send()
      default: try deliver(at: chance.number(below: onTheWay.count))
      }
    }
    while !onTheWay.isEmpty { try deliver(at: 0) }
  }

  private var secretCount: Int { version == .legacy ? 32 : 48 }

  private mutating func begin() throws {
    let bundle = try parsed(peer.ask("bundle"))
    if chance.number(below: 2) == 0 {
      own.session = try RatchetSession(
        with: try #require(bundle), version, as: own.identity, random: own.random.bytes)
      try send(isOurs: true)
    } else {
      let secret = chance.bytes(secretCount)
      let signed = own.signedPreKey
      let words = [
        hex(own.identity.key.bytes(version)), "\(signed.id)", hex(bytes(signed.pair.publicKey)),
        hex(signed.signature(version)), "3", hex(bytes(try #require(own.preKeys[3]).pair.publicKey)), hex(secret),
      ]
      try note(try peer.ask("begin " + words.joined(separator: " ")), secret)
    }
    try deliver(at: 0)
  }

  private mutating func send(isOurs: Bool? = nil) throws {
    let secret = chance.bytes(secretCount)
    guard isOurs ?? (chance.number(below: 2) == 0) else {
      return try note(try peer.ask("encrypt \(hex(secret))"), secret)
    }
    let message = try own.encrypt(secret)
    onTheWay.append((true, hex(message.bytes), message.keyExchange != nil, secret))
  }

  private mutating func note(_ answer: [Substring], _ secret: [UInt8]) throws {
    try #require(answer.count == 2)
    onTheWay.append((false, String(answer[1]), answer[0] == "1", secret))
  }

  private mutating func deliver(at index: Int) throws {
    guard !onTheWay.isEmpty else { return }
    let next = onTheWay.remove(at: index)
    guard own.session == nil || chance.number(below: 10) > 0 || next.isExchange else { return }
    if next.isOurs {
      #expect(try peer.ask("decrypt \(next.isExchange ? 1 : 0) \(next.key)") == [Substring(hex(next.secret))])
    } else {
      let bytes = try #require(Hex.decode(next.key))
      let message = try RatchetMessage(bytes, isKeyExchange: next.isExchange, version)
      #expect(try own.decrypt(message).secret == next.secret)
    }
  }

  /// A payload each way.
  private func exchangePayloads() throws {
    let text = chance.bytes(1 + chance.number(below: 40))
    let answer = try peer.ask("seal \(hex(text))")
    try #require(answer.count == 3)
    let secret = try #require(Hex.decode(String(answer[0])))
    let payload = try #require(Hex.decode(String(answer[2])))
    let sealed: [String]
    if version == .legacy {
      #expect(LegacyPayload.open(payload, secret: secret, iv: Hex.decode(String(answer[1])) ?? []) == text)
      let own = try LegacyPayload(sealing: text, random: chance.bytes)
      sealed = [hex(own.secret), hex(own.iv), hex(own.bytes ?? [])]
    } else {
      #expect(EnvelopePayload.open(payload, secret: secret) == text)
      let own = try EnvelopePayload(sealing: text, random: chance.bytes)
      sealed = [hex(own.secret), "-", hex(own.bytes)]
    }
    #expect(try peer.ask("open " + sealed.joined(separator: " ")) == [Substring(hex(text))])
  }

  private func bytes(_ key: CurveKey) -> [UInt8] { version == .legacy ? key.typed : key.bytes }
  private func key(_ bytes: [UInt8]) -> CurveKey? { version == .legacy ? CurveKey(typed: bytes) : CurveKey(bytes) }
  private func hex(_ bytes: [UInt8]) -> String { Hex.encode(bytes) }

  private func parsed(_ bundle: [Substring]) throws -> PeerBundle? {
    try #require(bundle.count == 5)
    let fields = bundle.prefix(4).map { Hex.decode(String($0)) ?? [] }
    let preKey = try #require(bundle[4].split(separator: ",").first).split(separator: ":")
    guard let identity = IdentityKey(fields[0], version), let signedID = UInt32(bundle[1]),
      let signed = key(fields[2]), let id = UInt32(preKey[0]), let preKey = key(Hex.decode(String(preKey[1])) ?? [])
    else { return nil }
    return PeerBundle(
      identity: identity, signedPreKeyID: signedID, signedPreKey: signed, signature: fields[3], preKeyID: id,
      preKey: preKey)
  }
}
