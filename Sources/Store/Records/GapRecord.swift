/// For a time nothing could be stored, so that nothing was taken from an account's server: it may have kept less of it
/// than it should have.
package struct GapRecord: Sendable, Equatable {
  package var account: UInt32
  /// Since when nothing was taken, in milliseconds since 1970; nil: nothing is missing.
  package var since: Int64?
  /// Until when; nil: what the server kept is not known yet. With it, nobody can tell any more.
  package var until: Int64?
  /// The stream that could have brought it is over.
  package var isStreamOver = false

  package init(account: UInt32, since: Int64? = nil, until: Int64? = nil) {
    (self.account, self.since, self.until) = (account, since, until)
  }
}

extension GapRecord: FieldGroup {
  init() { self.init(account: 0) }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "account", &account)
    try fields.one(
      2, "since", &since,
      "when nothing could be stored, so that nothing was taken from the server; absent: nothing is missing")
    try fields.one(3, "until", &until, "absent: what the server kept is not known yet")
    try fields.flag(4, "stream-over", &isStreamOver, "1: the stream that it was kept for is over")
  }
}
