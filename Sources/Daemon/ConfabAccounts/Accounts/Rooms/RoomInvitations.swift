import Clocks
import Records
import State
import XML
import XMPPCore
import XMPPExtensions

extension Rooms {
  /// Invitations of strangers that wait at once, and of one of them; further ones are dropped.
  private static let (mostOfStrangers, mostOfOne) = (100, 5)

  /// Takes an invitation to a room (XEP-0249, or XEP-0045, section 7.8.2); false: the message is none. Nothing is joined
  /// by that, and what was a conversation with somebody stays one.
  func invite(_ message: Element, from sender: JID) -> Bool {
    guard let invitation = RoomInvitation(message, from: sender) else { return false }
    let isNew = known(invitation.room) == nil
    guard !isNew || state.conversations[invitation.room.description] == nil else { return true }
    if mayWait(invitation) { room(invitation.room)?.invited(invitation) }
    return true
  }

  private func mayWait(_ invitation: RoomInvitation) -> Bool {
    let inviter = invitation.inviter?.description
    if let bare = invitation.inviter?.bare.description, state.knows(bare) { return true }
    let waiting = all.compactMap(\.record.invitation)
    return waiting.count < Self.mostOfStrangers && waiting.count { $0.from == inviter } < Self.mostOfOne
  }
}

extension Room {
  /// Takes an invitation, unless I am in the room, or one of the same person waits.
  func invited(_ invitation: RoomInvitation) {
    guard !isWanted, record.invitation?.from != invitation.inviter?.description || record.invitation == nil else {
      return
    }
    var record = RoomRecord.Invitation()
    (record.from, record.reason) = (invitation.inviter?.description, invitation.reason)
    (record.password, record.isDirect) = (invitation.password, invitation.isDirect)
    record.time = time.milliseconds
    change { $0.invitation = record }
  }
}
