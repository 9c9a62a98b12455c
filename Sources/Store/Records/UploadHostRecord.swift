/// A host that a slot of the account's upload service has named (XEP-0363): there the account's own authorities count.
package struct UploadHostRecord: Sendable, Equatable {
  package var account: UInt32
  /// The host as in addresses, in lower case.
  package var host: String
  /// The port for https; 0 in records of older versions, which did not note it.
  package var port: UInt32

  package init(account: UInt32, host: String, port: UInt32) {
    (self.account, self.host, self.port) = (account, host, port)
  }
}

extension UploadHostRecord: FieldGroup {
  init() { self.init(account: 0, host: "", port: 0) }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "account", &account)
    try fields.one(2, "host", &host)
    try fields.one(3, "port", &port)
  }
}
