/// Messages of mine whose bytes may leave once this record is durable: after a crash they count as transmitted.
package struct TransmissionRecord: Sendable, Equatable {
  package var account: UInt32
  package var ids: [UInt64]
  /// The place of the first among our stanzas on the stream (XEP-0198), where that counts them; the others have the
  /// next ones.
  package var place: UInt32?

  package init(account: UInt32, ids: [UInt64], place: UInt32? = nil) {
    (self.account, self.ids, self.place) = (account, ids, place)
  }
}

extension TransmissionRecord: FieldGroup {
  init() { self.init(account: 0, ids: []) }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "account", &account)
    try fields.many(2, "message", &ids)
    try fields.one(
      3, "place", &place, "of the first one among our stanzas, if they are counted; the others have the next ones")
  }
}
