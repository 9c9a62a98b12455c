/// A stanza over our limits, which was skipped unread.
package struct RefusedRecord: Sendable, Equatable {
  package var account: UInt32
  package var from: String?
  package var stanzaID: String?
  /// Its size on the wire, in bytes.
  package var size: UInt64
  package var reason: String

  package init(account: UInt32, from: String?, stanzaID: String?, size: UInt64, reason: String) {
    (self.account, self.from, self.stanzaID, self.size, self.reason) = (account, from, stanzaID, size, reason)
  }
}

extension RefusedRecord: FieldGroup {
  init() { self.init(account: 0, from: nil, stanzaID: nil, size: 0, reason: "") }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "account", &account)
    try fields.one(2, "from", &from)
    try fields.one(3, "stanza-id", &stanzaID)
    try fields.one(4, "size", &size)
    try fields.one(5, "reason", &reason)
  }
}
