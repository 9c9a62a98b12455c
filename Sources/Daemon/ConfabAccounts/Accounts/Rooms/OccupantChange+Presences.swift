import XMPPCore
import XMPPExtensions

extension OccupantChange {
  /// - Parameter was: the nick before, if it is another now.
  init(_ change: Occupants.Change, _ departure: RoomPresence.Departure?, was nick: String?) {
    switch change {
    case .joined(let member): self.init(kind: .joined, member: member)
    case .left(let member):
      self.init(kind: Self.kind(of: departure), member: member)
      (by, reason) = departure?.cause ?? (nil, nil)
    case .changed(let member, _) where nick != nil: self.init(kind: .nick, member: member, was: nick)
    case .changed(let member, let before) where member.affiliation != before.affiliation:
      self.init(kind: .affiliation, member: member, was: before.affiliation?.rawValue)
    case .changed(let member, let before) where member.role != before.role:
      self.init(kind: .role, member: member, was: before.role?.rawValue)
    case .changed(let member, _): self.init(kind: .status, member: member)
    }
  }

  private static func kind(of departure: RoomPresence.Departure?) -> Kind {
    switch departure {
    case .banned: .banned
    case .kicked, .affiliationLost, .membersOnly: .kicked
    default: .left
    }
  }
}

extension RoomPresence.Departure {
  fileprivate var cause: (by: String?, reason: String?) {
    switch self {
    case .banned(let actor, let reason), .kicked(let actor, let reason), .affiliationLost(let actor, let reason),
      .membersOnly(let actor, let reason):
      (actor?.nick ?? actor?.jid?.description, reason)
    case .left(let text), .disconnected(let text), .shutdown(let text): (nil, text)
    case .nickChange, .destroyed: (nil, nil)
    }
  }
}
