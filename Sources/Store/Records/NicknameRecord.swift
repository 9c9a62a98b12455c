/// The nickname of a contact, or of the account itself (XEP-0172), as the account published it.
package struct NicknameRecord: Sendable, Equatable {
  package var account: UInt32
  /// Bare.
  package var jid: String
  /// Nil: it has none any more.
  package var nickname: String?

  package init(account: UInt32, jid: String, nickname: String?) {
    (self.account, self.jid, self.nickname) = (account, jid, nickname)
  }
}

extension NicknameRecord: FieldGroup {
  init() { self.init(account: 0, jid: "", nickname: nil) }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "account", &account)
    try fields.one(2, "jid", &jid, "of a contact, or of the account itself")
    try fields.one(3, "nickname", &nickname)
  }
}
