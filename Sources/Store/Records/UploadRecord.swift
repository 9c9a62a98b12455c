package import Bytes

/// A file of a message of mine is uploaded, and others of it are not yet; or it is about to be, encrypted.
package struct UploadRecord: Sendable, Equatable {
  package var account: UInt32
  /// The message.
  package var id: UInt64
  /// The file's place in the message, from 0.
  package var index: UInt32
  /// The address at which recipients find it; empty: it is not uploaded.
  package var url: String
  /// The key by which its bytes leave; nil: as they are. Each upload has a key of its own.
  package var key: FileKey?

  package init(account: UInt32, id: UInt64, index: UInt32, url: String, key: FileKey? = nil) {
    (self.account, self.id, self.index, self.url, self.key) = (account, id, index, url, key)
  }
}

extension UploadRecord: FieldGroup {
  init() { self.init(account: 0, id: 0, index: 0, url: "") }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "account", &account)
    try fields.one(2, "message", &id)
    try fields.one(3, "index", if: index != 0, &index, "the file's place in the message, from 0")
    try fields.one(4, "url", if: !url.isEmpty, &url, "absent: it is not uploaded")
    try fields.one(5, "file-key", &key, "by which its bytes leave, if they are encrypted")
  }
}
