/// A host that a slot of the account's upload service has named (XEP-0363): there the account's own authorities count.
package struct UploadHostRecord: Sendable, Equatable {
  package var account: UInt32
  /// As it stands in addresses, in lower case.
  package var host: String

  package init(account: UInt32, host: String) { (self.account, self.host) = (account, host) }
}

extension UploadHostRecord: FieldGroup {
  init() { self.init(account: 0, host: "") }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "account", &account)
    try fields.one(2, "host", &host)
  }
}
