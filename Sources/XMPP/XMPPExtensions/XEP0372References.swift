import Bytes
package import XML
package import XMPPCore

/// XEP-0372: marks in a message of the people that it names.
package enum MessageReferences {
  package static let namespace: StaticString = "urn:xmpp:reference:0"
  /// Marks of one message that are read.
  private static let most = 100

  /// The addresses of the people whom the marks of a message name. Anybody may mark anybody, wherever in the text.
  package static func mentions(in message: Element) -> [JID] {
    message.children("reference", namespace).prefix(most).compactMap { mark in
      guard mark.attribute("type") == "mention", let uri = mark.attribute("uri"), uri.utf8.count <= 4_096,
        uri.prefix(5).lowercased() == "xmpp:"
      else { return nil }
      let address = AddressURI.address(in: uri)
      // A malformed URI has none.
      return address == uri ? nil : try? JID(address)
    }
  }
}
