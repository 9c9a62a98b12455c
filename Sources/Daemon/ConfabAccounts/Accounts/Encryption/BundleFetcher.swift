import Clocks
import Ratchet
import Records
import XMPPCore
import XMPPExtensions

/// Fetches the bundles of devices (XEP-0384, section 5.3.2), and begins sessions by them.
final class BundleFetcher {
  /// Bundles that are asked for at once: each has some 10 KB.
  private static let mostAtOnce = 10

  private let own: JID
  private let nodes: PersonalNodes
  private let sessions: Sessions
  private let secrets: Secrets
  private let devices: KnownDevices
  private let effects: Effects
  /// Peers to be asked for, in their order.
  private var queue: ArraySlice<Sessions.Peer> = []
  private var underWay = 0
  /// How many of an owner are awaited, asked for or not.
  private var awaited: [String: Int] = [:]
  /// Changes where a stream begins: what was asked before is not answered for this one.
  private var round = 0
  /// Peers that did not give a bundle that can be used, on the present stream.
  private(set) var failed: Set<Sessions.Peer> = []
  /// Is called when all bundles of somebody that were asked for are here, or not to be had.
  var completed: (_ jid: String) -> Void = { _ in }

  init(
    of own: JID, _ nodes: PersonalNodes, _ sessions: Sessions, _ secrets: Secrets, _ devices: KnownDevices,
    _ effects: Effects
  ) {
    (self.own, self.nodes, self.sessions, self.secrets) = (own, nodes, sessions, secrets)
    (self.devices, self.effects) = (devices, effects)
  }

  /// A stream begins: nothing that was asked is answered.
  func reset() {
    (queue, underWay, awaited, failed) = ([], 0, [:], [])
    round += 1
  }

  /// Bundles of somebody's devices are asked for again.
  func forgetFailures(of jid: String) { failed = failed.filter { $0.jid != jid } }

  /// True while bundles of somebody are awaited.
  func isFetching(_ jid: String) -> Bool { awaited[jid] != nil }

  /// Fetches bundles of one owner's devices, at least one.
  func fetch(_ peers: [Sessions.Peer], of jid: String) {
    guard !isFetching(jid) else { return }
    awaited[jid] = peers.count
    queue += peers
    askNext()
  }

  private func askNext() {
    while underWay < Self.mostAtOnce, let peer = queue.popFirst() {
      underWay += 1
      ask(peer)
    }
  }

  private func ask(_ peer: Sessions.Peer) {
    let node = OMEMO.bundleNode(peer.version, of: peer.id)
    let isLegacy = peer.version == .legacy
    let owner = try? JID(peer.jid)
    // A bundle of the legacy version is the only item of its node, under whatever id.
    nodes.requestItems(
      of: node, at: owner == own ? nil : owner, itemID: isLegacy ? nil : OMEMO.bundleItem(peer.version, of: peer.id),
      mostRecent: isLegacy ? 1 : nil
    ) { [self, round] in
      guard round == self.round else { return }
      answered($0, peer, node)
      underWay -= 1
      askNext()
      let left = (awaited[peer.jid] ?? 1) - 1
      awaited[peer.jid] = left > 0 ? left : nil
      if left == 0 { completed(peer.jid) }
    }
  }

  private func answered(_ answer: IQAnswer, _ peer: Sessions.Peer, _ node: String) {
    switch answer {
    case .result(let iq):
      let item = PubSub.items(in: iq, of: node)?.last?.payload
      let isUsable = item.flatMap { DeviceBundle($0) }.map { begin(peer, $0) } ?? false
      note(peer, isUsable: isUsable)
    case .error(let iq):
      if StanzaError(parsing: iq).isOfOwner { note(peer, isUsable: false) } else { failed.insert(peer) }
    case .missing: failed.insert(peer)
    }
  }

  private func note(_ peer: Sessions.Peer, isUsable: Bool) {
    if !isUsable { failed.insert(peer) }
    devices.note(peer.id, of: peer.jid, isBroken: !isUsable)
  }

  /// Begins a session. A bundle with another identity than the device had is none of that device.
  private func begin(_ peer: Sessions.Peer, _ bundle: DeviceBundle) -> Bool {
    let choice = Int(effects.random.number(below: UInt64(bundle.preKeys.count)))
    guard bundle.version == peer.version, let keys = bundle.peerBundle(preKey: choice) else { return false }
    if let known = devices.device(peer.id, of: peer.jid), known.hasIdentity,
      known.identity != bundle.identity.curve.bytes
    {
      devices.noteForeignKey(of: known)
      return false
    }
    do throws(RatchetError) {
      try sessions.begin(peer, keys)
    } catch {
      secrets.rollBack()
      sessions.forgetOpen()
      return false
    }
    devices.learn(bundle.identity.curve.bytes, of: peer.id, peer.jid)
    secrets.store()
    return true
  }
}
