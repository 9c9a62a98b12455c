import Ratchet
import XML
import XMPPCore
import XMPPExtensions

/// Two devices that have talked, in each version, always the same.
private struct Talk: Sendable {
  let identity: OwnIdentity
  let signedPreKey: SignedPreKey
  let preKeys: [PreKey]
  let session: RatchetSession

  static let all: [RatchetVersion: Talk] = {
    var talks: [RatchetVersion: Talk] = [:]
    for version in RatchetVersion.allCases { talks[version] = try? Talk(version) }
    return talks
  }()

  private init(_ version: RatchetVersion) throws {
    let peer = try OwnIdentity(random: Self.random(1))
    identity = try OwnIdentity(random: Self.random(2))
    signedPreKey = try SignedPreKey(id: 1, by: identity, random: Self.random(3))
    preKeys = try (1...4).map { try PreKey(id: $0, random: Self.random(UInt8($0 + 3))) }
    let bundle = DeviceBundle(version, identity.key, signedPreKey, preKeys).peerBundle(preKey: 0)
    guard let bundle else { throw RatchetError.badKey }
    let peers = try RatchetSession(with: bundle, version, as: peer, random: Self.random(9))
    let first = try peers.encrypt([1])
    let message = try RatchetMessage(first.bytes, isKeyExchange: true, version)
    let (signed, keys) = (signedPreKey, preKeys)
    let own = RatchetSession.OwnKeys(
      identity, preKey: { id in keys.first { $0.id == id } }, signedPreKey: { _ in signed })
    session = try RatchetSession.decrypt(message, with: nil, own, random: Self.random(10)).session
  }

  var keys: RatchetSession.OwnKeys {
    RatchetSession.OwnKeys(
      identity, preKey: { id in preKeys.first { $0.id == id } },
      signedPreKey: { $0 == signedPreKey.id ? signedPreKey : nil })
  }

  static func random(_ seed: UInt8) -> RandomBytes {
    { count in (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 59 &+ Int(seed) &* 13) } }
  }
}

/// Ratchets: first byte which version, whether it is a key exchange, and whether the rest is a message or a stored
/// session. What is not refused has the form that it should have; nobody without the keys is believed.
@Sendable func fuzzRatchet(_ bytes: [UInt8]) {
  var script = Script(bytes)
  let choice = script.byte()
  let version: RatchetVersion = choice & 1 == 0 ? .legacy : .omemo2
  guard let talk = Talk.all[version] else { return hold(false, "two talk") }
  if choice & 4 != 0 { return fuzzSession(script.remaining(), talk) }
  guard
    let message = try? RatchetMessage(script.remaining(), isKeyExchange: choice & 2 != 0, version)
  else { return }
  hold(message.ciphertext.count % 16 == 0 && !message.ciphertext.isEmpty, "a ciphertext has whole blocks")
  hold((message.keyExchange == nil) == (choice & 2 == 0), "a key exchange is one")
  for session in [talk.session, nil] {
    let step = try? RatchetSession.decrypt(message, with: session, talk.keys, random: Talk.random(11))
    hold(step == nil || step?.isNew == true, "no message is believed in a session of others")
  }
}

/// A stored session: it is refused, or it steps or fails.
private func fuzzSession(_ bytes: [UInt8], _ talk: Talk) {
  guard let session = RatchetSession(core: bytes) else { return }
  hold(RatchetSession(core: session.core) == session, "a session reads as it was written")
  _ = session.peer
  guard let step = try? session.encrypt([1, 2, 3]) else { return }
  hold(step.session.nextCounter == session.nextCounter &+ 1, "a step counts")
}

/// Elements of OMEMO: lists, bundles and messages. What is read is bounded, and is written so that it reads the same.
@Sendable func fuzzOMEMO(_ bytes: [UInt8]) {
  guard let element = Element.parse(bytes) else { return }
  readOMEMO(element)
  for child in element.children { readOMEMO(child) }
}

private func readOMEMO(_ element: Element) {
  if let list = DeviceList(element) {
    hold(list.devices.count <= OMEMO.mostDevices, "a list is bounded")
    hold(Set(list.devices.map(\.id)).count == list.devices.count, "a device is there once")
    hold(written { list.write(into: &$0) }.flatMap { DeviceList($0) } == list, "a list reads the same")
  }
  if let bundle = DeviceBundle(element) {
    hold((1...DeviceBundle.mostPreKeys).contains(bundle.preKeys.count), "pre-keys are bounded")
    hold(written { bundle.write(into: &$0) }.flatMap { DeviceBundle($0) } == bundle, "a bundle reads the same")
  }
  if let content = EncryptedContent(element, for: 4, of: own) {
    hold(content.keys.count <= EncryptedContent.mostKeys, "keys are bounded")
    let again = written { content.write(into: &$0) }.flatMap { EncryptedContent($0, for: 4, of: own) }
    hold(again == content, "a message reads the same")
  }
}

private func written(_ write: (inout XMLWriter) -> Void) -> Element? {
  var writer = XMLWriter()
  write(&writer)
  return Element.parse(writer.bytes)
}

/// Decrypted contents: an envelope, and a text that is the address of a file.
@Sendable func fuzzEnvelopes(_ bytes: [UInt8]) {
  if let envelope = ContentEnvelope(bytes) {
    hold(!envelope.content.contains(where: ContentEnvelope.isServerProcessed), "nothing for servers is inside")
    hold((envelope.from?.isBare ?? true) && (envelope.to?.isBare ?? true), "addresses are bare")
  }
  guard let address = EncryptedFileAddress(String(decoding: bytes, as: UTF8.self)) else { return }
  hold(address.url.hasPrefix("https://") && !address.url.contains("#"), "\(address) is safe to fetch from")
  hold(EncryptedFileAddress(address.text) == address, "\(address) reads as it was written")
}
