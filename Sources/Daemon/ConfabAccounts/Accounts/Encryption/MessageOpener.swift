import Crypto
import Ratchet
import Records
import State
import XML
import XMPPCore
import XMPPExtensions

/// The result of looking at an encrypted message.
enum OpenedMessage {
  /// The message as its author wrote it. What it has changed among the secrets goes into the record that it becomes.
  case content(Element, MessageSeal)
  /// It came before, as this message; what stands beside the ciphertext came again.
  case copy(of: MessageRecord)
  /// It shows nothing, for this reason (for the journal).
  case nothing(String)
  case unreadable(MessageSeal)
}

/// Decrypts messages (XEP-0384, sections 4.4 and 5.5).
final class MessageOpener {
  /// A message with a counter from here on is answered, so that its sender's ratchet turns (section 6).
  private static let heartbeat: UInt32 = 53
  private static let mostTurned = 1_000

  private let own: JID
  private let state: AccountState
  private let records: RecordReader
  private let secrets: Secrets
  private let keys: OwnKeys
  private let sessions: Sessions
  private let devices: KnownDevices
  /// Ciphertexts whose records are not durable yet, and the messages that they brought; nil: none.
  private var recent: [UInt64: MessageRecord?] = [:]
  /// Hashes of ciphertexts that were opened for the message at hand.
  private(set) var opened: UInt64?
  /// The owner of a device that wrote and is on no list, until somebody takes note of that.
  private var unlisted: String?
  /// The device whose session or keys did not decrypt the message at hand.
  private(set) var failed: Sessions.Peer?
  /// The ratchet keys of long chains that were answered, by their senders.
  private var turned: [Sessions.Peer: CurveKey] = [:]
  /// True while a message is tried that was unreadable before.
  var isReopening = false
  /// The bare JID of the author of the message at hand; nil: a room does not show it.
  private(set) var sender: String?
  /// People with whom a session began, or whose lists are others: what could not be read of them may be readable.
  var mayBeReadable: Set<String> = []
  /// Devices that are owed an empty message, because they began a session, or their ratchet has to turn.
  private(set) var owed: Set<Sessions.Peer> = []

  init(
    of own: JID, _ state: AccountState, _ records: RecordReader, _ secrets: Secrets, _ keys: OwnKeys,
    _ sessions: Sessions, _ devices: KnownDevices
  ) {
    (self.own, self.state, self.records) = (own, state, records)
    (self.secrets, self.keys, self.sessions, self.devices) = (secrets, keys, sessions, devices)
  }

  /// Looks at a message; nil: nothing in it is encrypted by OMEMO, or this device has no keys.
  ///
  /// - Parameters:
  ///   - sender: the bare JID of the author; nil: a room does not show it, and whoever has the device may be it.
  ///   - isCertain: false: it may be a forged word of an occupant, and counts only for a device that is known to be the
  ///     sender's.
  ///   - recipient: the bare JID that the message went to.
  func open(
    _ message: Element, from sender: JID?, isCertain: Bool, to recipient: JID, isInRoom: Bool
  ) -> OpenedMessage? {
    (failed, self.sender) = (nil, sender?.description)
    guard let device = keys.device,
      let content = message.children.lazy.compactMap({ EncryptedContent($0, for: device, of: self.own) }).best
    else { return nil }
    if let sender, devices.device(content.sender, of: sender.description)?.lists.isEmpty ?? true {
      unlisted = sender.description
    }
    guard !content.keys.isEmpty else {
      return content.payload == nil
        ? .nothing("an empty message for other devices") : unreadable(content, .notForThisDevice)
    }
    let letter = Letter(message: message, content: content, recipient: recipient, isInRoom: isInRoom)
    var last: OpenedMessage?
    // In a room, devices of two people may have one number.
    let isBelieved = sender.map { isCertain || devices.isKnown(content.sender, of: $0.description) } ?? false
    for author in sender.flatMap({ isBelieved ? [$0] : nil }) ?? devices.owners(of: content.sender) {
      for key in content.keys.prefix(isInRoom ? EncryptedContent.mostKeys : 1) {
        let opened = open(letter, key, from: author)
        guard case .unreadable = opened else { return opened }
        last = opened
      }
    }
    return last ?? unreadable(content, .noSession)
  }

  private func open(_ letter: Letter, _ key: EncryptedContent.Key, from sender: JID) -> OpenedMessage {
    let hash = Self.hash(letter.content, key, sender)
    if !isReopening, let known = copy(hash) { return known }
    return decrypt(letter, key, from: sender, hash)
  }

