/// How far an occupant of a small room has displayed what was said there (XEP-0333).
package struct RoomReaderRecord: Sendable, Equatable {
  package var account: UInt32
  /// The room's bare JID.
  package var room: String
  package var nick: String
  /// The id that the room vouches for (XEP-0421).
  package var occupantID: String?
  /// The displayed message, and its time in milliseconds since 1970.
  package var message: UInt64
  package var time: Int64

  package init(account: UInt32, room: String, nick: String, message: UInt64, time: Int64) {
    (self.account, self.room, self.nick, self.message, self.time) = (account, room, nick, message, time)
  }

  /// True if both are one person, as far as the room tells. A nick that is given up may be somebody else's: a marker is
  /// shown by the nick alone.
  package func isOf(_ other: RoomReaderRecord) -> Bool {
    occupantID == nil || other.occupantID == nil ? nick == other.nick : occupantID == other.occupantID
  }

  /// True if it goes further than another one.
  package func isFurther(than other: RoomReaderRecord) -> Bool { (time, message) > (other.time, other.message) }
}

extension RoomReaderRecord: FieldGroup {
  init() { self.init(account: 0, room: "", nick: "", message: 0, time: 0) }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "account", &account)
    try fields.one(2, "room", &room)
    try fields.one(3, "nick", &nick)
    try fields.one(4, "occupant", &occupantID, "its id (XEP-0421)")
    try fields.one(5, "message", &message, "up to which it has displayed all")
    try fields.one(6, "time", &time, "of that message")
  }
}
