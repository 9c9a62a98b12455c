/// A stream error came while this message was the first unacknowledged one. The second time the message is failed.
package struct SuspicionRecord: Sendable, Equatable {
  package var account: UInt32
  package var id: UInt64

  package init(account: UInt32, id: UInt64) {
    (self.account, self.id) = (account, id)
  }
}

extension SuspicionRecord: FieldGroup {
  init() { self.init(account: 0, id: 0) }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "account", &account)
    try fields.one(2, "message", &id)
  }
}
