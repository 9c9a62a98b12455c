import Clocks
import Ratchet

/// Devices that come and go, lists and bundles that tell what is not so, and the users' other devices, which share the
/// lists of the account.
struct DeviceChanges {
  private let world: World
  private let keys: KeyService
  private let server: Server

  init?(_ world: World, _ server: Server) {
    guard let keys = server.keys else { return nil }
    (self.world, self.server, self.keys) = (world, server, keys)
  }

  private var climate: EncryptionClimate { keys.climate }

  func begin() {
    for owner in EncryptionClimate.people {
      for versions in climate.devices[owner] ?? [] { keys.addDevice(of: owner, versions) }
      tell(of: owner)
    }
    if climate.hasPhone, world.climate.hasDevice {
      for mailbox in server.mailboxes {
        keys.addDevice(of: mailbox.jid, world.secretDice.pick(EncryptionClimate.kinds))
        tell(of: mailbox.jid)
      }
    }
    act()
  }

  private func act() {
    world.after(world.secretDice.pause(climate.changes)) {
      guard !world.isCalm else { return }
      if !server.isDown { change() }
      act()
    }
  }

  /// Everybody's lists are as they should be.
  func tellAll() { for owner in keys.devices.keys.sorted() { tellAgain(of: owner) } }

  private func tellAgain(of owner: String) {
    for device in keys.active(of: owner) { for version in device.versions { keys.publishBundle(of: device, version) } }
    tell(of: owner)
  }

  /// Publishes the lists of somebody. Those of an account have what is on them, too: the client's device.
  private func tell(of owner: String) {
    for version in RatchetVersion.allCases {
      let own = keys.active(of: owner).filter { $0.versions.contains(version) }.map(\.id)
      let before = keys.list(of: owner, version)
      let others = isUser(owner) ? before.filter { !keys.isPhone($0, of: owner) } : []
      let ids = others + own.filter { !others.contains($0) }
      if ids != before || !own.isEmpty { keys.publishList(of: owner, version, ids) }
    }
  }

  private func isUser(_ owner: String) -> Bool { server.mailboxes.contains { $0.jid == owner } }

  private func change() {
    let owner = world.secretDice.pick(EncryptionClimate.people + server.mailboxes.map(\.jid))
    switch world.secretDice.below(100) {
    case 0..<25: come(owner)
    case 25..<45: go(owner)
    case 45..<75: if climate.lies { lie(owner) }
    case 75..<85: if climate.lies { spoilBundle(of: owner) }
    default: if climate.loses { lose(owner) }
    }
  }

  /// A device comes, or comes back.
  private func come(_ owner: String) {
    let mayHave = !isUser(owner) || climate.hasPhone && world.climate.hasDevice
    guard mayHave, keys.active(of: owner).count < 3 else { return }
    world.see(.deviceCame)
    let gone = (keys.devices[owner] ?? []).filter { keys.listed[owner]?.contains($0.id) != true }
    if let device = gone.first, gone.count > 2 || world.secretDice.percent(50) {
      keys.listed[owner, default: []].insert(device.id)
    } else {
      keys.addDevice(of: owner, world.secretDice.pick(EncryptionClimate.kinds))
    }
    tell(of: owner)
  }

  private func go(_ owner: String) {
    guard let device = keys.active(of: owner).first else { return }
    world.see(.deviceWent)
    keys.listed[owner]?.remove(device.id)
    tell(of: owner)
  }

  /// Publishes a list that is not so, and later the right one.
  private func lie(_ owner: String) {
    guard keys.devices[owner] != nil, let version = keys.active(of: owner).first?.versions.first else { return }
    world.see(.listLied)
    let (right, ghost) = (keys.list(of: owner, version), UInt32(7_000 + world.secretDice.below(3)))
    let ids: [UInt32] =
      switch world.secretDice.below(4) {
      case 0: []
      case 1: right + right
      case 2: right + [ghost]
      default: [ghost]
      }
    keys.publishList(of: owner, version, ids)
    world.after(world.secretDice.interval(500...90_000)) {
      guard !world.isCalm else { return }
      keys.publishList(of: owner, version, keys.list(of: owner, version).filter { $0 < 7_000 || $0 > 7_002 })
      tell(of: owner)
    }
  }

  /// A bundle has a wrong signature for a while.
  private func spoilBundle(of owner: String) {
    guard let device = keys.active(of: owner).last, let version = device.versions.first else { return }
    world.see(.bundleLied)
    keys.publishBundle(of: device, version, isWrong: true)
    world.after(world.secretDice.interval(500...90_000)) { keys.publishBundle(of: device, version) }
  }

  /// A device forgets its sessions with a user.
  private func lose(_ owner: String) {
    guard let device = keys.active(of: owner).first, let mailbox = server.mailboxes.first, owner != mailbox.jid else {
      return
    }
    world.see(.sessionsLost)
    device.loseSessions(with: mailbox.jid)
  }
}
