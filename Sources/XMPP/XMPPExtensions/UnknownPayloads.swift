package import XML
import XMPPCore

/// The parts of a message that are not understood yet, stored as received, so that later versions can read them.
package enum UnknownPayloads {
  /// The other children of a message, serialised one after the other, each on its own. Children with fields of their
  /// own (`MessagePayload`) are left out. A further body or subject is one in another language, and is kept.
  ///
  /// If that would be longer than the stanza was on the wire, the namespaces that the children share are declared once,
  /// before them (`Element.serializeBriefly`). The first child with which the result would still be too long, and those
  /// after it, are left out.
  package static func of(_ message: Element) -> [UInt8] {
    let limit = limit(of: message)
    var bytes: [UInt8] = []
    var stored = Stored()
    for child in message.children where !stored.takes(child) {
      if !child.serialize(into: &bytes, inheriting: "", limit: limit - bytes.count) { return brief(message, limit) }
    }
    return bytes
  }

  /// Serialises the whole message; nil if the result is longer than the message was on the wire.
  package static func whole(_ message: Element) -> [UInt8]? {
    var bytes: [UInt8] = []
    let limit = limit(of: message)
    let isWritten =
      message.serialize(into: &bytes, inheriting: "", limit: limit)
      || message.serializeBriefly(into: &bytes, inheriting: "", limit: limit)
    return isWritten ? bytes : nil
  }

  private static func brief(_ message: Element, _ limit: Int) -> [UInt8] {
    var stored = Stored()
    let children = message.children.filter { !stored.takes($0) }
    return Element.serializeBriefly(children, inheriting: message.namespace, limit: limit)
  }

  /// The size of a stanza on the wire in bytes, with its namespace, which the stream header declared there.
  private static func limit(of message: Element) -> Int { message.byteCount + " xmlns='jabber:client'".utf8.count }

  /// The most bytes that earlier versions kept: enough for a whole stanza of quotation marks, each of which became six
  /// bytes.
  private static let longest = 8 * StreamLimits.authenticated.stanzaBytes

  /// Reads them back. Nil where the bytes are not what `of` makes.
  package static func parse(_ bytes: [UInt8]) -> [Element]? {
    var limits = StreamLimits.authenticated
    limits.stanzaBytes = longest + 1_024
    limits.tokenBytes = longest + 1_024
    let start = bytes.first == UInt8(ascii: " ") ? "<all" : "<all>"
    return Element.parse(Array(start.utf8) + bytes + Array("</all>".utf8), limits: limits).map { Array($0.children) }
  }

  /// The children that are stored in fields of their own.
  private struct Stored {
    private var seen = MessagePayload.Set()

    mutating func takes(_ child: Element) -> Bool {
      // The key of a file stands with the file alone.
      if EncryptedSource.isIn(child) { return true }
      guard let payload = MessagePayload.of(child) else { return false }
      let unstored = seen.contains(payload) ? MessagePayload.furtherUnstored : MessagePayload.firstUnstored
      seen.insert(payload)
      return !unstored.contains(payload)
    }
  }
}
