package import XMPPCore
package import XMPPExtensions

/// News of another occupant of a room, for watchers.
package struct OccupantChange: Hashable, Sendable {
  /// The words of the line protocol.
  package enum Kind: String, Sendable {
    case joined, left, nick, role, affiliation, status, kicked, banned
  }

  package let kind: Kind
  package let member: RoomOccupant
  /// The nick, role or affiliation before.
  package var was: String?
  /// The person who took the member out.
  package var by: String?
  package var reason: String?
}

/// An occupant of a room (XEP-0045), as the room shows it. There may be a hundred thousand in one: 88 bytes each, beside the
/// texts.
package struct RoomOccupant: Hashable, Sendable {
  package var nick: String
  /// Its bare JID, where the room shows it.
  package var jid: String?
  package var affiliation: Affiliation?
  package var role: Role?
  package var show: Presence.Show?
  /// True if the room drops forged ids.
  package var isVouchedFor = false
  package var status: String?
  /// The id in its presence (XEP-0421), which it may have forged unless `isVouchedFor`.
  package var claimedID: String?
  /// The titles that the room gives it (XEP-0317).
  package var hats: [String] = []
  /// See `Occupant.presence`.
  package var presence: UInt64

  /// The id that the room vouches for.
  package var occupantID: String? { isVouchedFor ? claimedID : nil }
}
