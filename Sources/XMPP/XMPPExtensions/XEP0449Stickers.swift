package import XML

/// XEP-0449: a picture that stands for an emoticon, as a file of XEP-0447. Its words are shown, and its file as any other.
package enum Stickers {
  static let namespace: StaticString = "urn:xmpp:stickers:0"

  /// Description of a sticker's file, for a sticker without words in its body; nil if there is none.
  package static func words(of message: Element) -> String? {
    let file = message.child("file-sharing", FileSharing.namespace)?.child("file", FileMetadata.namespace)
    let words = file?.child("desc", FileMetadata.namespace)?.text ?? ""
    return words.isEmpty ? nil : words
  }
}
