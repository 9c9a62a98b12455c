package import Clocks
package import XML
import XMPPCore

/// XEP-0297: a message as it was, inside of what brings it. Who may bring one is for the extension to say that uses it.
package struct ForwardedMessage: Sendable {
  /// The message itself.
  package let message: Element
  /// When the one who forwards it received it, by its own word.
  package let time: Timestamp?

  /// Reads the only `<forwarded/>` of an element, and the only message in that. Nil where anything else is in its place,
  /// and where the message brings another one in its turn: nobody's word counts two levels down.
  package init?(in wrapping: Element) {
    guard let forwarded = Self.only("forwarded", Namespace.forward, of: wrapping),
      let message = Self.only("message", Namespace.client, of: forwarded), !Self.isWrapping(message)
    else { return nil }
    self.message = message
    time = forwarded.child("delay", Namespace.delay)?.attribute("stamp").flatMap { Timestamp(rfc3339: $0) }
  }

  /// Whether a message brings another one (XEP-0280, XEP-0313), by a payload that not everybody may send.
  static func isWrapping(_ message: Element) -> Bool { MessageParts(of: message).restricted != nil }

  private static func only(_ local: StaticString, _ namespace: StaticString, of element: Element) -> Element? {
    let found = element.children(local, namespace)
    return found.count == 1 ? found.first : nil
  }
}
