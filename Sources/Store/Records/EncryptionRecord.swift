import Bytes

/// The decision whether messages of a conversation are encrypted; replaces the record before.
package struct EncryptionRecord: Sendable, Equatable {
  package var account: UInt32
  /// The conversation's bare JID.
  package var jid: String
  /// The policy that the user has set; nil: the setting of the account.
  package var policy: EncryptionPolicy?
  /// A message in it was encrypted: no later one goes in plain text by itself.
  package var isEncrypted = false

  package init(account: UInt32, jid: String) { (self.account, self.jid) = (account, jid) }
}

/// When messages are encrypted.
package enum EncryptionPolicy: UInt8, Sendable, CaseIterable {
  /// Where the contact has a device for it, and from the first encrypted message on.
  case auto = 1
  case always = 2
  case never = 3

  /// The word of the line protocol, and of the configuration.
  package var word: String {
    switch self {
    case .auto: "auto"
    case .always: "always"
    case .never: "never"
    }
  }
}

extension EncryptionPolicy: FieldValue {
  /// A policy that only a later version knows lets nothing leave in plain text.
  static func read(from reader: borrowing FieldReader) throws(FieldError) -> EncryptionPolicy {
    EncryptionPolicy(rawValue: try reader.uint(UInt8.self)) ?? .always
  }
}

extension EncryptionRecord: FieldGroup {
  init() { self.init(account: 0, jid: "") }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "account", &account)
    try fields.one(2, "conversation", &jid)
    try fields.one(3, "policy", &policy, "1 auto, 2 always, 3 never; absent: that of the account")
    try fields.flag(4, "encrypted", &isEncrypted, "1: a message in it was")
  }
}
