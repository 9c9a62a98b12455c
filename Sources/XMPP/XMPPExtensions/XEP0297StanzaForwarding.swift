package import Clocks
package import XML
import XMPPCore

/// XEP-0297: a message as it was, inside another stanza. The extension that uses it decides who may forward one.
package struct ForwardedMessage: Sendable {
  /// The message itself.
  package let message: Element
  /// When the one who forwards it received it, by its own word.
  package let time: Timestamp?

  /// Reads the only `<forwarded/>` of an element, and the only message in that. Nil where anything else is in its place,
  /// and where the message brings another one in its turn: nobody's word counts two levels down.
  package init?(in wrapping: Element) {
    guard let forwarded = wrapping.onlyChild("forwarded", Namespace.forward),
      let message = forwarded.onlyChild(where: { $0.isNamed(.message, .client) }), !Self.isWrapping(message)
    else { return nil }
    self.message = message
    time = forwarded.child(.delay, .delayed)?.attribute("stamp").flatMap { Timestamp(rfc3339: $0) }
  }

  /// A message that was stored as it came.
  package init(_ message: Element, at time: Timestamp) { (self.message, self.time) = (message, time) }

  /// True if a message wraps another one (XEP-0280, XEP-0313), by a payload that only some senders may send.
  static func isWrapping(_ message: Element) -> Bool { MessageParts(of: message).restricted != nil }
}

/// A message that somebody forwards to somebody else (section 3): its text and files, by the word of who forwards it, and
/// nothing more (section 7).
package struct ForwardedContent: Sendable {
  /// More of them are not read.
  private static let most = 16

  /// The author as it stands there.
  package let from: String
  package let time: Timestamp?
  /// The body without what stands there for the files.
  package let text: String
  package let files: [SharedFile]

  /// The messages that one brings with it. Messages inside of those are passed over.
  package static func all(in message: Element) -> [ForwardedContent] {
    message.children("forwarded", Namespace.forward).prefix(most).compactMap(ForwardedContent.init)
  }

  private init?(_ forwarded: Element) {
    let inside = forwarded.children("message", Namespace.client)
    guard inside.count == 1, let message = inside.first else { return nil }
    let (body, parts) = (message.child("body", Namespace.client)?.text, MessageParts(of: message))
    files = FileSharing.files(of: message)
    guard body != nil || !files.isEmpty else { return nil }
    text = parts.shown(body ?? "", of: message, besides: files.isEmpty ? [] : [.files, .outOfBand])
    from = message.attribute("from") ?? ""
    let stamp = forwarded.child("delay", Namespace.delay)?.attribute("stamp")
    time = stamp.flatMap { Timestamp(rfc3339: $0) }
  }

  /// - Parameter payloads: writes what the message has beside its body.
  package static func write(
    from: String, time: Timestamp?, body: String, into writer: inout XMLWriter, _ payloads: (inout XMLWriter) -> Void
  ) {
    writer.open("forwarded", xmlns: Namespace.forward)
    if let time { writer.empty("delay", xmlns: Namespace.delay, attributes: ["stamp": time.rfc3339]) }
    writer.open("message", xmlns: Namespace.client, attributes: ["from": from, "type": "chat"])
    writer.element("body", text: body)
    payloads(&writer)
    writer.close()
    writer.close()
  }
}
