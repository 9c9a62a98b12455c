import Bytes
package import XML
package import XMPPCore

/// A message of a room itself that tells its occupants of a change (XEP-0045, section 10.2.1), or of the affiliation of
/// somebody who is not there (section 9.3). Its sender is the room: occupants forge such elements in their messages.
package struct RoomNotice: Sendable, Equatable {
  package let room: JID
  package let statuses: Set<UInt16>
  package let items: [RoomItem]

  private static let configuration: Set<UInt16> = [
    102, 103, RoomStatus.configurationChanged, RoomStatus.loggingOn, RoomStatus.loggingOff, RoomStatus.nowNonAnonymous,
    RoomStatus.nowSemiAnonymous, 174,
  ]

  /// True if the room's description is to be asked for again.
  package var isConfigurationChange: Bool { !statuses.isDisjoint(with: Self.configuration) }

  /// Nil: an occupant says it, or it says nothing.
  package init?(_ message: Element) {
    guard let room = MultiUserChat.room(saying: message), let user = message.onlyChild("x", MultiUserChat.user) else {
      return nil
    }
    self.room = room
    statuses = RoomPresence.statuses(in: user)
    items = user.children("item", MultiUserChat.user).prefix(RoomPresence.mostParts).map {
      RoomItem($0, in: MultiUserChat.user)
    }
    if statuses.isEmpty && items.isEmpty { return nil }
  }
}

/// The answer of somebody whom we invited through a room (section 7.8.2).
package struct DeclinedInvitation: Sendable, Equatable {
  package let room: JID
  /// As the room shows them.
  package let invitee: JID?
  package let reason: String?

  package init?(_ message: Element) {
    guard let room = MultiUserChat.room(saying: message),
      let decline = message.onlyChild("x", MultiUserChat.user)?.child("decline", MultiUserChat.user)
    else { return nil }
    self.room = room
    invitee = decline.jid("from")
    reason = decline.child("reason", MultiUserChat.user)?.boundedText
  }
}

/// A visitor's request to speak, as the room's moderators get it (section 8.6).
package struct VoiceRequest: Sendable, Equatable {
  private static let formType = "http://jabber.org/protocol/muc#request"
  private static let participant = DataForm.Change("muc#role", [Role.participant.rawValue])

  package let room: JID
  package let nick: String
  package let jid: JID?

  /// Reads a message of the room's; nil: it brings no such request.
  package init?(_ message: Element) {
    guard let room = MultiUserChat.room(saying: message), let form = try? DataForm(in: message), form.kind == .form,
      form.formType == Self.formType, form["muc#request_allow"] != nil,
      let nick = MultiUserChat.nick(form.value(of: "muc#roomnick"))
    else { return nil }
    (self.room, self.nick) = (room, nick)
    jid = form.value(of: "muc#jid").flatMap { try? JID($0) }
  }

  /// Grants or refuses the request of an occupant.
  ///
  /// - Parameter jid: the occupant's, as the request had it.
  package static func answer(
    _ isGranted: Bool, to nick: String, _ jid: String?, in room: JID, id: String
  ) -> [UInt8] {
    let jid = jid.map { [DataForm.Change("muc#jid", [$0])] } ?? []
    let values =
      jid + [
        DataForm.Change("muc#roomnick", [nick]), DataForm.Change("muc#request_allow", [isGranted ? "true" : "false"]),
      ]
    return MultiUserChat.message(to: room, id: id) {
      DataForm.writeSubmit(formType, [participant] + values, into: &$0)
    }
  }

  /// Asks a room for the right to speak (section 7.13).
  package static func ask(in room: JID, id: String) -> [UInt8] {
    MultiUserChat.message(to: room, id: id) { DataForm.writeSubmit(formType, [participant], into: &$0) }
  }
}

extension MultiUserChat {
  /// The room that says a message itself; nil: somebody else does, or the message is an error.
  static func room(saying message: Element) -> JID? {
    // Nearly all are of occupants, which is seen without a look at the address.
    guard message.lendAttribute(.from, { $0.contains(UInt8(ascii: "/")) }) == false,
      message.isNamed(.message, .client), !message.attribute(.type, equals: "error")
    else { return nil }
    return message.jid("from")
  }
}

extension MultiUserChat {
  /// The bare JID of who sent a message, as a room that shows addresses says it beside the message in its archive.
  package static func author(beside message: Element) -> JID? {
    message.onlyChild("x", user)?.child("item", user)?.jid("jid")?.bare
  }
}
