/// The shared read position of a conversation moved to a message: forward, or back.
package struct ReadRecord: Sendable, Equatable {
  package var account: UInt32
  /// The conversation's bare JID.
  package var jid: String
  /// The time of the message, milliseconds since 1970, and its number: what arrived up to it is read. Moved back: the time
  /// of the first message that is to be unread, and the number up to which others stay read; 0: nothing is read.
  package var time: Int64
  package var id: UInt64
  /// The message whose sender is to hear of it (XEP-0333); nil: nobody is.
  package var marker: UInt64?
  /// When the user moved it back, milliseconds since 1970; nil: it moved forward.
  package var movedBackAt: Int64?
  /// It moved back to the present, from a future by a clock that was ahead: messages behind it with numbers up to this
  /// one stay read.
  package var staysReadThrough: UInt64?
  /// The position goes by the numbers of messages. Positions of earlier versions go by the places of messages in their
  /// conversation.
  package var isByArrival = true
  /// Messages with numbers from this one on that stand up to the message are history, and the position stays; nil: it
  /// moves.
  package var historyFrom: UInt64?
  /// Our other devices are to hear of it (XEP-0490).
  package var isToPublish = false

  package init(account: UInt32, jid: String, time: Int64, id: UInt64, marker: UInt64? = nil) {
    (self.account, self.jid, self.time, self.id, self.marker) = (account, jid, time, id, marker)
  }
}

extension ReadRecord: FieldGroup {
  init() {
    self.init(account: 0, jid: "", time: 0, id: 0)
    isByArrival = false
  }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "account", &account)
    try fields.one(2, "conversation", &jid)
    try fields.one(3, "time", &time, "of the message; -2^63: nothing is read")
    try fields.one(4, "message", &id, "0: nothing is read")
    try fields.one(5, "marker", &marker, "the message whose sender is owed a marker for it")
    try fields.one(
      6, "moved-back", &movedBackAt, "time at which the user moved it back; absent: it only moves forward")
    try fields.flag(7, "publish", &isToPublish, "1: other devices of the account are to hear of it")
    try fields.one(
      8, "stays-read", &staysReadThrough,
      "of one that moved back out of a future: what stands behind it with numbers up to this one is read, too")
    try fields.flag(9, "by-arrival", &isByArrival, "1: what arrived up to the message is read, wherever it stands")
    try fields.one(
      10, "history-from", &historyFrom,
      "what stands up to the message, with numbers from this one on, is history; the position stays")
  }
}
