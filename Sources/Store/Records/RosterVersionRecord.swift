/// The roster's version as the server named it (RFC 6121, section 2.6), durable after the items it covers.
package struct RosterVersionRecord: Sendable, Equatable {
  package var account: UInt32
  package var version: String

  package init(account: UInt32, version: String) {
    (self.account, self.version) = (account, version)
  }
}

extension RosterVersionRecord: FieldGroup {
  init() { self.init(account: 0, version: "") }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "account", &account)
    try fields.one(2, "version", &version)
  }
}
