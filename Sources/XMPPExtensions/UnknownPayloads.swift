package import XML
import XMPPCore

/// What of a message is not understood yet, kept as it came, so that later versions can read it.
package enum UnknownPayloads {
  /// The other children of a message, serialised one behind the other, each standing for itself. Left out is what is
  /// stored in other ways: the first body, subject and thread, the error, and what XEP-0184, XEP-0203, XEP-0333 and
  /// XEP-0359 add. A further body or subject is one in another language, and is kept.
  ///
  /// From a child on with which they would be longer than `longest` they are left out: no honest message grows so.
  package static func of(_ message: Element) -> [UInt8] {
    var bytes: [UInt8] = []
    var stored = Stored()
    for child in message.children where !stored.takes(child) {
      if !child.serialize(into: &bytes, inheriting: "", limit: longest - bytes.count) { break }
    }
    return bytes
  }

  /// Bytes of all of them: a whole stanza of nothing but quotation marks has room, each of which becomes six bytes.
  package static let longest = 8 * StreamLimits.authenticated.stanzaBytes

  /// Reads them back. Nil where the bytes are not what `of` makes.
  package static func parse(_ bytes: [UInt8]) -> [Element]? {
    // What was within the limits as it came may be longer as we write it: a quotation mark becomes six bytes.
    var limits = StreamLimits.authenticated
    limits.stanzaBytes = longest + 1_024
    limits.tokenBytes = longest + 1_024
    return Element.parse(Array("<all>".utf8) + bytes + Array("</all>".utf8), limits: limits).map { Array($0.children) }
  }

  /// Which children have been stored already. Looked at for every child of every message: it makes no strings.
  private struct Stored {
    private var body = false
    private var subject = false
    private var thread = false

    mutating func takes(_ child: Element) -> Bool {
      if child.isNamed("body", Namespace.client) { return Self.isFirst(&body) }
      if child.isNamed("subject", Namespace.client) { return Self.isFirst(&subject) }
      if child.isNamed("thread", Namespace.client) { return Self.isFirst(&thread) }
      if DeliveryReceipt.isRequest(child) || DisplayedMarker.isMarkable(child) { return true }
      return child.isNamed("stanza-id", Namespace.stanzaIDs) || child.isNamed("origin-id", Namespace.stanzaIDs)
        || child.isNamed("delay", Namespace.delay) || child.isNamed("error", Namespace.client)
    }

    private static func isFirst(_ taken: inout Bool) -> Bool {
      defer { taken = true }
      return !taken
    }
  }
}
