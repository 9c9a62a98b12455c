/// The subjects of a line of the journal: each has a field of its own there, to search by (systemd.journal-fields(7)).
package struct JournalFields: Sendable, Equatable {
  /// The account's name in the configuration.
  package var account: String?
  /// The address that the line is about: somebody's, or the account's own.
  package var jid: String?
  package var stanzaID: String?
  /// The system's error number.
  package var errno: Int32?

  package init(account: String? = nil, jid: String? = nil, stanzaID: String? = nil, errno: Int32? = nil) {
    (self.account, self.jid, self.stanzaID, self.errno) = (account, jid, stanzaID, errno)
  }
}
