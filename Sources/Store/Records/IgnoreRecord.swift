/// An occupant of a room whose messages are no news from now on, or are news again.
package struct IgnoreRecord: Sendable, Equatable {
  package var account: UInt32
  /// The room's bare JID.
  package var room: String
  package var nick: String
  /// The occupant's bare JID, if the room showed it and gave no id.
  package var jid: String?
  /// The id that the room vouches for (XEP-0421).
  package var occupantID: String?
  package var isIgnored = true

  package init(account: UInt32, room: String, nick: String) {
    (self.account, self.room, self.nick) = (account, room, nick)
  }

  /// True if it is about an occupant: by the id, else by the JID, else by the nick.
  package func isAbout(nick: String, jid: String?, occupantID: String?) -> Bool {
    if let id = self.occupantID { return id == occupantID }
    if let own = self.jid { return own == jid }
    return self.nick == nick
  }

  /// True if both are about the same occupant.
  package func isAboutSame(as other: IgnoreRecord) -> Bool {
    (occupantID, jid) == (other.occupantID, other.jid) && (occupantID != nil || jid != nil || nick == other.nick)
  }
}

extension IgnoreRecord: FieldGroup {
  init() {
    self.init(account: 0, room: "", nick: "")
    isIgnored = false
  }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "account", &account)
    try fields.one(2, "room", &room)
    try fields.one(3, "nick", &nick, "the occupant's, when it was ignored")
    try fields.one(4, "jid", &jid, "by which it is known, if the room gave no id")
    try fields.one(5, "occupant", &occupantID, "the id by which it is known (XEP-0421)")
    try fields.flag(6, "ignored", &isIgnored, "1: its messages are no news")
  }
}
