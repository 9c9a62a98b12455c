/// Read positions that our other devices know of (XEP-0490), or never will.
package struct ReadPublishedRecord: Sendable, Equatable {
  package var account: UInt32
  /// The records of read positions that were to be published.
  package var sequences: [UInt64]

  package init(account: UInt32, sequences: [UInt64]) { (self.account, self.sequences) = (account, sequences) }
}

extension ReadPublishedRecord: FieldGroup {
  init() { self.init(account: 0, sequences: []) }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "account", &account)
    try fields.many(2, "record", &sequences, "of a read position (7 with field 7)")
  }
}
