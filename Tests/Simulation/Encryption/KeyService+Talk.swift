import Bytes
import Ratchet
import Records
import XML
import XMPPCore
import XMPPExtensions

// Encrypted messages, of the people to the users and the other way round.
extension KeyService {
  // MARK: - To the users

  /// Encrypts a message of somebody with devices, or of the user's other device, for all devices of the user, as far as
  /// it is not to go in plain text.
  func seal(_ parcel: inout Parcel) {
    guard let device = writer(of: parcel), world.secretDice.percent(climate.share) else { return }
    for version in world.secretDice.percent(50) ? device.versions : device.versions.reversed() {
      if seal(&parcel, by: device, version) { return }
    }
  }

  private func writer(of parcel: Parcel) -> SimulatedDevice? {
    let writers = active(of: parcel.from)
    return writers.isEmpty ? nil : world.secretDice.pick(writers)
  }

  /// False: the user has no device that reads the version.
  private func seal(_ parcel: inout Parcel, by device: SimulatedDevice, _ version: RatchetVersion) -> Bool {
    if version == .legacy, parcel.bodyText == nil { return false }
    let user = parcel.user
    let ids = Set(list(of: user, version)).sorted()
    do {
      let content = try device.seal(
        parcel.bodyText ?? "", version, from: JID(parcel.from), to: JID(parcel.to), envelope: parcel.inside)
      var keys: [EncryptedContent.Key] = []
      for id in ids where id != device.id {
        if let key = try key(content.secret, by: device, for: .init(jid: user, id: id, version: version)) {
          keys.append(key)
        }
      }
      let isForUs = keys.contains { !isPhone($0.device, of: user) }
      guard isForUs || !keys.isEmpty && parcel.isBareText else { return false }
      parcel.isForUs = isForUs
      if !parcel.isForUs { parcel.stanzaID = parcel.id }
      world.see(parcel.isForUs ? .sealedText : .textForOthers)
      var writer = XMLWriter()
      EncryptedContent(version, sender: device.id, keys: keys, iv: content.iv, payload: content.payload)
        .write(into: &writer)
      let outside = version == .legacy ? parcel.outside : ""
      parcel.sealed = String(decoding: writer.bytes, as: UTF8.self) + outside + "<store xmlns='urn:xmpp:hints'/>"
      world.trace.line(world.now, "\(parcel.id) is encrypted by \(device.id) for \(keys.map(\.device)), \(version)")
      return true
    } catch {
      world.hold(false, "\(parcel.from) encrypts \(parcel.id) for \(user): \(error)")
      return false
    }
  }

  /// The key for one device of the user's. Of the other device nobody looks at what it gets.
  private func key(
    _ secret: [UInt8], by device: SimulatedDevice, for peer: SimulatedDevice.Peer
  ) throws -> EncryptedContent.Key? {
    guard isPhone(peer.id, of: peer.jid) else {
      return try device.encrypt(secret, for: peer) { keys(of: peer.jid, peer.id, peer.version) }
    }
    let jid = peer.version == .legacy ? nil : try JID(peer.jid)
    return .init(jid: jid, device: peer.id, isKeyExchange: false, bytes: world.secretDice.next().bytes)
  }

  // MARK: - From the users

  /// A message of a user's is here, and each device of its recipient, and the user's own, reads what is for it; nil: it
  /// is not encrypted.
  func read(_ stanza: Element, _ id: String, from user: String, to recipient: String) -> SealedArrival? {
    let contents = stanza.children.filter { OMEMO.version(of: $0) != nil }
    guard let content = contents.first, let version = OMEMO.version(of: content) else { return nil }
    world.hold(contents.count == 1, "\(id) has one encrypted element")
    noteKeys(of: content, version, id)
    var arrival = SealedArrival(isText: content.child("payload", OMEMO.namespace(version)) != nil)
    let step = server.witness.sequence(ofMine: id).flatMap { server.witness.ciphers.steps[$0] }
    arrival.isWhole = version != .legacy || step?.secondStanza.isEmpty ?? true
    for device in (devices[recipient] ?? []) + (devices[user] ?? []) {
      switch device.read(stanza, from: user) {
      case .notForIt, .empty: break
      case .text(let text): arrival.texts[device.id] = text
      case .unreadable(let reason):
        world.trace.line(world.now, "\(device.owner)/\(device.id) cannot read \(id): \(reason)")
        world.hold(device.hasLost.contains(user), "\(device.owner)/\(device.id) can read \(id): \(reason)")
      }
    }
    return arrival
  }

