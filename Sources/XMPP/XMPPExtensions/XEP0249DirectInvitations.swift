package import XML
package import XMPPCore

/// An invitation to a room: direct (XEP-0249), or through the room (XEP-0045, section 7.8.2).
package struct RoomInvitation: Sendable, Equatable {
  private static let namespace: StaticString = "jabber:x:conference"
  static let names = [
    MessagePayload.Name("x", namespace), MessagePayload.Name("x", "http://jabber.org/protocol/muc#user"),
  ]

  package var room: JID
  /// The sender of a direct one; else whom the room names: an occupant, or the address of somebody. Nil: nobody.
  package private(set) var inviter: JID?
  package private(set) var isDirect: Bool
  package var password: String?
  package var reason: String?
  /// True if the room goes on with a conversation, in this thread.
  package var isContinuation: Bool
  package var thread: String?

  /// An invitation of ours, or one that somebody sent through the room.
  package init(
    to room: JID, by inviter: JID? = nil, password: String? = nil, reason: String? = nil, isContinuation: Bool = false,
    thread: String? = nil
  ) {
    (self.room, self.password, self.reason) = (room.bare, password, reason)
    (self.isContinuation, self.thread) = (isContinuation, thread)
    (self.inviter, isDirect) = (inviter, inviter == nil)
  }

  /// Reads a message; nil: it brings none. Occupants of a room can forge one through it: it counts only from the room
  /// itself, and none counts that everybody there is sent.
  package init?(_ message: Element, from sender: JID) {
    guard !message.attribute(.type, equals: "groupchat"), !message.attribute(.type, equals: "error") else { return nil }
    if let mediated = Self.mediated(message, by: sender) ?? Self.direct(message, by: sender) {
      self = mediated
    } else {
      return nil
    }
  }

  private static func mediated(_ message: Element, by room: JID) -> RoomInvitation? {
    guard room.isBare, let user = message.onlyChild("x", MultiUserChat.user),
      // One that somebody sends through the room names whom it is for.
      let invite = user.child("invite", MultiUserChat.user), invite.attribute("from") != nil
    else { return nil }
    var invitation = RoomInvitation(
      to: room, password: user.child("password", MultiUserChat.user)?.text,
      reason: invite.child("reason", MultiUserChat.user)?.boundedText)
    (invitation.isDirect, invitation.inviter) = (false, invite.jid("from"))
    if let continued = invite.child("continue", MultiUserChat.user) {
      (invitation.isContinuation, invitation.thread) = (true, continued.attribute("thread").flatMap(Element.bounded))
    }
    return invitation
  }

  private static func direct(_ message: Element, by sender: JID) -> RoomInvitation? {
    guard let x = message.child("x", namespace), let room = x.jid("jid") else { return nil }
    var invitation = RoomInvitation(
      to: room, password: x.attribute("password"), reason: x.attribute("reason").flatMap(Element.bounded),
      isContinuation: XMLBoolean.read(x.attribute("continue")) ?? false,
      thread: x.attribute("thread").flatMap(Element.bounded))
    invitation.inviter = sender
    return invitation
  }
}

// MARK: - Sending

extension RoomInvitation {
  /// The invitation as a message to a person.
  package func direct(to person: JID, id: String) -> [UInt8] {
    MultiUserChat.message(to: person, id: id) { writer in
      writer.empty(
        "x", xmlns: Self.namespace,
        attributes: [
          "jid": room.description, "password": password, "reason": reason,
          "continue": isContinuation ? "true" : nil, "thread": thread,
        ])
    }
  }

  /// The invitation as a message to the room, which adds its password, and may make the person a member.
  package func mediated(for person: JID, id: String) -> [UInt8] {
    MultiUserChat.message(to: room, id: id) { writer in
      writer.open("x", xmlns: MultiUserChat.user)
      writer.open("invite", attributes: ["to": person.description])
      if let reason { writer.element("reason", text: reason) }
      if isContinuation { writer.empty("continue", attributes: ["thread": thread]) }
      writer.close()
      writer.close()
    }
  }

  /// Declines through the room; nil where that is not possible: a direct one is ignored.
  package func decline(reason: String? = nil, id: String) -> [UInt8]? {
    guard !isDirect, let inviter else { return nil }
    return MultiUserChat.message(to: room, id: id) { writer in
      writer.open("x", xmlns: MultiUserChat.user)
      writer.open("decline", attributes: ["to": inviter.description])
      if let reason { writer.element("reason", text: reason) }
      writer.close()
      writer.close()
    }
  }
}

// MARK: - In words

extension RoomInvitation {
  /// The text of an invitation: the body, unless there is none, and behind it who invites to which room, and why, unless
  /// the body names the room. The password is not shown. Nil: it is no invitation.
  package static func text(of message: Element, body: String, from sender: JID) -> String? {
    guard let invitation = RoomInvitation(message, from: sender) else { return nil }
    if body.contains(invitation.room.description) { return body }
    return body.isEmpty ? invitation.sentence : "\(body)\n\(invitation.sentence)"
  }

  private var sentence: String {
    let isOccupant = inviter?.hasSameBare(as: room) ?? false
    let name = isOccupant ? inviter?.resource : inviter?.bare.description
    return "\(name ?? room.description) invites to the room \(room)\(reason.map { ": \($0)" } ?? ".")"
  }
}
