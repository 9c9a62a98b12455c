/// A message of mine that was kept back goes out now, behind all that waits already.
package struct ReleaseRecord: Sendable, Equatable {
  package var account: UInt32
  /// The message.
  package var id: UInt64
  /// It goes again because its room has not shown it.
  package var isRepeat = false

  package init(account: UInt32, id: UInt64, isRepeat: Bool = false) {
    (self.account, self.id, self.isRepeat) = (account, id, isRepeat)
  }
}

extension ReleaseRecord: FieldGroup {
  init() { self.init(account: 0, id: 0) }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "account", &account)
    try fields.one(2, "message", &id)
    try fields.flag(3, "repeat", &isRepeat, "1: its room has not shown it")
  }
}
