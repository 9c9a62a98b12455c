/// The shared draft of a conversation; empty: none.
package struct DraftRecord: Sendable, Equatable {
  package var account: UInt32
  package var jid: String
  package var text: String

  package init(account: UInt32, jid: String, text: String) {
    (self.account, self.jid, self.text) = (account, jid, text)
  }
}

extension DraftRecord: FieldGroup {
  init() { self.init(account: 0, jid: "", text: "") }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "account", &account)
    try fields.one(2, "conversation", &jid)
    try fields.one(3, "text", &text)
  }
}
