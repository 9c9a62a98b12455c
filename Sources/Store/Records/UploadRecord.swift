/// A file of a message of mine is uploaded, and others of it are not yet.
package struct UploadRecord: Sendable, Equatable {
  package var account: UInt32
  /// The message.
  package var id: UInt64
  /// The file's place in the message, from 0.
  package var index: UInt32
  /// The address at which recipients find it.
  package var url: String

  package init(account: UInt32, id: UInt64, index: UInt32, url: String) {
    (self.account, self.id, self.index, self.url) = (account, id, index, url)
  }
}

extension UploadRecord: FieldGroup {
  init() { self.init(account: 0, id: 0, index: 0, url: "") }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "account", &account)
    try fields.one(2, "message", &id)
    try fields.one(3, "index", if: index != 0, &index, "the file's place in the message, from 0")
    try fields.one(4, "url", &url)
  }
}
