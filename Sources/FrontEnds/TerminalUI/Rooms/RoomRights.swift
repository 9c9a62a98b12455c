import ConfabClient

/// My rights over somebody in a room (XEP-0045 §5).
///
/// The role of an admin or owner is nobody's to change. A moderator kicks all others, an admin also bans them, and an owner
/// kicks and bans everybody.
struct RoomRights {
  let room: RoomRow
  let member: RoomMemberRow

  private var isMe: Bool { member.nick == room.nick }
  private var isStronger: Bool { room.affiliation < member.affiliation || room.affiliation == .owner }

  var mayKick: Bool { !isMe && room.role == .moderator && (member.affiliation > .admin || isStronger) }
  var mayBan: Bool { !isMe && room.affiliation <= .admin && isStronger && member.jid != nil }
  /// Voice is the right to speak in a moderated room.
  var mayChangeVoice: Bool { !isMe && room.role == .moderator && member.affiliation > .admin }
  var mayMakeModerator: Bool { !isMe && room.affiliation <= .admin && member.affiliation > .admin }
  var mayMakeMember: Bool { mayMakeModerator && member.jid != nil }
}
