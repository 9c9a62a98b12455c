package import Bytes
package import XML

/// XEP-0454: the address of an encrypted file, with its key: `aesgcm:`. It is a secret as a whole.
package struct EncryptedFileAddress: Sendable, Hashable, CustomStringConvertible {
  private static let scheme = "aesgcm://"

  /// The place of the file, with https and without a fragment: no secret.
  package let url: String
  /// AES-256-GCM, the tag at the end of the file.
  package let key: FileKey

  /// Nil unless the address is one with https and a host, and the others have their lengths.
  package init?(url: String, key: FileKey) {
    guard let url = FileURL.read(url), FileURL.securePort(url) != nil, FileURL.host(url) != nil, !url.contains("#"),
      key.isUsable, key.key.count == 32
    else { return nil }
    (self.url, self.key) = (url, key)
  }

  /// Reads a text that is nothing but an address, with a thumbnail in the next line at most (section 4), and blanks around.
  package init?(_ text: String) {
    let head = text.drop(while: \.isWhitespace)
    guard head.prefix(Self.scheme.count).lowercased() == Self.scheme else { return nil }
    let trimmed = head.reversed().drop(while: \.isWhitespace).reversed()
    let lines = String(trimmed).split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
    guard let address = lines.first, lines.count <= 2,
      lines.dropFirst().allSatisfy({ $0.hasPrefix("data:image/") && !$0.contains { $0.isWhitespace } })
    else { return nil }
    let parts = address.dropFirst(Self.scheme.count).split(
      separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let secret = Hex.decode(parts[1].lowercased()) else { return nil }
    self.init(
      url: "https://\(parts[0])", key: FileKey(key: Array(secret.suffix(32)), nonce: Array(secret.dropLast(32))))
  }

  /// The address as it is sent.
  package var text: String {
    Self.scheme + url.dropFirst("https://".count) + "#" + Hex.encode(key.nonce + key.key)
  }

  /// Without the secret.
  package var description: String { url }

  /// Writes the file as XEP-0447 has it, which is read in one way only.
  package func writeShared(into writer: inout XMLWriter) {
    var file = SharedFile()
    (file.url, file.key) = (url, key)
    file.metadata.name = name
    file.metadata.type = name.flatMap { Self.types[$0.split(separator: ".").last?.lowercased() ?? ""] }
    FileSharing.write([file], into: &writer)
  }

  /// The end of its path, which its sender or a server has chosen.
  private var name: String? {
    let path = url.dropFirst("https://".count).prefix { $0 != "?" }.split(
      separator: "/", omittingEmptySubsequences: false)
    guard path.count > 1, let last = path.last else { return nil }
    return FileName.cleaned(Self.decoded(last) ?? String(last))
  }

  /// Without codes of octets (RFC 3986, section 2.1); nil if one is wrong, or what they are is no UTF-8.
  private static func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let octet = Hex.decode(String(decoding: rest.prefix(2), as: UTF8.self).lowercased()), octet.count == 1
      else { return nil }
      bytes += octet
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Types of pictures, which names alone tell here.
  private static let types = [
    "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
  ]
}
