import Clocks
import Records
import State
import XMPPCore
import XMPPExtensions

extension Rooms {
  /// Invitations of strangers that wait at once, and of one of them; further ones are dropped.
  private static let (mostOfStrangers, mostOfOne) = (100, 5)

  /// Takes an invitation to a room (XEP-0249, or XEP-0045, section 7.8.2). Nothing is joined by that, and what was a
  /// conversation with somebody stays one.
  func invite(_ incoming: IncomingInvitation) {
    let invitation = incoming.invitation
    let isNew = known(invitation.room) == nil
    guard !isNew || state.conversations[invitation.room.description] == nil else { return }
    if mayWait(invitation) { room(invitation.room)?.invited(incoming) }
  }

  private func mayWait(_ invitation: RoomInvitation) -> Bool {
    let inviter = invitation.inviter?.description
    if let bare = invitation.inviter?.bare.description, state.knows(bare) { return true }
    let waiting = all.compactMap(\.record.invitation)
    return waiting.count < Self.mostOfStrangers && waiting.count { $0.from == inviter } < Self.mostOfOne
  }
}

extension Room {
  /// Takes an invitation, unless I am in the room, or it has come before, or one of the same person waits.
  func invited(_ incoming: IncomingInvitation) {
    let invitation = incoming.invitation
    guard !isWanted, !isKnown(incoming),
      record.invitation?.from != invitation.inviter?.description || record.invitation == nil
    else { return }
    var record = RoomRecord.Invitation()
    (record.from, record.reason) = (invitation.inviter?.description, invitation.reason)
    (record.password, record.isDirect) = (invitation.password, invitation.isDirect)
    record.time = min(incoming.time ?? time, time).milliseconds
    change { ($0.invitation, $0.invitationID) = (record, incoming.archiveID) }
  }

  /// True if an invitation that waited for us, or is a copy, has come before, or I have answered one since.
  private func isKnown(_ incoming: IncomingInvitation) -> Bool {
    if let id = incoming.archiveID, id == record.invitationID { return true }
    guard let time = incoming.time?.milliseconds else { return false }
    return time <= max(record.answeredUntil ?? .min, record.invitation?.time ?? .min)
  }
}
