/// An archive id of a message that the message's own record lacks. The message came without an id, or with one that
/// nothing vouched for; or it is a note to self, which the archive has twice; or the archive has given new ids since.
package struct ArchiveIDRecord: Sendable, Equatable {
  package var account: UInt32
  /// The number of the message's record.
  package var message: UInt64
  package var archiveID: String

  package init(account: UInt32, message: UInt64, archiveID: String) {
    (self.account, self.message, self.archiveID) = (account, message, archiveID)
  }
}

extension ArchiveIDRecord: FieldGroup {
  init() { self.init(account: 0, message: 0, archiveID: "") }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "account", &account)
    try fields.one(2, "message", &message)
    try fields.one(
      3, "archive-id", &archiveID,
      "under which the archive has it, too: one that the message came without, the second one of a note to self, or a new one"
    )
  }
}
