/// Pending receipts and markers were sent to the senders of their messages.
package struct ReceiptSentRecord: Sendable, Equatable {
  package var account: UInt32
  /// The records that it was owed by: messages that owe a receipt, read positions that owe a marker.
  package var sequences: [UInt64]

  package init(account: UInt32, sequences: [UInt64]) {
    (self.account, self.sequences) = (account, sequences)
  }
}

extension ReceiptSentRecord: FieldGroup {
  init() { self.init(account: 0, sequences: []) }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "account", &account)
    try fields.many(2, "record", &sequences, "that owed a receipt (24 with flag 64) or a marker (7 with field 5)")
  }
}
