package import XML
package import XMPPCore

/// XEP-0249, and invitations that a room sends for somebody (XEP-0045, section 7.8.2): rooms are not joined, so an
/// invitation is a line of text. Its password is not shown.
package enum RoomInvitation {
  static let names = [
    MessagePayload.Name("x", "jabber:x:conference"), MessagePayload.Name("x", "http://jabber.org/protocol/muc#user"),
  ]

  /// The text of an invitation: the body, unless there is none, and behind it who invites to which room, and why, unless
  /// the body names the room. Nil: it is no invitation.
  package static func text(of message: Element, body: String, from sender: JID) -> String? {
    guard let words = mediated(message, by: sender) ?? direct(message, by: sender) else { return nil }
    if body.contains(words.room) { return body }
    return body.isEmpty ? words.text : "\(body)\n\(words.text)"
  }

  private static func mediated(_ message: Element, by room: JID) -> (room: String, text: String)? {
    guard let invitation = message.children("x", "http://jabber.org/protocol/muc#user").firstChild("invite") else {
      return nil
    }
    // One that somebody sends through the room names whom it is for.
    guard let inviter = invitation.attribute("from") else { return nil }
    let reason = invitation.child("reason", "http://jabber.org/protocol/muc#user")?.text
    return words(room.bare.description, by: (try? JID(inviter))?.bare.description ?? room.bare.description, reason)
  }

  private static func direct(_ message: Element, by sender: JID) -> (room: String, text: String)? {
    guard let invitation = message.child("x", "jabber:x:conference"),
      let room = invitation.attribute("jid").flatMap({ try? JID($0) })
    else { return nil }
    return words(room.bare.description, by: sender.bare.description, invitation.attribute("reason"))
  }

  private static func words(_ room: String, by inviter: String, _ reason: String?) -> (room: String, text: String) {
    let reason = reason.flatMap { $0.isEmpty ? nil : ": \($0)" } ?? "."
    return (room, "\(inviter) invites to the room \(room)\(reason)")
  }
}

extension [Element] {
  fileprivate func firstChild(_ local: StaticString) -> Element? {
    lazy.compactMap { $0.child(local, "http://jabber.org/protocol/muc#user") }.first
  }
}
