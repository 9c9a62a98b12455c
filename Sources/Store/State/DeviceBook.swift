package import Records

/// The devices that encrypt, of an account's contacts and of the account itself, by the bare JID of their owner.
package struct DeviceBook {
  /// Sorted by number.
  private var byOwner: [String: [DeviceRecord]] = [:]

  /// The devices of somebody, sorted by number.
  package subscript(jid: String) -> [DeviceRecord] { byOwner.isEmpty ? [] : byOwner[jid] ?? [] }

  /// The bare JIDs of those who have any.
  package var owners: some Collection<String> { byOwner.keys }

  /// The bare JIDs of those who have a device with this number.
  package func owners(of id: UInt32) -> [String] {
    byOwner.filter { $0.value.contains { $0.id == id } }.map(\.key)
  }

  /// An owner's address as it is stored here; nil: nothing of theirs is known.
  func owner(_ jid: String) -> String? { byOwner.index(forKey: jid).map { byOwner[$0].key } }

  /// All of them, in an order that is always the same.
  var all: [DeviceRecord] { byOwner.sorted { $0.key < $1.key }.flatMap(\.value) }

  mutating func apply(_ device: DeviceRecord) {
    byOwner[device.jid, default: []].apply(device)
    if byOwner[device.jid]?.isEmpty == true { byOwner[device.jid] = nil }
  }
}

extension [DeviceRecord] {
  /// Takes a device in the place of the one with its number; they are sorted by that.
  package mutating func apply(_ device: DeviceRecord) {
    let index = firstIndex { $0.id >= device.id } ?? count
    if index < count, self[index].id == device.id { remove(at: index) }
    if !device.isForgettable { insert(device, at: index) }
  }
}
