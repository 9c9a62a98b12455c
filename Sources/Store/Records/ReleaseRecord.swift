/// A message of mine that was kept back goes out now, behind all that waits already.
package struct ReleaseRecord: Sendable, Equatable {
  package var account: UInt32
  /// The message.
  package var id: UInt64

  package init(account: UInt32, id: UInt64) {
    (self.account, self.id) = (account, id)
  }
}

extension ReleaseRecord: FieldGroup {
  init() { self.init(account: 0, id: 0) }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "account", &account)
    try fields.one(2, "message", &id)
  }
}
