/// How an account logged in, written where it is not as it was before: no later login is weaker, until a person says
/// that it may be.
package struct LoginRecord: Sendable, Equatable {
  package var account: UInt32
  /// Its name in SASL, such as `SCRAM-SHA-256-PLUS`; nil: what logins had before is forgotten.
  package var mechanism: String?
  /// The type of channel binding (RFC 5056), such as `tls-exporter`; nil where the login was not bound.
  package var channelBinding: String?

  package init(account: UInt32, mechanism: String? = nil, channelBinding: String? = nil) {
    (self.account, self.mechanism, self.channelBinding) = (account, mechanism, channelBinding)
  }
}

extension LoginRecord: FieldGroup {
  init() { self.init(account: 0) }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "account", &account)
    try fields.one(2, "mechanism", &mechanism, "of SASL, by which it was done; absent: what logins had is forgotten")
    try fields.one(3, "channel-binding", &channelBinding, "type, if it was bound")
  }
}
