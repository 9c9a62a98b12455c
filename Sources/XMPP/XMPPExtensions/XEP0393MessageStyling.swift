package import XML

/// XEP-0393: parts of a text that are shown in another style, by marks around them. `MarkedText` finds them; here is how a
/// message says that it has none (its section 6).
package enum MessageStyling {
  package static let namespace: StaticString = "urn:xmpp:styling:0"

  /// Asks who shows a message to style no part of its text.
  package static func writeUnstyled(into writer: inout XMLWriter) { writer.empty("unstyled", xmlns: namespace) }
}
