/// What a line of the journal is about: each has a field of its own there, for those who look for it
/// (systemd.journal-fields(7)).
package struct JournalFields: Sendable, Equatable {
  /// The account's name in the configuration.
  package var account: String?
  /// Whom it is about: somebody's address, or the account's own.
  package var jid: String?
  package var stanzaID: String?
  /// The system's error number.
  package var errno: Int32?

  package init(account: String? = nil, jid: String? = nil, stanzaID: String? = nil, errno: Int32? = nil) {
    (self.account, self.jid, self.stanzaID, self.errno) = (account, jid, stanzaID, errno)
  }
}
