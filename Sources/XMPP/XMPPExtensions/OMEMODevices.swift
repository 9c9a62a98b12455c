import Bytes
package import Ratchet
package import XML

/// XEP-0384, section 5.3.1: the devices of an account that encrypt, in one version.
package struct DeviceList: Sendable, Equatable {
  /// One device.
  package struct Entry: Sendable, Equatable {
    package let id: UInt32
    /// In omemo:2, the user's word for it.
    package let label: DeviceLabel?

    package init(id: UInt32, label: DeviceLabel? = nil) { (self.id, self.label) = (id, label) }
  }

  package let version: RatchetVersion
  /// Each once.
  package var devices: [Entry]

  package init(_ version: RatchetVersion, _ devices: [Entry]) { (self.version, self.devices) = (version, devices) }

  private static func name(_ version: RatchetVersion) -> StaticString { version == .legacy ? "list" : "devices" }

  /// Reads the payload of an item; nil if it is no list. Entries without a number of a device are passed over, and those
  /// behind the first `OMEMO.mostDevices`.
  package init?(_ element: Element) {
    guard let version = OMEMO.version(of: element), element.isNamed(Self.name(version), OMEMO.namespace(version)) else {
      return nil
    }
    self.init(version, [])
    var seen: Set<UInt32> = []
    for child in element.children where child.isNamed("device", OMEMO.namespace(version)) {
      guard let id = OMEMO.deviceID(child.attribute("id")), seen.insert(id).inserted else { continue }
      devices.append(Entry(id: id, label: version == .legacy ? nil : DeviceLabel(child)))
      if devices.count == OMEMO.mostDevices { break }
    }
  }

  package func write(into writer: inout XMLWriter) {
    writer.open(Self.name(version), xmlns: OMEMO.namespace(version))
    for device in devices {
      writer.empty(
        "device",
        attributes: [
          "id": "\(device.id)", "label": device.label?.text,
          "labelsig": device.label.map { Base64.encode($0.signature) },
        ])
    }
    writer.close()
  }

  /// Stores the list at our own account.
  package func publish(options: NodeOptions? = OMEMO.options, id: String) -> [UInt8] {
    PubSub.publish(OMEMO.currentItem, on: OMEMO.deviceNode(version), options: options, id: id) { write(into: &$0) }
  }
}

/// The user's word for a device, signed by it: without a right signature it counts as none.
package struct DeviceLabel: Sendable, Equatable {
  /// Bytes of the longest: 53 code points (section 5.3.1).
  private static let longest = 53 * 4

  package let text: String
  package let signature: [UInt8]

  /// Signs a label; nil if it is empty or too long.
  package init?(_ text: String, by identity: OwnIdentity, random: @escaping RandomBytes) {
    guard (1...Self.longest).contains(text.utf8.count),
      let signature = try? identity.sign(Array(text.utf8), random: random)
    else { return nil }
    (self.text, self.signature) = (text, signature)
  }

  fileprivate init?(_ device: Element) {
    guard let text = device.attribute("label"), (1...Self.longest).contains(text.utf8.count),
      let code = device.attribute("labelsig"), code.utf8.count <= 256,
      let signature = Base64.decode(code.utf8.filter { $0 > 0x20 }), signature.count == OwnIdentity.signatureBytes
    else { return nil }
    (self.text, self.signature) = (text, signature)
  }

  /// True if the device with this identity wrote the label.
  package func isSigned(by identity: IdentityKey) -> Bool {
    identity.verifies(signature, of: Array(text.utf8), .omemo2)
  }
}
