package import Records
import XMPPCore
package import XMPPExtensions

// Errors of rooms, as refusals: final, or tried again.

extension RoomRecord.Refusal {
  /// An error of the room's, to a join or to disco#info.
  init(_ error: StanzaError, movedTo: JID?) {
    self.init(error.condition, text: error.text ?? Self.words[error.condition], movedTo: movedTo?.description)
  }

  private static let words = [
    "not-authorized": "the room wants a password", "forbidden": "you are banned from the room",
    "registration-required": "the room takes members only", "conflict": "somebody else has the nick",
    "not-acceptable": "the room requires your registered nick", "gone": "the room is not there any more",
    "item-not-found": "there is no such room", "jid-malformed": "the room does not take the nick",
    "remote-server-not-found": "there is no such service", "resource-constraint": "the room is full",
  ]

  /// The end of my presence in a room.
  init(_ departure: RoomPresence.Departure) {
    switch departure {
    case .destroyed(let end):
      self.init(
        "destroyed", text: end.reason ?? "the room was destroyed", movedTo: end.movedTo?.description)
    case .banned(let actor, let reason): self.init("banned", by: actor, reason)
    case .affiliationLost(let actor, let reason): self.init("affiliation", by: actor, reason)
    case .membersOnly(let actor, let reason): self.init("members-only", by: actor, reason)
    case .kicked(let actor, let reason): self.init("kicked", by: actor, reason)
    case .shutdown(let text): self.init("shutdown", text: text ?? "the room's service shuts down")
    case .disconnected(let text), .left(let text): self.init("disconnected", text: text ?? "the room took me out")
    case .nickChange: self.init("nick")
    }
  }

  private init(_ condition: String, by actor: RoomItem.Actor?, _ reason: String?) {
    let who = actor?.nick ?? actor?.jid?.description
    let text = [who.map { "by \($0)" }, reason].compactMap(\.self).joined(separator: ": ")
    self.init(condition, text: text.isEmpty ? nil : text)
  }
}

extension StanzaError {
  /// True if a room that refuses so is tried again by itself. A room that is not found may be locked until its owner has
  /// configured it.
  var isPassing: Bool {
    switch condition {
    case "service-unavailable", "resource-constraint", "remote-server-timeout", "remote-server-not-found",
      "item-not-found", "internal-server-error", "recipient-unavailable":
      true
    default: false
    }
  }
}

extension RoomRecord.Info {
  package init(_ info: RoomInfo, at time: Int64) {
    self.init()
    (name, description, language, self.time) = (info.name, info.description, info.language, time)
    (privateMessages, avatarHash) = (info.privateMessages?.rawValue, info.avatarHash)
    set(.membersOnly, info.isMembersOnly == true)
    set(.moderated, info.isModerated == true)
    set(.nonAnonymous, info.isNonAnonymous == true)
    set(.persistent, info.isPersistent == true)
    set(.isPublic, info.isPublic == true)
    set(.passwordProtected, info.isPasswordProtected == true)
    set(.stanzaIDs, info.features.contains(.stanzaIDs))
    set(.archive, info.features.contains(.archive))
    set(.occupantIDs, info.features.contains(.occupantIDs))
    set(.moderation, info.features.contains(.moderationOne))
    set(.moderationOfBefore, info.features.contains(.moderationZero))
    set(.registration, info.features.contains(.registration))
    set(.voiceRequests, info.features.contains(.voiceRequests))
    set(.gateway, info.gateway != nil)
    set(.hats, info.features.contains(.hats))
  }
}
