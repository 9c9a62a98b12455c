/// The messages of a conversation before this record are hidden from every answer.
package struct ForgettingRecord: Sendable, Equatable {
  package var account: UInt32
  /// The conversation: a bare JID.
  package var jid: String
  /// Messages that the archive stamped up to this time (its clock, milliseconds since 1970) were stored here or are
  /// unwanted; nil: unknown.
  package var archive: Int64?
  /// When it was written, by our clock: milliseconds since 1970; nil: by a version that did not say.
  package var time: Int64?

  package init(account: UInt32, jid: String, archive: Int64? = nil, time: Int64? = nil) {
    (self.account, self.jid, self.archive, self.time) = (account, jid, archive, time)
  }
}

extension ForgettingRecord: FieldGroup {
  init() { self.init(account: 0, jid: "") }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "account", &account)
    try fields.one(2, "conversation", &jid, "its messages before this record are hidden from every answer")
    try fields.one(3, "archive", &archive, "stamp up to which the archive's messages were here then, if known")
    try fields.one(4, "time", &time, "when that was, by our clock")
  }
}
