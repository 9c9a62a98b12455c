public import Bytes

/// A file of a message (XEP-0447): what its sender says of it, or what its bytes say once they were here.
public struct Attachment: Sendable, Equatable {
  /// The file's address; empty: unknown, or a file of mine that is not uploaded yet.
  public var url = ""
  public var name: String?
  /// The media type.
  public var type: String?
  /// In bytes.
  public var size: UInt64?
  /// In pixels.
  public var width: UInt32?
  public var height: UInt32?
  /// It has several frames, by its bytes.
  public var isAnimated = false
  public var hashes: [Hash] = []
  /// The file is encrypted where its address leads to; nil: it is not. Size, type and hashes are of the file itself.
  public var key: FileKey?

  public init() {}

  /// The bytes that it stands for, by what its message says: another key makes another file of the same address. A
  /// secret, if the key is one.
  package var identity: String { key.map { "\(url)#\(Hex.encode($0.nonce + $0.key))" } ?? url }

  /// A hash of its bytes, by the name that XEP-0300 has for the function.
  public struct Hash: Sendable, Equatable {
    public var function: String
    public var value: [UInt8]

    public init(function: String, value: [UInt8]) { (self.function, self.value) = (function, value) }
  }
}

extension Attachment: FieldGroup, FieldValue {
  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "url", if: !url.isEmpty, &url, "if it has one")
    try fields.one(2, "name", &name)
    try fields.one(3, "type", &type)
    try fields.one(4, "size", &size, "bytes")
    try fields.one(5, "width", &width, "pixels")
    try fields.one(6, "height", &height, "likewise")
    try fields.flag(7, "animated", &isAnimated, "1: it has several frames")
    try fields.many(8, "hashes", &hashes)
    try fields.one(9, "file-key", &key, "it is encrypted where it lies")
  }
}

extension Attachment.Hash: FieldGroup, FieldValue {
  init() { self.init(function: "", value: []) }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "function", &function)
    try fields.one(2, "value", &value)
  }
}

extension FileKey: FieldGroup, FieldValue {
  init() { self = .unknown }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "key", if: !key.isEmpty, &key, "16 or 32 bytes (AES-GCM); absent: it is not known")
    try fields.one(2, "nonce", if: !nonce.isEmpty, &nonce, "12 bytes, of old clients 16")
  }
}
