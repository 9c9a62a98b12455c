import Bytes
import XML

/// XEP-0448: a file that is encrypted where it lies, as a source of XEP-0447, with its key: so it may stand only inside of
/// an encrypted message.
enum EncryptedSource {
  static let namespace: StaticString = "urn:xmpp:esfs:0"
  private static let ciphers = [
    "urn:xmpp:ciphers:aes-128-gcm-nopadding:0": 16, "urn:xmpp:ciphers:aes-256-gcm-nopadding:0": 32,
  ]

  /// The address and the key in the sources of a file; nil: it has no encrypted one. The key is of no use where the
  /// cipher is none that authenticates, or the key or the nonce has another length than it needs.
  static func read(_ sources: Element) -> (url: String, key: FileKey)? {
    guard let source = sources.child("encrypted", namespace) else { return nil }
    let urls =
      source.child("sources", FileSharing.namespace)?.children("url-data", URLData.namespace)
      .compactMap(URLData.url).map { String($0.prefix { $0 != "#" }) } ?? []
    return (urls.first { FileURL.securePort($0) != nil } ?? urls.first ?? "", key(of: source))
  }

  /// True of an element of XEP-0447 that has the key of a file.
  static func isIn(_ element: Element) -> Bool {
    element.isNamed("file-sharing", FileSharing.namespace)
      && element.child("sources", FileSharing.namespace)?.child("encrypted", namespace) != nil
  }

  private static func key(of source: Element) -> FileKey {
    let key = FileKey(key: bytes("key", in: source), nonce: bytes("iv", in: source))
    guard key.isUsable, ciphers[source.attribute("cipher") ?? ""] == key.key.count else { return .unknown }
    return key
  }

  private static func bytes(_ name: StaticString, in source: Element) -> [UInt8] {
    Base64.decode((source.child(name, namespace)?.text ?? "").utf8.filter { $0 > 0x20 }) ?? []
  }

  static func write(_ url: String, _ key: FileKey, into writer: inout XMLWriter) {
    let cipher = ciphers.first { $0.value == key.key.count }?.key
    writer.open("encrypted", xmlns: namespace, attributes: ["cipher": cipher])
    writer.element("key", text: Base64.encode(key.key))
    writer.element("iv", text: Base64.encode(key.nonce))
    writer.open("sources", xmlns: FileSharing.namespace)
    URLData.write(url, into: &writer)
    writer.close()
    writer.close()
  }
}
