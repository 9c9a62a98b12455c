/// A contact as it is now: a roster item (RFC 6121, section 2.1.2), somebody who asks to see our presence, or both.
package struct ContactRecord: Sendable, Equatable {
  package var account: UInt32
  package var jid: String
  package var name: String?
  package var groups: [String] = []
  /// `none`, `to`, `from` or `both`; nil: not in the roster (any more).
  package var subscription: String?
  /// RFC 6121's `ask`: `subscribe` while our request is pending.
  package var ask: String?
  /// They asked to see our presence and we have not answered.
  package var request = false

  package init(account: UInt32, jid: String) {
    (self.account, self.jid) = (account, jid)
  }

  /// Neither in the roster nor asking: forgotten.
  package var isGone: Bool { subscription == nil && !request }
}

extension ContactRecord: FieldGroup {
  init() { self.init(account: 0, jid: "") }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "account", &account)
    try fields.one(2, "jid", &jid)
    try fields.one(3, "name", &name)
    try fields.many(4, "group", &groups)
    try fields.one(5, "subscription", &subscription)
    try fields.one(6, "ask", &ask)
    try fields.flag(7, "request", &request, "1: asks for our presence")
  }
}