  /// An encrypted message with keys for this device.
  private struct Letter {
    let message: Element
    let content: EncryptedContent
    let recipient: JID
    let isInRoom: Bool
  }

  private func unreadable(
    _ content: EncryptedContent, _ why: MessageSeal.Unreadable, _ hash: UInt64? = nil
  ) -> OpenedMessage {
    guard content.payload != nil else { return .nothing("an empty message that cannot be read: \(why.word)") }
    var seal = MessageSeal()
    (seal.unreadable, seal.ciphertext) = (why, hash)
    (seal.version, seal.device) = (content.version.seal, content.sender)
    return .unreadable(seal)
  }

  private func decrypt(
    _ letter: Letter, _ key: EncryptedContent.Key, from sender: JID, _ hash: UInt64
  ) -> OpenedMessage {
    let content = letter.content
    let peer = Sessions.Peer(jid: sender.bare.description, id: content.sender, version: content.version)
    let decrypted: RatchetSession.Decrypted
    let ratchet: RatchetMessage
    do throws(RatchetError) {
      ratchet = try RatchetMessage(key.bytes, isKeyExchange: key.isKeyExchange, content.version)
      let known = devices.device(peer.id, of: peer.jid).flatMap { CurveKey($0.identity) }.map(IdentityKey.init)
      decrypted = try sessions.decrypt(ratchet, of: peer, expecting: known)
    } catch {
      failed = peer
      return unreadable(content, error.reason, hash)
    }
    guard let opened = opened(letter, decrypted.secret, from: sender) else {
      // The ratchet's part was right, and the payload is not what it belongs to: nothing of it counts.
      secrets.rollBack()
      sessions.forgetOpen()
      failed = peer
      return unreadable(content, .damaged, hash)
    }
    if decrypted.isNew, let identity = ratchet.keyExchange?.identity ?? decrypted.session.peer,
      devices.isOfAnother(identity.curve.bytes, than: peer.jid) || devices.isFull(for: peer.id, of: peer.jid)
    {
      // A copy of somebody's first message is not the copier's own, and a person has not so many devices.
      secrets.rollBack()
      sessions.forgetOpen()
      return unreadable(content, .damaged, hash)
    }
    self.opened = hash
    note(peer, decrypted, ratchet)
    guard case .some(let element) = opened else { return .nothing("an empty message: the ratchet turned") }
    return .content(element, seal(of: peer, content.version, hash))
  }

  /// The message without its encryption; `.some(nil)`: it is empty. Nil: it is damaged.
  private func opened(_ letter: Letter, _ secret: [UInt8], from sender: JID) -> Element?? {
    let content = letter.content
    guard let payload = content.payload else { return .some(nil) }
    switch content.version {
    case .legacy:
      guard let iv = content.iv, let text = LegacyPayload.open(payload, secret: secret, iv: iv),
        let body = String(validating: text, as: UTF8.self)
      else { return nil }
      return letter.message.opened {
        !$0.isOfEncryption && !$0.isNamed("body", Namespace.client) && !FileSharing.isPart($0)
      } content: {
        if let file = EncryptedFileAddress(body) { file.writeShared(into: &$0) } else { $0.element("body", text: body) }
      }
    case .omemo2:
      guard let bytes = EnvelopePayload.open(payload, secret: secret), let envelope = ContentEnvelope(bytes),
        envelope.belongs(from: sender, to: letter.recipient, isInRoom: letter.isInRoom)
      else { return nil }
      return letter.message.opened {
        ContentEnvelope.isServerProcessed($0) && !$0.isOfEncryption
      } content: { writer in
        for element in envelope.content { element.write(into: &writer) }
      }
    }
  }

  private func note(_ peer: Sessions.Peer, _ decrypted: RatchetSession.Decrypted, _ message: RatchetMessage) {
    if let identity = message.keyExchange?.identity ?? decrypted.session.peer {
      devices.learn(identity.curve.bytes, of: peer.id, peer.jid)
    }
    devices.note(peer.id, of: peer.jid, isBroken: false, wrote: true)
    if decrypted.isNew { mayBeReadable.insert(peer.jid) }
    let isTurnDue = message.counter >= Self.heartbeat && turned[peer] != message.ratchetKey
    if turned.count >= Self.mostTurned { turned = [:] }
    if isTurnDue { turned[peer] = message.ratchetKey }
    if decrypted.isNew || isTurnDue { owed.insert(peer) }
  }

