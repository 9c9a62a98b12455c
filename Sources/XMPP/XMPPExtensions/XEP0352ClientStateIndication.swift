import XML
import XMPPCore

/// XEP-0352: whether somebody looks at what the server sends. An inactive client lets it hold back what can wait.
package enum ClientStateIndication: Sendable {
  case active, inactive

  /// The element that says so; no stanza, and not answered.
  package var bytes: [UInt8] {
    var writer = XMLWriter()
    writer.empty(self == .active ? "active" : "inactive", xmlns: Namespace.clientState)
    return writer.bytes
  }
}
