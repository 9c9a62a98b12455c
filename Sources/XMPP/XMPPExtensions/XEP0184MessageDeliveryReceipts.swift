import XML
package import XMPPCore

/// XEP-0184: whoever asked for it is told that a message has come to a client.
package enum DeliveryReceipt {
  /// Bytes of the longest id that is told of: a receipt holds it, escaped.
  package static let longestID = 1_024

  /// That the message arrived which a `<received/>` names; nil: it names none.
  static func signal(_ received: Element) -> MessageSignal? {
    MessageNotice.about(received).map { .delivered(id: $0) }
  }

  /// The receipt. It asks for none itself, and has nothing else in it (section 5.4).
  ///
  /// - Parameters:
  ///   - to: who wrote the message.
  ///   - type: the message's own.
  ///   - about: the message's id.
  package static func stanza(to: JID, type: String, id: String, about: String) -> [UInt8] {
    MessageNotice.stanza("received", Namespace.receipts, to: to, type: type, id: id, about: about)
  }
}

/// A message without a text that says something of another one.
enum MessageNotice {
  /// The id of that one; nil if there is none that could be one.
  static func about(_ child: Element) -> String? {
    guard let id = child.attribute("id") else { return nil }
    return (1...DeliveryReceipt.longestID).contains(id.utf8.count) ? id : nil
  }

  static func stanza(
    _ local: StaticString, _ namespace: StaticString, to: JID, type: String, id: String, about: String
  ) -> [UInt8] {
    var writer = XMLWriter()
    writer.open("message")
    writer.attribute("to", to.description)
    writer.attribute("type", type)
    writer.attribute("id", id)
    writer.open(local, xmlns: namespace)
    writer.attribute("id", about)
    writer.close()
    writer.close()
    return writer.bytes
  }
}
