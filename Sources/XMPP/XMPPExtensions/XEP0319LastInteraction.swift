package import Clocks
package import XML

/// XEP-0319: since when somebody has not been there, in an available presence.
package enum LastInteraction {
  static let namespace: StaticString = "urn:xmpp:idle:1"

  /// Nil: the presence does not say, or what it says is no time.
  package static func since(in presence: Element) -> Timestamp? {
    presence.child("idle", namespace)?.attribute("since").flatMap { Timestamp(rfc3339: $0) }
  }

  package static func write(since: Timestamp, into writer: inout XMLWriter) {
    writer.empty("idle", xmlns: namespace, attributes: ["since": since.description])
  }
}
