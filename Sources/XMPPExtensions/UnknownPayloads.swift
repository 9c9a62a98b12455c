package import XML
import XMPPCore

/// What of a message is not understood yet, kept as it came, so that later versions can read it.
package enum UnknownPayloads {
  /// The other children of a message, serialised one behind the other, each standing for itself. Left out is what is
  /// stored in other ways: the first body, subject and thread, the error, and the stamps of XEP-0203 and XEP-0359.
  package static func of(_ message: Element) -> [UInt8] {
    var bytes: [UInt8] = []
    var seen: Set<String> = []
    for child in message.children where !isStored(child, &seen) { child.serialize(into: &bytes, inheriting: "") }
    return bytes
  }

  /// Reads them back. Nil where the bytes are not what `of` makes.
  package static func parse(_ bytes: [UInt8]) -> [Element]? {
    Element.parse(Array("<all>".utf8) + bytes + Array("</all>".utf8)).map { Array($0.children) }
  }

  private static func isStored(_ child: Element, _ seen: inout Set<String>) -> Bool {
    if child.isNamed("delay", Namespace.delay) || child.isNamed("stanza-id", Namespace.stanzaIDs)
      || child.isNamed("origin-id", Namespace.stanzaIDs) || child.isNamed("error", Namespace.client)
    {
      return true
    }
    guard child.namespace == "\(Namespace.client)", ["body", "subject", "thread"].contains(child.local) else {
      return false
    }
    // A further body is one in another language.
    return seen.insert(child.local).inserted
  }
}
