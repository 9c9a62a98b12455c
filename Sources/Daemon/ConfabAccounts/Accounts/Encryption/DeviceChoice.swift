import Ratchet
import Records

/// The devices that a message is encrypted to.
struct DeviceChoice {
  private(set) var theirs: [DeviceRecord]
  private(set) var mine: [DeviceRecord]
  /// The recipients' devices that are left out, and the people in a room of whom all are: `JID/ID`, or a JID.
  private(set) var skipped: [String]

  init(_ theirs: [DeviceRecord] = [], own mine: [DeviceRecord], unused: [DeviceRecord] = []) {
    (self.theirs, self.mine, skipped) = (theirs, mine, unused.map(\.address))
  }

  /// Adds devices of somebody in a room.
  ///
  /// - Parameter active: all that he has.
  mutating func add(_ used: [DeviceRecord], of active: [DeviceRecord]) {
    theirs += used
    skipped += active.filter { !used.contains($0) }.map(\.address)
  }

  /// With one device of each number in the legacy version, which does not say whose a key is: the one that wrote last,
  /// before those that only a list has.
  ///
  /// - Parameter own: the number of this device.
  func withoutRepeatedNumbers(besides own: UInt32?) -> DeviceChoice {
    let kept = Dictionary((theirs + mine).map { ($0.id, $0) }) { $0.lastSeen >= $1.lastSeen ? $0 : $1 }
    let isKept = { (device: DeviceRecord) in
      device.peer.version != .legacy || device.id != own && kept[device.id]?.jid == device.jid
    }
    var choice = self
    (choice.theirs, choice.mine) = (theirs.filter(isKept), mine.filter(isKept))
    choice.skipped += theirs.filter { !isKept($0) }.map(\.address)
    return choice
  }

  /// Leaves somebody in a room out, who has no device that can be used.
  mutating func leaveOut(_ person: String) { skipped.append(person) }

  var peers: [Sessions.Peer] { (theirs + mine).map(\.peer) }

  /// Without those of which a condition does not hold.
  func filtered(_ hasSession: (Sessions.Peer) -> Bool) -> DeviceChoice {
    var choice = self
    choice.theirs = theirs.filter { hasSession($0.peer) }
    choice.mine = mine.filter { hasSession($0.peer) }
    choice.skipped = skipped + theirs.filter { !hasSession($0.peer) }.map(\.address)
    return choice
  }

  /// The versions that are needed: a device on the legacy list gets that one, which all clients but few read.
  var versions: [RatchetVersion] {
    RatchetVersion.allCases.filter { version in (theirs + mine).contains { $0.peer.version == version } }
  }

  func peers(_ version: RatchetVersion) -> [Sessions.Peer] { peers.filter { $0.version == version } }
}

extension DeviceRecord {
  fileprivate var address: String { "\(jid)/\(id)" }

  /// The device in the version in which it is written to: a client on both lists may read only the legacy one
  /// (docs/decisions/0195-one-version-a-device.md).
  var peer: Sessions.Peer {
    Sessions.Peer(jid: jid, id: id, version: lists.contains(.legacy) || !lists.contains(.omemo2) ? .legacy : .omemo2)
  }
}
