import Clocks
import Ratchet
import Records

/// Begins sessions anew with devices whose messages cannot be read: after the archive is read, once a device and day, and
/// only with devices that are trusted. An empty message tells the device of it.
///
/// XEP-0384 leaves that to the user; clients that people have do it by themselves (docs/decisions/0193-devices.md).
final class SessionHealer {
  private static let pause = Interval.days(1)
  /// Devices that wait at once.
  private static let most = 100

  private let devices: KnownDevices
  private let sessions: Sessions
  private let bundles: BundleFetcher
  private let effects: Effects
  private var broken: Set<Sessions.Peer> = []
  private var underWay: Set<Sessions.Peer> = []
  private var healed: [Sessions.Peer: Instant] = [:]

  init(_ devices: KnownDevices, _ sessions: Sessions, _ bundles: BundleFetcher, _ effects: Effects) {
    (self.devices, self.sessions, self.bundles, self.effects) = (devices, sessions, bundles, effects)
  }

  /// A message of a device could not be read.
  func failed(_ peer: Sessions.Peer) {
    let isLate = healed[peer].map { effects.now.instant - $0 >= Self.pause } ?? true
    guard isLate, broken.count < Self.most, let device = devices.device(peer.id, of: peer.jid), device.log.isEmpty,
      !device.lists.isEmpty, devices.isUsed(device)
    else { return }
    broken.insert(peer)
  }

  /// Asks for the keys of devices that are broken. The old session stays until there is a new one.
  func heal() {
    for (jid, peers) in Dictionary(grouping: broken, by: \.jid) where !bundles.isFetching(jid) {
      broken.subtract(peers)
      underWay.formUnion(peers)
      for peer in peers { healed[peer] = effects.now.instant }
      bundles.fetch(peers.sorted { $0.id < $1.id }, of: jid)
    }
  }

  /// Begins sessions anew that the user has given up, with devices that are trusted.
  func renew(_ peers: [Sessions.Peer], of jid: String) {
    let used = peers.filter { devices.device($0.id, of: jid).map(devices.isUsed) ?? false }
    guard !used.isEmpty, !bundles.isFetching(jid) else { return }
    underWay.formUnion(used)
    bundles.fetch(used, of: jid)
  }

  /// The bundles of somebody are here: the devices with which a session has begun anew.
  func begun(of jid: String) -> [Sessions.Peer] {
    let peers = underWay.filter { $0.jid == jid }
    underWay.subtract(peers)
    return peers.filter { !bundles.failed.contains($0) && sessions.has($0) }.sorted { $0.id < $1.id }
  }
}
