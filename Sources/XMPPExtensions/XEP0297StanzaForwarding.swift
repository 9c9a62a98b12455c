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

  /// A message that was stored as it came.
  package init(_ message: Element, at time: Timestamp) { (self.message, self.time) = (message, time) }

  /// Whether a message brings another one (XEP-0280, XEP-0313), by a payload that not everybody may send.
  static func isWrapping(_ message: Element) -> Bool { MessageParts(of: message).restricted != nil }

  private static func only(_ local: StaticString, _ namespace: StaticString, of element: Element) -> Element? {
    let found = element.children(local, namespace)
    return found.count == 1 ? found.first : nil
  }
}

/// A message that somebody forwards to somebody else (section 3): what it says, by the word of who forwards it, and nothing
/// more (section 7).
package enum ForwardedTexts {
  /// More of them are not read.
  private static let most = 16

  /// The author as it stands there, the time, and the text of each. Messages inside of a forwarded one are passed over.
  package static func of(_ message: Element) -> [(from: String, time: Timestamp?, text: String)] {
    message.children("forwarded", Namespace.forward).prefix(most).compactMap { forwarded in
      let inside = forwarded.children("message", Namespace.client)
      guard inside.count == 1, let message = inside.first, let text = message.child("body", Namespace.client)?.text
      else { return nil }
      let stamp = forwarded.child("delay", Namespace.delay)?.attribute("stamp")
      return (message.attribute("from") ?? "", stamp.flatMap { Timestamp(rfc3339: $0) }, text)
    }
  }

  package static func write(
    from: String, time: Timestamp?, text: String, into writer: inout XMLWriter
  ) {
    writer.open("forwarded", xmlns: Namespace.forward)
    if let time { writer.empty("delay", xmlns: Namespace.delay, attributes: ["stamp": time.rfc3339]) }
    writer.open("message", xmlns: Namespace.client, attributes: ["from": from, "type": "chat"])
    writer.element("body", text: text)
    writer.close()
    writer.close()
  }
}
