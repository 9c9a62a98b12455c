import Clocks
package import ConfabConfiguration
package import Records
import State
import XMPPCore

/// The devices that encrypt, of an account's contacts and of the account itself, as they will be once all records are
/// durable; and what was decided about them.
package final class KnownDevices {
  /// Devices of one owner that are kept: a list that changes all the time must not fill the log.
  private static let most = 500
  /// How much later a message of a device has to be to be noted.
  private static let lastSeenGrain = Interval.hours(1)

  private let own: String
  private let state: AccountState
  private let storage: Storage
  private let effects: Effects
  package var trust = TrustPolicy.blind

  init(of own: String, _ state: AccountState, _ storage: Storage, _ effects: Effects) {
    (self.own, self.state, self.storage, self.effects) = (own, state, storage, effects)
  }

  /// All that is known of somebody, sorted by number.
  package func all(of jid: String) -> [DeviceRecord] {
    var devices = state.devices[jid]
    for device in storage.pending.devices(of: jid, state.number) { devices.apply(device) }
    return devices
  }

  /// The devices of somebody that a list has now, but this one.
  package func active(of jid: String) -> [DeviceRecord] {
    all(of: jid).filter { !$0.lists.isEmpty && $0.log.isEmpty && $0.isDevice }
  }

  func device(_ id: UInt32, of jid: String) -> DeviceRecord? {
    // Each message of a burst asks for one, several times.
    guard let device = storage.pending.device(id, of: jid, state.number) else {
      return state.devices[jid].first { $0.id == id }
    }
    return device.isForgettable ? nil : device
  }

  /// The bare JIDs of those who have a device with this number, others than me.
  func owners(of id: UInt32) -> [JID] {
    let stored = state.devices.owners(of: id)
    let pending = storage.pending.deviceOwners(state.number).filter { device(id, of: $0) != nil }
    return Set(stored).union(pending).subtracting([own]).sorted().compactMap { try? JID($0) }
  }

  /// True if a list of somebody's has a device with this number, or its key is known.
  func isKnown(_ id: UInt32, of jid: String) -> Bool {
    device(id, of: jid).map { !$0.lists.isEmpty || $0.hasIdentity } ?? false
  }

  /// True if an identity key is that of somebody else, who has shown to have its secret: anybody can publish the bundle of
  /// another one.
  func isOfAnother(_ identity: [UInt8], than jid: String) -> Bool {
    let owners = Set(state.devices.owners).union(storage.pending.deviceOwners(state.number))
    return owners.contains { owner in
      owner != jid && all(of: owner).contains { $0.isDevice && $0.lastSeen > 0 && $0.identity == identity }
    }
  }

  /// True if so many devices of somebody are known that a new one is not taken.
  func isFull(for id: UInt32, of jid: String) -> Bool {
    let known = all(of: jid)
    return known.count >= Self.most && !known.contains { $0.id == id }
  }

  /// This device; nil: it has no keys yet.
  package var this: DeviceRecord? { all(of: own).last { !$0.log.isEmpty } }

  /// True if somebody ever had a device.
  func wereSeen(of jid: String) -> Bool { all(of: jid).contains { $0.isDevice && $0.log.isEmpty } }

  // MARK: - Changes

  private func append(_ device: DeviceRecord, _ change: DeviceRecord.Change?) {
    var device = device
    device.change = change
    storage.append(.device(device))
  }

  /// This device has another number from now on, and goes by that on the lists.
  func replaceThis(by id: UInt32, identity: [UInt8], log: [UInt8]) {
    if var before = this {
      before.log = []
      append(before, .gone)
    }
    var device = DeviceRecord(account: state.number, jid: own, id: id)
    (device.identity, device.log, device.trust) = (identity, log, .verified)
    append(device, nil)
  }

  /// A list of somebody says which devices there are.
  ///
  /// - Parameter listed: numbers, and labels.
  func listed(_ listed: [(id: UInt32, label: String?)], on list: DeviceRecord.Lists, of jid: String) {
    let known = all(of: jid)
    let ids = Set(listed.map(\.id))
    for var device in known where device.isDevice && device.lists.contains(list) && !ids.contains(device.id) {
      device.lists.remove(list)
      append(device, device.lists.isEmpty && device.log.isEmpty ? .gone : nil)
    }
    var room = Self.most - known.count
    for (id, label) in listed {
      let before = known.first { $0.id == id }
      if before == nil {
        guard room > 0 else { continue }
        room -= 1
      }
      var device = before ?? DeviceRecord(account: state.number, jid: jid, id: id)
      let isNew = device.lists.isEmpty && device.log.isEmpty
      device.lists.insert(list)
      device.label = label ?? device.label
      if device != before { append(device, isNew ? .new : nil) }
    }
  }

  /// The identity key of a device became known, from its bundle or from a key exchange that was right.
  func learn(_ identity: [UInt8], of id: UInt32, _ jid: String) {
    var device = device(id, of: jid) ?? DeviceRecord(account: state.number, jid: jid, id: id)
    guard !device.hasIdentity else { return }
    let decided = all(of: jid).first { !$0.isDevice && $0.identity == identity }
    device.trust = decided?.trust ?? trustOfNew(jid)
    (device.identity, device.isBroken) = (identity, false)
    append(device, device.trust == .none ? nil : .trust)
    if var decided {
      (decided.identity, decided.trust) = ([], .none)
      append(decided, nil)
    }
  }

  /// A bundle of a device came with another identity key than the device has: nothing is encrypted by that.
  func noteForeignKey(of device: DeviceRecord) {
    guard !device.isBroken else { return }
    var device = device
    device.isBroken = true
    append(device, .keyChanged)
  }

  /// A message of a device was decrypted, or its bundle was looked at.
  ///
  /// - Parameter wrote: a message was decrypted.
  func note(_ id: UInt32, of jid: String, isBroken: Bool, wrote: Bool = false) {
    guard var device = device(id, of: jid) else { return }
    let now = effects.now.wall.milliseconds
    let isSeen = wrote && now - device.lastSeen > Self.lastSeenGrain.milliseconds
    guard device.isBroken != isBroken || isSeen else { return }
    device.isBroken = isBroken
    if isSeen { device.lastSeen = now }
    append(device, nil)
  }

  // MARK: - Trust

  /// The trust in a device that appears now.
  private func trustOfNew(_ jid: String) -> DeviceTrust {
    let others = all(of: jid).filter { $0.log.isEmpty && $0.isDevice }
    switch trust {
    case .blind: return others.contains { $0.trust == .verified } ? .undecided : .none
    case .first: return others.contains { $0.trust == .trusted || $0.trust == .verified } ? .undecided : .none
    case .manual: return .none
    }
  }

  /// True if messages are encrypted to a device.
  package func isUsed(_ device: DeviceRecord) -> Bool {
    switch device.trust {
    case .trusted, .verified: true
    case .none: trust != .manual
    case .distrusted, .undecided: false
    }
  }

  /// The trust in a device, in one of the words of the line protocol.
  package func word(_ device: DeviceRecord) -> StaticString {
    device.trust == .none && trust == .manual ? DeviceTrust.undecided.word : device.trust.word
  }

  /// The first message was encrypted to these devices: under `first`, no later ones are used.
  func firstMessageWent(to used: [DeviceRecord]) {
    guard trust == .first else { return }
    for var device in used where device.trust == .none {
      device.trust = .trusted
      append(device, .trust)
    }
  }

  /// Decides about all devices with an identity key, and about those that come later.
  ///
  /// - Returns: the number of the last record.
  package func decide(_ trust: DeviceTrust, about identity: [UInt8], of jid: String) -> UInt64 {
    let known = all(of: jid).filter { $0.identity == identity }
    for var device in known where device.trust != trust && device.log.isEmpty {
      device.trust = trust
      append(device, .trust)
    }
    if known.isEmpty {
      let number = identity.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) } | DeviceRecord.firstUnseen
      var decision = DeviceRecord(account: state.number, jid: jid, id: number)
      (decision.identity, decision.trust) = (identity, trust)
      append(decision, nil)
    }
    return storage.queue.last
  }
}
