/// The key of one encrypted file, and the nonce that it was used with once (AES-GCM, NIST SP 800-38D). A secret, which no
/// description shows.
public struct FileKey: Sendable, Hashable, CustomStringConvertible {
  /// Bytes of the tag at the end of an encrypted file.
  public static let tagBytes = 16
  /// Bytes of a key and a nonce that are drawn here.
  public static let keyBytes = 32
  public static let nonceBytes = 12

  /// 16 or 32 bytes; empty: the file is encrypted, and its key is not here, or of a cipher that is not known.
  public var key: [UInt8]
  /// 12 bytes, of old clients 16.
  public var nonce: [UInt8]

  public init(key: [UInt8], nonce: [UInt8]) { (self.key, self.nonce) = (key, nonce) }

  /// The key of a file that cannot be decrypted here.
  public static let unknown = FileKey(key: [], nonce: [])

  /// True if a file can be decrypted by it.
  public var isUsable: Bool { [16, 32].contains(key.count) && [12, 16].contains(nonce.count) }

  public var description: String { "(the key of a file)" }
}
