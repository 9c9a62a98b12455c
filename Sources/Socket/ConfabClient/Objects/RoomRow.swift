package import JSON

/// A room, as a `room` object of the daemon describes it.
package struct RoomRow: Equatable, Sendable {
  package enum State: String, Sendable { case joined, joining, waiting, left, refused, invited }

  package let key: ConversationKey
  package var name: String
  package var state: State
  /// Why it is not joined, in words; empty if nothing is said.
  package var reason: String
  /// Mine in it.
  package var nick: String
  package var topic: String
  /// How many are there, while I am.
  package var count: Int?

  /// Nil without a JID.
  package init?(_ object: JSONValue) {
    guard let jid = object["jid"]?.string else { return nil }
    key = ConversationKey(account: object["account"]?.string ?? "", jid: jid)
    name = object["name"]?.personName ?? ""
    state = object["state"]?.string.flatMap(State.init(rawValue:)) ?? .left
    reason = object["reason"]?.string ?? ""
    nick = object["nick"]?.string ?? ""
    topic = object["topic"]?.string ?? ""
    count = object["members"]?.integer.map { Int(clamping: $0) }
  }
}

/// Somebody in a room.
package struct RoomMemberRow: Equatable, Sendable {
  package let nick: String
  /// Bare; nil if the room does not show it.
  package let jid: String?

  /// Nil for somebody who is in a list of the room and not there.
  package init?(_ object: JSONValue) {
    guard let nick = object["nick"]?.string else { return nil }
    self.nick = nick
    jid = object["jid"]?.string.map { String($0.prefix { $0 != "/" }) }
  }
}
