package import Records

/// The devices that encrypt, of an account's contacts and of the account itself, by the bare JID of their owner.
package struct DeviceBook {
  package private(set) var byOwner: [String: [UInt32: DeviceRecord]] = [:]

  /// The devices of somebody, by number.
  package subscript(jid: String) -> [UInt32: DeviceRecord] { byOwner.isEmpty ? [:] : byOwner[jid] ?? [:] }

  /// All of them, in an order that is always the same.
  var all: [DeviceRecord] {
    byOwner.sorted { $0.key < $1.key }.flatMap { $0.value.values.sorted { $0.id < $1.id } }
  }

  mutating func apply(_ device: DeviceRecord) {
    var devices = self[device.jid]
    devices[device.id] = device.isForgettable ? nil : device
    byOwner[device.jid] = devices.isEmpty ? nil : devices
  }
}