  private func seal(of peer: Sessions.Peer, _ version: RatchetVersion, _ hash: UInt64) -> MessageSeal {
    let device = devices.device(peer.id, of: peer.jid)
    var seal = MessageSeal()
    (seal.version, seal.device, seal.ciphertext) = (version.seal, peer.id, hash)
    (seal.identity, seal.trust) = (device?.identity ?? [], device?.trust ?? .none)
    return seal
  }

  // MARK: - Copies

  /// A hash of the key's ciphertext, which nobody makes twice, whatever number of a device stands beside it.
  private static func hash(_ content: EncryptedContent, _ key: EncryptedContent.Key, _ sender: JID) -> UInt64 {
    let head = "\(sender.bare)/\(content.version.rawValue)/\(key.isKeyExchange)/"
    let bytes = Array(head.utf8) + key.bytes
    let digest = (try? Digest.hash(bytes, .sha256)) ?? []
    return digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
  }

  /// The message that a ciphertext brought when it came before; nil: it is new.
  private func copy(_ hash: UInt64) -> OpenedMessage? {
    if let known = recent[hash] {
      guard let known else { return .nothing("a copy of an encrypted message") }
      return shown(known)
    }
    for number in state.messageIDs.ids(.copy, hash) {
      switch records.record(number) {
      case .message(let message) where message.details?.seal?.ciphertext == hash: return shown(message)
      case .change(let message)
      where message.details?.seal?.ciphertext == hash && message.details?.change?.kind == .opened:
        return shown(message)
      case .change(let message) where message.details?.seal?.ciphertext == hash:
        return .nothing("a copy of an encrypted change")
      case .step(let record) where record.step.ciphertexts.contains(hash):
        return .nothing("a copy of an encrypted message")
      default: break
      }
    }
    return nil
  }

  /// A message that could not be read may be readable now, or as it comes now.
  private func shown(_ message: MessageRecord) -> OpenedMessage? {
    message.details?.seal?.unreadable == nil ? .copy(of: message) : nil
  }

  // MARK: - Storing

  /// The message at hand becomes this record, or none.
  func store(as record: MessageRecord?) {
    guard let hash = opened ?? record?.details?.seal?.ciphertext else { return }
    let isChange = record?.target != nil && record?.details?.change?.kind != .opened
    recent[hash] = .some(isChange ? nil : record)
    opened = nil
  }

  /// Nothing of the message at hand is stored: it comes again.
  func forgetOpened() { opened = nil }

  /// A sync came, and nothing waits for the disk.
  func synced() { recent = [:] }

  func takeUnlisted() -> String? {
    defer { unlisted = nil }
    return unlisted
  }

  /// The empty messages that are owed are sent.
  func takeOwed() -> [Sessions.Peer] {
    defer { owed = [] }
    return owed.sorted { ($0.jid, $0.id) < ($1.jid, $1.id) }
  }
}

extension Sequence<EncryptedContent> {
  /// The one that has a key for this device, else the first.
  fileprivate var best: EncryptedContent? { first { !$0.keys.isEmpty } ?? first { _ in true } }
}

extension RatchetError {
  fileprivate var reason: MessageSeal.Unreadable {
    switch self {
    case .noSession, .unknownPreKey: .noSession
    case .duplicate: .oldCounter
    default: .damaged
    }
  }
}

extension Element {
  /// An element of the encryption, or of its hints.
  var isOfEncryption: Bool {
    OMEMO.version(of: self) != nil || isIn(MessageEncryption.namespace)
  }

  /// The stanza with the children that are kept, and others in place of the rest; nil: it is not well-formed, or too
  /// long.
  func opened(keeping isKept: (Element) -> Bool, content: (inout XMLWriter) -> Void) -> Element? {
    var writer = XMLWriter()
    writer.open("message", xmlns: Namespace.client)
    for name: StaticString in ["from", "to", "id", "type"] { writer.attribute(name, attribute(name)) }
    writer.attribute("xml:lang", language)
    for child in children where isKept(child) { child.write(into: &writer) }
    content(&writer)
    writer.close()
    return Element.parse(writer.bytes)
  }

  /// Writes the element as it is.
  func write(into writer: inout XMLWriter) {
    var bytes: [UInt8] = []
    serialize(into: &bytes, inheriting: "")
    writer.raw(bytes)
  }
}
