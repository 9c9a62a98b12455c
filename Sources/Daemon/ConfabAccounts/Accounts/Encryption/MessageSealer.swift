import Bytes
import Clocks
import Crypto
import Ratchet
import Records
import XML
import XMPPCore
import XMPPExtensions

/// Encrypts a message of mine for the devices that were chosen (XEP-0384, sections 4.4 and 5.5).
struct MessageSealer {
  let own: JID
  let keys: OwnKeys
  let sessions: Sessions
  let effects: Effects

  /// The elements of its stanzas, and what was set among the secrets is to become durable with them. Nil: it failed, and
  /// nothing may be stored.
  func step(
    of message: OutgoingContent, to jid: JID, _ choice: DeviceChoice
  ) -> (step: ContentStep, seal: MessageSeal)? {
    guard let device = keys.device, let identity = keys.identity else { return nil }
    var (step, elements) = (ContentStep(), [[UInt8]]())
    for body in choice.versions.contains(.legacy) ? message.parts : [] {
      let part = OutgoingContent(body: body, parts: [], inside: [], outside: [])
      guard let element = encrypted(part, to: jid, choice.peers(.legacy), .legacy, device) else { return nil }
      step.parts.append(element)
    }
    for version in choice.versions {
      guard let element = encrypted(message, to: jid, choice.peers(version), version, device) else { return nil }
      elements.append(element)
    }
    var seal = MessageSeal()
    (seal.version, seal.device, seal.identity) = (choice.versions.first?.seal, device, identity.key.curve.bytes)
    (seal.trust, seal.skipped) = (.verified, choice.skipped)
    (step.stanza, step.secondStanza) = (elements.first ?? [], elements.dropFirst().first ?? [])
    return (step, seal)
  }

  /// An empty message to one device: it answers a key exchange, or moves the ratchet (section 4.3).
  func emptyMessage(to peer: Sessions.Peer) -> [UInt8]? {
    guard let device = keys.device, let to = try? JID(peer.jid) else { return nil }
    let secret: [UInt8]
    var iv: [UInt8]?
    switch peer.version {
    case .omemo2: secret = EnvelopePayload.emptySecret
    case .legacy:
      guard let payload = try? LegacyPayload(sealing: nil, random: keys.random) else { return nil }
      (secret, iv) = (payload.secret, payload.iv)
    }
    guard let keys = encryptedKeys(secret, to: [peer]) else { return nil }
    var writer = XMLWriter()
    EncryptedContent(peer.version, sender: device, keys: keys, iv: iv, payload: nil).write(into: &writer)
    MessageHints.writeStore(into: &writer)
    let id = effects.token(bytes: 12)
    var outgoing = OutgoingMessage(to: to, id: id, originID: id, text: nil)
    outgoing.payloads = writer.bytes
    var bytes: [UInt8] = []
    outgoing.serialize(into: &bytes)
    return bytes
  }

  private func encrypted(
    _ message: OutgoingContent, to jid: JID, _ peers: [Sessions.Peer], _ version: RatchetVersion, _ device: UInt32
  ) -> [UInt8]? {
    let secret: [UInt8]
    let payload: [UInt8]
    var iv: [UInt8]?
    switch version {
    case .legacy:
      guard let sealed = try? LegacyPayload(sealing: Array(message.body.utf8), random: keys.random),
        let bytes = sealed.bytes
      else { return nil }
      (secret, payload, iv) = (sealed.secret, bytes, sealed.iv)
    case .omemo2:
      let padding = ContentEnvelope.padding(forContentOf: message.inside.count, random: effects.random.bytes)
      let envelope = ContentEnvelope.write(from: own, to: jid, time: effects.now.wall, padding: padding) {
        $0.raw(message.inside)
      }
      guard let sealed = try? EnvelopePayload(sealing: envelope, random: keys.random) else { return nil }
      (secret, payload) = (sealed.secret, sealed.bytes)
    }
    guard let keys = encryptedKeys(secret, to: peers) else { return nil }
    var writer = XMLWriter()
    EncryptedContent(version, sender: device, keys: keys, iv: iv, payload: payload).write(into: &writer)
    MessageEncryption.writeOMEMO(version, into: &writer)
    MessageHints.writeStore(into: &writer)
    if version == .legacy { writer.raw(message.outside) }
    return writer.bytes
  }

  private func encryptedKeys(_ secret: [UInt8], to peers: [Sessions.Peer]) -> [EncryptedContent.Key]? {
    var keys: [EncryptedContent.Key] = []
    for peer in peers {
      guard let encrypted = try? sessions.encrypt(secret, to: peer) else {
        // It is damaged: the next message begins another one.
        sessions.drop(peer)
        continue
      }
      let jid = peer.version == .legacy ? nil : try? JID(peer.jid)
      keys.append(.init(jid: jid, device: peer.id, isKeyExchange: encrypted.isKeyExchange, bytes: encrypted.key))
    }
    return keys.isEmpty ? nil : keys
  }
}

/// The content of a message of mine, apart from its addresses and ids.
struct OutgoingContent {
  /// The text for the legacy version, which has nothing beside it.
  var body: String
  /// Further such texts, which go before it in stanzas of their own: files.
  var parts: [String]
  /// The body and all that stands beside it, as XML.
  var inside: [UInt8]
  /// The part that the legacy version has outside of the encryption, as XML: never a text or the name of a file.
  var outside: [UInt8]
}

extension RatchetVersion {
  var seal: MessageSeal.Version { self == .legacy ? .legacy : .omemo2 }
}
