import Clocks
package import XML
import XMPPCore

/// XEP-0424: an author retracts a message. It is a request; others may keep the message.
package enum MessageRetraction {
  package static let namespace: StaticString = "urn:xmpp:message-retract:1"

  /// The text for clients that do not know the extension.
  private static let fallback = MeCommand.text("retracted a previous message, but it's unsupported by your client.")

  /// The stanza's id of the message that this element takes back, and why; nil if there is none that could be one, or a
  /// moderator takes it back (`Moderation`).
  static func target(_ retract: Element) -> (id: String, reason: String?)? {
    guard !Moderation.isModerated(retract), let id = StanzaIDs.id(in: retract) else { return nil }
    let reason = retract.children.first { $0.local == "reason" && $0.namespace == retract.namespace }?.text
    return (id, reason.flatMap { $0.isEmpty ? nil : $0 })
  }

  /// Returns the retracted stanza's own id, and the time of the retraction, of a message that an archive has emptied
  /// (section 5).
  static func tombstone(_ message: Element, _ retracted: Element) -> (id: String, time: Timestamp?)? {
    if Moderation.isModerated(retracted) { return nil }
    return StanzaIDs.id(in: message).map { ($0, retracted.attribute("stamp").flatMap { Timestamp(rfc3339: $0) }) }
  }

  /// All that is in the message.
  ///
  /// - Parameter hasFallback: false: another one tells clients that do not know the extension.
  package static func write(_ id: String, hasFallback: Bool = true, into writer: inout XMLWriter) {
    writer.empty("retract", xmlns: namespace, attributes: ["id": id])
    if hasFallback {
      FallbackIndication.write(for: namespace, into: &writer)
      writer.element("body", text: fallback)
    }
    MessageHints.writeStore(into: &writer)
  }
}
