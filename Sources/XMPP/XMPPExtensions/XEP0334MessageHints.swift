package import XML
import XMPPCore

/// XEP-0334: what the author of a message would like servers to do with it.
package enum MessageHints {
  /// Asks archives to keep a message that has no text.
  package static func writeStore(into writer: inout XMLWriter) { writer.empty("store", xmlns: Namespace.hints) }
}
