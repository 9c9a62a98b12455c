import Bytes
package import Ratchet
package import XML
package import XMPPCore

/// XEP-0384, section 5.5: an `encrypted` element, of either version.
package struct EncryptedContent: Sendable, Equatable {
  /// The payload's key, encrypted for one device.
  package struct Key: Sendable, Equatable {
    /// The device's account, which legacy does not say.
    package let jid: JID?
    package let device: UInt32
    package let isKeyExchange: Bool
    /// A `RatchetMessage`.
    package let bytes: [UInt8]

    package init(jid: JID?, device: UInt32, isKeyExchange: Bool, bytes: [UInt8]) {
      (self.jid, self.device, self.isKeyExchange, self.bytes) = (jid, device, isKeyExchange, bytes)
    }
  }

  /// Keys for our device that are read: more than one is already the work of a broken or hostile client.
  package static let mostKeys = 4
  private static let mostPayloadBytes = 1 << 20

  package let version: RatchetVersion
  /// The device that encrypted it.
  package let sender: UInt32
  /// As read, those for our device alone: of another one it is none of our business.
  package let keys: [Key]
  /// In legacy: 12 bytes, of old clients 16.
  package let iv: [UInt8]?
  /// Nil: the element moves ratchets alone.
  package let payload: [UInt8]?

  package init(
    _ version: RatchetVersion, sender: UInt32, keys: [Key], iv: [UInt8]? = nil, payload: [UInt8]?
  ) {
    (self.version, self.sender, self.keys) = (version, sender, keys)
    (self.iv, self.payload) = (iv, payload)
  }

  /// Reads an element, as far as it is for one device of ours. Nil if it is no `encrypted` element, has no sender, or its
  /// initialisation vector or payload is no base64. A key that is none, or is too long, counts as not there.
  ///
  /// - Parameter account: our own, in a room, too.
  package init?(_ element: Element, for device: UInt32, of account: JID) {
    guard let version = OMEMO.version(of: element) else { return nil }
    let namespace = OMEMO.namespace(version)
    guard element.isNamed("encrypted", namespace), let header = element.child("header", namespace),
      let sender = OMEMO.deviceID(header.attribute("sid"))
    else { return nil }
    let (iv, payload) = (header.child("iv", namespace), element.child("payload", namespace))
    let groups: [Element] =
      version == .legacy ? [header] : header.children("keys", namespace).filter { Self.isFor(account, $0) }
    self.init(
      version, sender: sender, keys: Self.keys(in: groups, for: device, version == .legacy ? nil : account.bare),
      iv: version == .legacy ? OMEMO.bytes(of: iv, most: 16) : nil,
      payload: OMEMO.bytes(of: payload, most: Self.mostPayloadBytes))
    if payload != nil, self.payload == nil || version == .legacy && self.iv == nil { return nil }
  }

  private static func isFor(_ account: JID, _ keys: Element) -> Bool {
    keys.attribute("jid").flatMap { try? JID($0) }?.bare == account.bare
  }

  private static func keys(in groups: [Element], for device: UInt32, _ jid: JID?) -> [Key] {
    var found: [Key] = []
    for group in groups {
      for element in group.children where element.local == "key" {
        guard OMEMO.deviceID(element.attribute("rid")) == device,
          let bytes = OMEMO.bytes(of: element, most: RatchetMessage.mostBytes), !bytes.isEmpty
        else { continue }
        let isKeyExchange = XMLBoolean.read(element.attribute(jid == nil ? "prekey" : "kex")) ?? false
        found.append(Key(jid: jid, device: device, isKeyExchange: isKeyExchange, bytes: bytes))
        if found.count == mostKeys { return found }
      }
    }
    return found
  }

  package func write(into writer: inout XMLWriter) {
    writer.open("encrypted", xmlns: OMEMO.namespace(version))
    writer.open("header", attributes: ["sid": "\(sender)"])
    if version == .legacy {
      for key in keys { write(key, into: &writer) }
      if let iv { writer.element("iv", text: Base64.encode(iv)) }
    } else {
      writeGroups(into: &writer)
    }
    writer.close()
    if let payload { writer.element("payload", text: Base64.encode(payload)) }
    writer.close()
  }

  /// Keys of one account that follow each other are written together.
  private func writeGroups(into writer: inout XMLWriter) {
    var account: JID?
    for key in keys {
      if key.jid != account || account == nil {
        if account != nil { writer.close() }
        account = key.jid
        writer.open("keys", attributes: ["jid": account?.bare.description ?? ""])
      }
      write(key, into: &writer)
    }
    if account != nil { writer.close() }
  }

  private func write(_ key: Key, into writer: inout XMLWriter) {
    writer.open("key", attributes: ["rid": "\(key.device)"])
    if key.isKeyExchange { writer.attribute(version == .legacy ? "prekey" : "kex", constant: "true") }
    writer.text(Base64.encode(key.bytes))
    writer.close()
  }
}
