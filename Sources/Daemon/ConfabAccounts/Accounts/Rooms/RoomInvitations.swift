import Clocks
import Records
import XML
import XMPPCore
import XMPPExtensions

extension Rooms {
  /// Invitations that wait at once; further ones are dropped, as strangers can send any number.
  private static let mostInvitations = 100

  /// Takes an invitation to a room (XEP-0249, or XEP-0045, section 7.8.2); false: the message is none. Nothing is joined
  /// by that.
  func invite(_ message: Element, from sender: JID) -> Bool {
    guard let invitation = RoomInvitation(message, from: sender) else { return false }
    let waiting = all.count { $0.record.invitation != nil }
    if waiting < Self.mostInvitations { self.room(invitation.room)?.invited(invitation) }
    return true
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
