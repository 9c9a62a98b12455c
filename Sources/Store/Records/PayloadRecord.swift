/// A message stanza without a text whose payloads this version does not understand, kept for one that does, or one that
/// refers to a message which is not here, kept until that comes.
package struct PayloadRecord: Sendable, Equatable {
  package var account: UInt32
  /// Milliseconds since 1970.
  package var time: Int64
  /// The whole stanza as XML.
  package var xml: [UInt8]
  /// The id that our own archive gave it.
  package var archiveID: String?
  /// An id in our archive's name that anybody may have written, as `MessageRecord.claimedArchiveID`.
  package var claimedArchiveID: String?
  /// A hash of the message that it refers to, which was not here (`MessageIDHash.ofNamed`).
  package var waitsFor: UInt64?
  /// The conversation of the awaited message, a bare JID.
  package var conversation: String?
  /// The depth of a `ChangePlace`, if the stanza waits for a message.
  package var depth: UInt32 = 0

  /// The id of our archive, given or claimed.
  package var statedArchiveID: String? { archiveID ?? claimedArchiveID }

  package init(account: UInt32, time: Int64, xml: [UInt8], archiveID: String? = nil) {
    (self.account, self.time, self.xml, self.archiveID) = (account, time, xml, archiveID)
  }
}

extension PayloadRecord: FieldGroup {
  init() { self.init(account: 0, time: 0, xml: []) }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "account", &account)
    try fields.one(2, "time", &time)
    try fields.one(3, "xml", &xml, "the stanza")
    try fields.one(4, "archive-id", &archiveID)
    try fields.hash(5, "waits-for", &waitsFor, "of the conversation and an id of a message that it refers to")
    try fields.one(
      6, "depth", if: depth != 0, &depth, "of a change taken while the archive was fetched backwards: pages before it")
    try fields.one(7, "claimed-archive-id", &claimedArchiveID, "as of a message")
    try fields.one(8, "conversation", &conversation, "of the message that it refers to")
  }
}
