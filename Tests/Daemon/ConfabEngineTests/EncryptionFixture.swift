import Bytes
import Clocks
import ConfabConfiguration
import JSON
import Ratchet
import Records
import TestSupport
import Testing
import XML
import XMPPCore
import XMPPExtensions

@testable import ConfabAccounts
@testable import ConfabEngine

/// Somebody else's device, with a real ratchet.
final class EncryptedPeer {
  let jid: String
  let id: UInt32
  let version: RatchetVersion
  let identity: OwnIdentity
  private let signed: SignedPreKey
  private let preKeys: [PreKey]
  private var session: RatchetSession?
  private let random: SeededRandom
  /// All that the last message in an envelope said.
  private(set) var inside: [Element] = []

  init(_ jid: String, _ id: UInt32, _ version: RatchetVersion = .legacy, seed: UInt64 = 7) throws {
    let random = SeededRandom(seed)
    (self.jid, self.id, self.version, self.random) = (jid, id, version, random)
    identity = try OwnIdentity { random.bytes($0) }
    signed = try SignedPreKey(id: 1, by: identity) { random.bytes($0) }
    preKeys = try (1...5).map { try PreKey(id: $0) { random.bytes($0) } }
  }

  var bundle: String {
    var writer = XMLWriter()
    DeviceBundle(version, identity.key, signed, preKeys).write(into: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Reads a stanza for it; nil: it has no key, or cannot be read.
  func read(_ stanza: String, from sender: String = "alice@example.org") throws -> String? {
    let element = try #require(Element.parse(Array(stanza.utf8)))
    let own = try JID(jid)
    let content = element.children.compactMap { EncryptedContent($0, for: id, of: own) }.first { !$0.keys.isEmpty }
    guard let content, let key = content.keys.first else { return nil }
    let message = try RatchetMessage(key.bytes, isKeyExchange: key.isKeyExchange, content.version)
    let keys = RatchetSession.OwnKeys(
      identity, preKey: { id in self.preKeys.first { $0.id == id } }, signedPreKey: { _ in self.signed })
    let decrypted = try RatchetSession.decrypt(message, with: session, keys) { self.random.bytes($0) }
    session = decrypted.session
    guard let payload = content.payload else { return "" }
    switch version {
    case .legacy:
      let text = LegacyPayload.open(payload, secret: decrypted.secret, iv: content.iv ?? [])
      return text.map { String(decoding: $0, as: UTF8.self) }
    case .omemo2:
      let envelope = EnvelopePayload.open(payload, secret: decrypted.secret).flatMap { ContentEnvelope($0) }
      inside = envelope?.content ?? []
      return inside.first { $0.local == "body" }?.text
    }
  }

  /// Begins a session by a bundle of the other side.
  func begin(with bundle: String) throws {
    let bundle = try #require(Element.parse(Array(bundle.utf8)).flatMap { DeviceBundle($0) })
    session = try RatchetSession(with: #require(bundle.peerBundle(preKey: 3)), version, as: identity) {
      self.random.bytes($0)
    }
  }

  /// A stanza of it to alice's device.
  ///
  /// - Parameters:
  ///   - more: outside of the encryption.
  ///   - inside: in an envelope, beside the text.
  ///   - room: the room to which it is said, and the nick; nil: it is for alice alone.
  func say(
    _ text: String, to device: UInt32, id stanzaID: String, more: String = "", inside: String = "",
    in room: (jid: String, nick: String)? = nil
  ) throws -> String {
    let secret: [UInt8]
    let payload: [UInt8]
    var iv: [UInt8]?
    switch version {
    case .legacy:
      let sealed = try LegacyPayload(sealing: Array(text.utf8)) { self.random.bytes($0) }
      (secret, payload, iv) = (sealed.secret, sealed.bytes ?? [], sealed.iv)
    case .omemo2:
      let envelope = ContentEnvelope.write(
        from: try JID(jid), to: try JID(room?.jid ?? "alice@example.org"), padding: "x"
      ) {
        guard !text.isEmpty else { return $0.raw(Array(inside.utf8)) }
        $0.open("body", xmlns: "jabber:client")
        $0.text(text)
        $0.close()
        $0.raw(Array(inside.utf8))
      }
      let sealed = try EnvelopePayload(sealing: envelope) { self.random.bytes($0) }
      (secret, payload) = (sealed.secret, sealed.bytes)
    }
    let encrypted = try #require(session).encrypt(secret)
    session = encrypted.session
    let key = EncryptedContent.Key(
      jid: version == .legacy ? nil : try JID("alice@example.org"), device: device,
      isKeyExchange: encrypted.isKeyExchange, bytes: encrypted.bytes)
    var writer = XMLWriter()
    EncryptedContent(version, sender: id, keys: [key], iv: iv, payload: payload).write(into: &writer)
    let (from, type) = room.map { ("\($0.jid)/\($0.nick)", "groupchat") } ?? ("\(jid)/phone", "chat")
    return "<message xmlns='jabber:client' from='\(from)' to='alice@example.org' id='\(stanzaID)' type='\(type)'>"
      + String(decoding: writer.bytes, as: UTF8.self) + more + "</message>"
  }

  /// Its session as it is now, to be put back later.
  var state: RatchetSession? {
    get { session }
    set { session = newValue }
  }
}

/// Alice, whose server has nodes, and others with devices.
final class EncryptedWorld {
  let harness: Harness
  var peers: [EncryptedPeer]
  /// Bundles that were published, by node and item.
  private(set) var published: [String: String] = [:]
  private var answered: Set<String> = []
  /// Requests of these nodes get no answer.
  var silentNodes: (String) -> Bool = { _ in false }
  /// How many devices somebody lists beside those of the peers; none has keys.
  var emptyDevices: [String: Range<UInt32>] = [:]
  /// Their servers answer with an error that says nothing of what there is.
  var brokenOwners: Set<String> = []
  private static let pubsub = "http://jabber.org/protocol/pubsub"

  init(
    _ peers: [EncryptedPeer], on storage: MemoryStorage = MemoryStorage(), now: Moment? = nil, seed: UInt64 = 1,
    archive: ScriptedArchive? = nil, room: ScriptedRoom? = nil, configure: (inout AccountSettings) -> Void = { _ in }
  ) throws {
    var server = ScriptedStream()
    (server.hasNodes, server.acknowledges, server.archive) = (true, true, archive)
    server.room = room
    server.features = ["http://jabber.org/protocol/pubsub#publish-options"]
    if archive != nil { server.features += ["urn:xmpp:mam:2", "urn:xmpp:sid:0"] }
    var account = Harness.alice
    account.encryption = .auto
    configure(&account)
    harness = try Harness(on: storage, accounts: [account], server: server, now: now, seed: seed)
    self.peers = peers
    serve()
  }

  /// Answers requests until there are no more, or far too many.
  func serve() {
    harness.pass(.milliseconds(100))
    for _ in 0..<200 where answerNext() { harness.pass(.milliseconds(10)) }
  }

  private func answerNext() -> Bool {
    let requests = harness.toServer.components("<iq ").dropFirst().map { "<iq " + ($0.components("</iq>").first ?? "") }
    for request in requests {
      guard request.contains("xmlns='\(Self.pubsub)'"), let id = ScriptedStream.value(of: "id", in: request),
        let node = ScriptedStream.value(of: "node", in: request), !silentNodes(node),
        answered.insert(id).inserted
      else { continue }
      let to = ScriptedStream.value(of: "to", in: request)
      harness.say(answer(request, id: id, node: node, to: to))
      return true
    }
    return false
  }

  private func answer(_ request: String, id: String, node: String, to: String?) -> String {
    let from = to.map { " from='\($0)'" } ?? ""
    if request.contains("<publish ") {
      let item =
        request.components("<item").last.flatMap { $0.components(">").dropFirst().joined(separator: ">") } ?? ""
      published[node] = item.components("</item>").first
      return "<iq type='result' id='\(id)'/>"
    }
    if let to, brokenOwners.contains(to) {
      return "<iq type='error' id='\(id)'\(from)><error type='wait'>"
        + "<remote-server-timeout xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>"
    }
    guard let payload = payload(node: node, of: to, request) else {
      return "<iq type='error' id='\(id)'\(from)><error type='cancel'>"
        + "<item-not-found xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>"
    }
    return "<iq type='result' id='\(id)'\(from)><pubsub xmlns='\(Self.pubsub)'><items node='\(node)'>"
      + "<item id='current'>\(payload)</item></items></pubsub></iq>"
  }

  private func payload(node: String, of owner: String?, _ request: String) -> String? {
    guard let owner else { return published[node] }
    let devices = peers.filter { $0.jid == owner }
    for version in RatchetVersion.allCases where node == OMEMO.deviceNode(version) {
      let list = devices.filter { $0.version == version }
      guard !list.isEmpty else { return nil }
      var writer = XMLWriter()
      let empty = emptyDevices[owner] ?? 0..<0
      DeviceList(version, (list.map(\.id) + empty).map { .init(id: $0) }).write(into: &writer)
      return String(decoding: writer.bytes, as: UTF8.self)
    }
    return devices.first {
      node == OMEMO.bundleNode($0.version, of: $0.id)
        && ($0.version == .legacy || request.contains("id='\($0.id)'"))
    }?.bundle
  }

  /// The number of alice's device.
  var device: UInt32 {
    harness.engine.accounts.all.first?.parts.messaging.encryption.devices.this?.id ?? 0
  }

  /// Alice's bundle, as it was published.
  func bundle(_ version: RatchetVersion) throws -> String {
    try #require(published[OMEMO.bundleNode(version, of: device)])
  }

  /// The messages that left, oldest first.
  var messages: [String] {
    harness.toServer.components("<message ").dropFirst().map {
      "<message xmlns='jabber:client' " + ($0.components("</message>").first ?? "") + "</message>"
    }
  }

  func ask(_ line: String) -> [JSONValue] {
    let lines = harness.ask(harness.connect(900), line)
    serve()
    return lines
  }

  /// The texts of a conversation, oldest first.
  func texts(_ jid: String = "bob@example.org") -> [String] {
    objects(jid).map { $0["text"]?.string ?? "" }
  }

  func objects(_ jid: String = "bob@example.org") -> [JSONValue] {
    ask("history limit=100 \(jid)").compactMap { $0["message"] }
  }
}
