/// How far somebody in a small room has displayed what was said there (XEP-0333). Replaces the one before of the same
/// person.
package struct RoomReaderRecord: Sendable, Equatable {
  package var account: UInt32
  /// The room's bare JID.
  package var room: String
  /// It is my marker: up to there the room was told that I have read.
  package var isMine = false
  /// The nick under which the marker came.
  package var nick: String
  /// The holder of the nick: by the room's id (XEP-0421), else by the JID that it shows, else by one unbroken presence.
  package var occupantID: String?
  package var jid: String?
  package var presence: UInt64 = 0
  /// The displayed message, and its time in milliseconds since 1970.
  package var message: UInt64
  package var time: Int64

  package init(account: UInt32, room: String, nick: String, message: UInt64, time: Int64) {
    (self.account, self.room, self.nick, self.message, self.time) = (account, room, nick, message, time)
  }

  /// True if both are of one person, as far as the room tells.
  package func isOfSame(as other: RoomReaderRecord) -> Bool {
    if isMine || other.isMine { return isMine == other.isMine }
    if occupantID != nil || other.occupantID != nil { return occupantID == other.occupantID }
    if jid != nil || other.jid != nil { return jid == other.jid }
    return presence == other.presence && nick == other.nick
  }

  /// True if a message, sent at a time in milliseconds since 1970, was displayed by then.
  package func covers(_ message: UInt64, at time: Int64) -> Bool { (time, message) <= (self.time, self.message) }

  /// True if it goes further than another one: markers only move forward.
  package func isFurther(than other: RoomReaderRecord) -> Bool { (time, message) > (other.time, other.message) }
}

extension RoomReaderRecord: FieldGroup {
  init() { self.init(account: 0, room: "", nick: "", message: 0, time: 0) }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "account", &account)
    try fields.one(2, "room", &room)
    try fields.one(3, "nick", &nick)
    try fields.one(4, "occupant", &occupantID, "its id (XEP-0421)")
    try fields.one(5, "message", &message, "up to which all was displayed")
    try fields.one(6, "time", &time, "of that message")
    try fields.flag(7, "mine", &isMine, "1: the room was told that I have")
    try fields.one(8, "jid", &jid, "likewise, if the room shows it and gives no id")
    try fields.one(9, "presence", if: presence != 0, &presence, "likewise, if it shows neither: as of messages")
  }
}
