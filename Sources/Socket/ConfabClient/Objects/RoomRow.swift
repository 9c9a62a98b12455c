package import JSON

/// A room, as a `room` object of the daemon describes it.
package struct RoomRow: Equatable, Sendable {
  package enum State: String, Sendable { case joined, joining, waiting, left, refused, invited }

  package let key: ConversationKey
  package var name: String
  package var state: State
  /// Why it is not joined, in words, or the text of the invitation; empty if there is none.
  package var reason: String
  /// The inviter; empty if that is not known.
  package var inviter: String
  /// Where the room is now; empty if it did not move.
  package var movedTo: String
  /// Mine in it.
  package var nick: String
  package var topic: String
  /// The nick of who set the topic; empty if that is not known.
  package var topicAuthor: String
  package var description: String
  /// How many are there, while I am.
  package var count: Int?
  /// Mine, while I am there.
  package var role: OccupantRow.Role
  package var affiliation: OccupantRow.Affiliation
  package var isForMembers: Bool
  package var isModerated: Bool
  /// The nicks of those who ask for the right to speak.
  package var requests: [String]

  /// `refused: registration-required: the room takes members only`, and behind it the address of a room that moved.
  package var stateWords: String {
    state.rawValue + (reason.isEmpty ? "" : ": \(reason)") + (movedTo.isEmpty ? "" : "; now at \(movedTo)")
  }

  /// The condition of the refusal (RFC 6120 §8.3.3) in front of the words; empty if there is none.
  package var condition: Substring { reason.contains(": ") ? reason.prefix { $0 != ":" } : "" }

  /// Nil without a JID.
  package init?(_ object: JSONValue) {
    guard let jid = object["jid"]?.string else { return nil }
    key = ConversationKey(account: object["account"]?.string ?? "", jid: jid)
    name = object["name"]?.personName ?? ""
    state = object["state"]?.string.flatMap(State.init(rawValue:)) ?? .left
    reason = object["reason"]?.string ?? ""
    inviter = object["invited_by"]?.string ?? ""
    movedTo = object["moved_to"]?.string ?? ""
    nick = object["nick"]?.string ?? ""
    topic = object["topic"]?.string ?? ""
    topicAuthor = object["topic_by"]?.string ?? ""
    description = object["description"]?.string ?? ""
    role = object["role"]?.string.flatMap(OccupantRow.Role.init(rawValue:)) ?? .none
    affiliation = object["affiliation"]?.string.flatMap(OccupantRow.Affiliation.init(rawValue:)) ?? .none
    isForMembers = object["members_only"]?.bool ?? false
    isModerated = object["moderated"]?.bool ?? false
    requests = (object["requests"]?.array ?? []).compactMap { $0["nick"]?.string }
    count = object["members"]?.integer.map { Int(clamping: $0) }
  }
}
