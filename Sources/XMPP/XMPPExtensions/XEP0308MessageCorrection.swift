package import XML
import XMPPCore

/// XEP-0308: a message that replaces an earlier one of the same author, as a whole. The recipient decides if the
/// correction is allowed, by the bare JIDs of both (section 5).
package enum MessageCorrection {
  package static let namespace: StaticString = "urn:xmpp:message-correct:0"

  /// The stanza's id of the message that this element says is replaced; nil if there is none that could be one.
  static func target(_ replace: Element) -> String? { StanzaIDs.id(in: replace) }

  /// - Parameter id: of the first version, however often it was corrected (section 5).
  package static func write(_ id: String, into writer: inout XMLWriter) {
    writer.empty("replace", xmlns: namespace, attributes: ["id": id])
  }
}