  /// Notes each key of a ratchet that was used.
  private func noteKeys(of content: Element, _ version: RatchetVersion, _ id: String) {
    let namespace = OMEMO.namespace(version)
    let header = content.child("header", namespace)
    let payload = content.child("payload", namespace)?.text ?? ""
    var elements: [Element] = []
    for child in header.map({ Array($0.children) }) ?? [] { elements += [child] + Array(child.children) }
    for element in elements where element.local == "key" {
      let isKeyExchange = (element.attribute("prekey") ?? element.attribute("kex")) != nil
      guard let bytes = Base64.decode(element.text.utf8),
        let message = try? RatchetMessage(bytes, isKeyExchange: isKeyExchange, version)
      else { return world.hold(false, "\(id) has a key that can be read") }
      server.witness.ciphers.noteKey(message, payload, of: id)
    }
  }
}

/// An encrypted message of the user's, as its readers have it.
struct SealedArrival {
  /// False: it moves ratchets alone.
  let isText: Bool
  /// False: it is the first one of two stanzas, of which the second stands for the message.
  var isWhole = true
  /// The texts that were read, by device.
  var texts: [UInt32: String] = [:]
}

extension Parcel {
  /// True if it is a text, and says nothing of other messages.
  fileprivate var isBareText: Bool { !isSignal && change == nil && signals.isEmpty && !asksForReceipt }
}

extension UInt64 {
  /// Its bytes, and some more: no key of a ratchet.
  fileprivate var bytes: [UInt8] { (0..<40).map { UInt8(truncatingIfNeeded: self >> UInt64($0 % 8 * 8)) } }
}

extension KeyService {
  /// Takes an encrypted message of the user's.
  func take(_ sealed: SealedArrival, _ stanza: Element, _ id: String, to: String, _ session: ServerSession) {
    let mailbox = session.mailbox
    guard sealed.isText else { return world.see(.emptyArrival) }
    world.see(.sealedArrival)
    let number = server.witness.sequence(ofMine: id)
    let text = number.flatMap { server.witness.messages[$0]?.text } ?? ""
    for (device, read) in sealed.texts.sorted(by: { $0.key < $1.key }) {
      world.hold(read == text, "\(device) reads \(read), where \(id) says \(text)")
      readers[id, default: []].insert(device)
    }
    let step = number.flatMap { server.witness.ciphers.steps[$0] }
    world.hold(step != nil, "\(id) arrived encrypted, and the log does not have it so")
    let kept = filed(stanza, from: "\(mailbox.jid)/here")
    if !sealed.isWhole {
      mailbox.file(id: nil, kept, to: to)
    } else {
      mailbox.arrived(id: id, text: text, to: to, session: session, stanza: kept)
      mailbox.confirm(id, as: [id], by: to)
    }
  }

  /// A stanza as the archive keeps it.
  private func filed(_ stanza: Element, from sender: String) -> String {
    var bytes: [UInt8] = []
    for child in stanza.children { child.serialize(into: &bytes, inheriting: "jabber:client") }
    return "<message xmlns='jabber:client' from='\(sender)' to='\(stanza.attribute("to") ?? "")' type='chat' "
      + "id='\(stanza.attribute("id") ?? "")'>\(String(decoding: bytes, as: UTF8.self))</message>"
  }

  /// Each message of the user's that is sent was read by each device that it was encrypted for.
  func checkReaders(_ mailbox: Mailbox) {
    for (number, step) in server.witness.ciphers.steps.sorted(by: { $0.key < $1.key }) {
      guard let message = server.witness.messages[number], message.account == mailbox.account,
        [.sent, .delivered, .displayed].contains(server.witness.state(of: number)), let id = message.stanzaID
      else { continue }
      for stanza in [step.stanza, step.secondStanza] where !stanza.isEmpty {
        let text = String(decoding: stanza, as: UTF8.self)
        for device in (devices[message.jid] ?? []) + (devices[mailbox.jid] ?? [])
        where !device.hasLost.contains(mailbox.jid) {
          let isFor = text.firstRange(of: " rid='\(device.id)'") != nil
          world.hold(
            !isFor || readers[id]?.contains(device.id) == true,
            "\(device.owner)/\(device.id) has read \(message.text), number \(number), which is sent")
        }
      }
    }
  }
}
