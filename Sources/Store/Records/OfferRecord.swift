/// The features that the server offered at the last successful login, by which the next login pipelines its requests.
/// Only a guess: the features that the server offers then count.
package struct OfferRecord: Sendable, Equatable {
  package var account: UInt32
  /// Names of SASL mechanisms, in the server's order.
  package var mechanisms: [String] = []
  /// Types of channel binding (XEP-0440), in the server's order.
  package var channelBindings: [String] = []
  /// XEP-0198, as far as the account wants it, and RFC 6121, section 2.6.
  package var streamManagement = false
  package var rosterVersioning = false
  /// How many logins in a row, the last one among them, had to be done again because they said something ahead.
  package var pipeliningFailures: UInt8 = 0

  package init(account: UInt32) {
    self.account = account
  }
}

extension OfferRecord: FieldGroup {
  init() { self.init(account: 0) }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "account", &account)
    try fields.many(2, "mechanism", &mechanisms, "of SASL")
    try fields.many(3, "channel-binding", &channelBindings, "type")
    try fields.flag(4, "stream-management", &streamManagement, "1: yes")
    try fields.flag(5, "roster-versioning", &rosterVersioning, "1: yes")
    try fields.one(
      6, "setbacks", if: pipeliningFailures > 0, &pipeliningFailures,
      "logins in a row that had to be done again because they said something ahead")
  }
}
