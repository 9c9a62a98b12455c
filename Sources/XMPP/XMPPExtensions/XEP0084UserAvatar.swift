package import Pictures
import Bytes
import Crypto
package import XML

/// A picture that may be somebody's avatar: checked, with the hash by which it is known.
package struct Avatar: Sendable, Equatable {
  package let bytes: [UInt8]
  /// SHA-1 in lower-case hexadecimal digits.
  package let hash: String
  package let header: PictureHeader

  /// Bytes that are taken, of pictures of others and our own.
  package static let largest = 1 << 20
  /// Pixels of a side that are taken.
  package static let mostPixels = 4_096

  /// Nil if the bytes are no picture that is taken.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count <= Self.largest, let header = PictureHeader(bytes),
      max(header.width, header.height) <= Self.mostPixels, let digest = try? Digest.hash(bytes, .sha1)
    else { return nil }
    (self.bytes, hash, self.header) = (bytes, Hex.encode(digest), header)
  }

  /// The picture that Base64 with white space stands for; nil if it is none.
  package init?(base64 text: String) {
    // Lines of 60 characters and their ends are about the most white space that there is.
    guard text.utf8.count <= Self.largest / 2 * 3 else { return nil }
    let characters = text.utf8.filter { ![0x09, 0x0A, 0x0D, 0x20].contains($0) }
    guard let bytes = Base64.decode(characters) else { return nil }
    self.init(bytes)
  }

  /// A hash as it is written here; nil if the text is none.
  package static func hash(_ text: String?) -> String? {
    guard let text, text.utf8.count == 40 else { return nil }
    let lower = text.lowercased()
    return Hex.decode(lower) == nil ? nil : lower
  }
}

/// XEP-0084: avatars on two nodes of an account. The one says which there is, the other has the pictures by their hashes.
/// Pictures at URLs are left alone: who asks a web server tells it who he is.
package enum UserAvatar {
  package static let dataNode = "urn:xmpp:avatar:data"
  package static let metadataNode = "urn:xmpp:avatar:metadata"
  package static let metadataNotify: StaticString = "urn:xmpp:avatar:metadata+notify"
  private static let data: StaticString = "urn:xmpp:avatar:data"
  private static let metadata: StaticString = "urn:xmpp:avatar:metadata"

  /// The hash of the picture on the data node, from an item of the metadata node: empty if there is no picture, nil if
  /// the item is unusable. Among several formats, the one with the item's name counts.
  package static func hash(of item: PubSub.Item) -> String? {
    guard let payload = item.payload, payload.isNamed("metadata", metadata) else { return nil }
    let hashes = payload.children("info", metadata).filter { $0.attribute("url") == nil }
      .compactMap { Avatar.hash($0.attribute("id")) }
    return hashes.first { $0 == item.id?.lowercased() } ?? hashes.first ?? ""
  }

  /// The picture of an item of the data node.
  package static func avatar(of item: PubSub.Item) -> Avatar? {
    guard let payload = item.payload, payload.isNamed("data", data) else { return nil }
    return Avatar(base64: payload.text)
  }

  /// Writes the payload for the data node.
  package static func writeData(_ avatar: Avatar, into writer: inout XMLWriter) {
    writer.open("data", xmlns: data)
    writer.text(Base64.encode(avatar.bytes))
    writer.close()
  }

  /// Writes the payload for the metadata node: of this picture, or of none.
  package static func writeMetadata(_ avatar: Avatar?, into writer: inout XMLWriter) {
    writer.open("metadata", xmlns: metadata)
    if let avatar {
      writer.empty(
        "info",
        attributes: [
          "bytes": "\(avatar.bytes.count)", "id": avatar.hash, "type": avatar.header.format.rawValue,
          "width": "\(avatar.header.width)", "height": "\(avatar.header.height)",
        ])
    }
    writer.close()
  }
}
