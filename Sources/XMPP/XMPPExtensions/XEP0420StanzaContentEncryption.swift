import Bytes
package import Clocks
package import XML
package import XMPPCore

/// XEP-0420: the plain text of an omemo:2 payload, an `envelope` with the parts of a message that servers may not see.
package struct ContentEnvelope: Sendable, Equatable {
  package static let namespace: StaticString = "urn:xmpp:sce:1"

  /// The parts of the message, without those that may not be inside.
  package let content: [Element]
  /// As the author says. Bare addresses.
  package let from: JID?
  package let to: JID?
  package let time: Timestamp?

  /// Reads a decrypted payload. Nil: it is no envelope, an address or time in it is none, or it has two texts of one
  /// language.
  package init?(_ bytes: [UInt8]) {
    guard let envelope = Element.parse(bytes), envelope.isNamed("envelope", Self.namespace) else { return nil }
    let contents = envelope.children("content", Self.namespace)
    guard contents.count == 1, let content = contents.first else { return nil }
    self.content = content.children.filter { !Self.isServerProcessed($0) && !$0.isNamed("envelope", Self.namespace) }
    guard Self.hasOneTextEach(self.content), let from = Self.affix("from", envelope, Self.address),
      let to = Self.affix("to", envelope, Self.address),
      let time = Self.affix("time", envelope, { $0.attribute("stamp").flatMap { Timestamp(rfc3339: $0) } })
    else { return nil }
    (self.from, self.to, self.time) = (from, to, time)
  }

  /// True if the envelope is of a stanza with these addresses.
  ///
  /// - Parameter isInRoom: the envelope has to name the room, so that no message to it becomes one to a person
  ///   (XEP-0384, section 5.5.1).
  package func belongs(from sender: JID, to recipient: JID, isInRoom: Bool) -> Bool {
    if let from, from != sender.bare { return false }
    guard let to else { return !isInRoom }
    return to == recipient.bare
  }

  /// Writes an envelope.
  ///
  /// - Parameter padding: see `padding`.
  package static func write(
    from: JID, to: JID, time: Timestamp? = nil, padding: String, _ content: (inout XMLWriter) -> Void
  ) -> [UInt8] {
    var writer = XMLWriter()
    writer.open("envelope", xmlns: namespace)
    writer.open("content")
    content(&writer)
    writer.close()
    writer.element("rpad", text: padding)
    if let time { writer.empty("time", attributes: ["stamp": time.rfc3339]) }
    writer.empty("to", attributes: ["jid": to.bare.description])
    writer.empty("from", attributes: ["jid": from.bare.description])
    writer.close()
    return writer.bytes
  }

  /// The least bytes of a padded content, and the most that are put on top by chance (section 4).
  private static let leastBytes = 256
  private static let mostPadding = 200

  /// Padding for a content of so many bytes.
  package static func padding(forContentOf count: Int, random: (Int) -> [UInt8]) -> String {
    let number = random(2).reduce(0) { $0 << 8 | Int($1) }
    let length = max(0, leastBytes - count) + number % (mostPadding + 1)
    return String(decoding: Base64.encodeURL(random(length * 3 / 4 + 1)).utf8.prefix(length), as: UTF8.self)
  }

  /// Elements for or by servers (section 9): they count outside of an envelope alone, and all others, in a message that
  /// has one, inside of it alone.
  package static func isServerProcessed(_ element: Element) -> Bool {
    serverProcessed.contains { element.isIn($0) } || element.isNamed("error", Namespace.client)
  }

  private static let serverProcessed: [StaticString] = [
    Namespace.hints, "urn:xmpp:sid:0", "http://jabber.org/protocol/address", MessageEncryption.namespace,
    "urn:xmpp:delay", "jabber:x:delay", "urn:xmpp:carbons:2", "urn:xmpp:mam:2", "urn:xmpp:occupant-id:0",
    "http://jabber.org/protocol/muc#user", "http://jabber.org/protocol/pubsub#event",
    "eu.siacs.conversations.axolotl", "urn:xmpp:omemo:1", "urn:xmpp:omemo:2",
  ]

  private static func hasOneTextEach(_ content: [Element]) -> Bool {
    let languages = content.filter { $0.isNamed("body", Namespace.client) }.map { $0.language ?? "" }
    return Set(languages).count == languages.count
  }

  private static func address(_ element: Element) -> JID? {
    element.attribute("jid").flatMap { try? JID($0) }?.bare
  }

  /// The value of an affix; `.some(nil)` if it is not there; nil if it is there twice, or has no value.
  private static func affix<Value>(
    _ name: StaticString, _ envelope: Element, _ read: (Element) -> Value?
  ) -> Value?? {
    let elements = envelope.children(name, namespace)
    guard let element = elements.first else { return .some(nil) }
    guard elements.count == 1, let value = read(element) else { return nil }
    return value
  }
}
