package import XML
import XMPPCore

/// XEP-0153: which photo the card of a person has, by what stands in its presence.
package enum VCardAvatarUpdate {
  package static let namespace: StaticString = "vcard-temp:x:update"

  /// The hash of the photo; empty if there is none, nil if the presence says nothing of it.
  package static func hash(in presence: Element) -> String? {
    guard let text = presence.child("x", namespace)?.child("photo", namespace)?.text else { return nil }
    return text.isEmpty ? "" : Avatar.hash(text)
  }

  /// Writes what goes into our presence.
  ///
  /// - Parameter hash: empty if there is no photo.
  package static func write(_ hash: String, into writer: inout XMLWriter) {
    writer.open("x", xmlns: namespace)
    writer.element("photo", text: hash)
    writer.close()
  }
}
