/// The avatar that a contact, or the account itself, has (XEP-0084, XEP-0153): the record before is of no account any
/// more.
package struct AvatarRecord: Sendable, Equatable {
  package var account: UInt32
  /// The bare JID of its owner.
  package var jid: String
  /// SHA-1 of the picture; empty: there is none.
  package var hash: [UInt8]
  /// True if the picture is only in the owner's vCard, without an avatar node.
  package var isOnCard: Bool

  package init(account: UInt32, jid: String, hash: [UInt8] = [], isOnCard: Bool = false) {
    (self.account, self.jid, self.hash, self.isOnCard) = (account, jid, hash, isOnCard)
  }
}

extension AvatarRecord: FieldGroup {
  init() { self.init(account: 0, jid: "") }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "account", &account)
    try fields.one(2, "jid", &jid)
    try fields.one(3, "hash", &hash, "SHA-1 of the picture; empty or absent: there is none")
    try fields.flag(4, "card", &isOnCard, "1: only the owner's card has it, and no node")
  }
}
