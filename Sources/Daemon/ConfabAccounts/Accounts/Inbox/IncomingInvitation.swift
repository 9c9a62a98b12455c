import Clocks
import XML
import XMPPCore
import XMPPExtensions

/// An invitation to a room, as a message brings it.
struct IncomingInvitation {
  let invitation: RoomInvitation
  /// When it was sent, if it waited for us or is a copy; nil: just now.
  private(set) var time: Timestamp?
  /// Its id in the account's archive, by the word of the message itself or of the archive.
  private(set) var archiveID: String?

  /// Reads a message for the account; nil: it brings none, or it is one of mine.
  init?(_ element: Element, _ parts: MessageParts, from sender: JID, to recipient: IncomingMessage.Recipient) {
    guard recipient.room == nil, parts.has(.invitation), !sender.hasSameBare(as: recipient.own),
      let invitation = RoomInvitation(element, from: sender)
    else { return nil }
    self.invitation = invitation
    if parts.has(.delay) { time = DelayStamp(of: element, own: recipient.own).time }
    archiveID = parts.archiveID(of: element, to: recipient)
  }

  /// The invitation as a copy of it says when it was received.
  func copied(at stamp: Timestamp?) -> Self {
    var copied = self
    copied.time = stamp ?? time
    return copied
  }

  /// The invitation as a copy out of the account's archive.
  func archived(as id: String) -> Self {
    var archived = self
    archived.archiveID = id
    return archived
  }
}
