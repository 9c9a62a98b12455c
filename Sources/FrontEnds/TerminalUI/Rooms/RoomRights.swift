import ConfabClient

/// My rights over somebody in a room (XEP-0045 §5).
///
/// The role of an admin or owner is nobody's to change. A moderator kicks all others, an admin also bans them, and an owner
/// kicks and bans everybody.
struct RoomRights {
  let room: RoomRow
  let occupant: OccupantRow

  private var isMe: Bool { occupant.nick == room.nick }
  private var isStronger: Bool { room.affiliation < occupant.affiliation || room.affiliation == .owner }

  var mayKick: Bool { !isMe && room.role == .moderator && (occupant.affiliation > .admin || isStronger) }
  var mayBan: Bool { !isMe && room.affiliation <= .admin && isStronger && occupant.jid != nil }
  /// Voice is the right to speak in a moderated room.
  var mayChangeVoice: Bool { !isMe && room.role == .moderator && occupant.affiliation > .admin }
  var mayMakeModerator: Bool { !isMe && room.affiliation <= .admin && occupant.affiliation > .admin }
  var mayMakeMember: Bool { mayMakeModerator && occupant.jid != nil }
}
