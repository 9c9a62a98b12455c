/// References that waited for their messages, and whose messages are here: what they say is recorded before this.
package struct ReferencesFoundRecord: Sendable, Equatable {
  package var account: UInt32
  /// The records of the stanzas that waited.
  package var records: [UInt64]

  package init(account: UInt32, records: [UInt64]) { (self.account, self.records) = (account, records) }
}

extension ReferencesFoundRecord: FieldGroup {
  init() { self.init(account: 0, records: []) }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "account", &account)
    try fields.many(2, "record", &records, "of a stanza that waited (12 with field 5)")
  }
}
