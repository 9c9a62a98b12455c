package import XML

/// Why the other side ended the stream (RFC 6120, section 4.9).
package struct StreamError: Error, Sendable, Equatable {
  /// A name of section 4.9.3, or `undefined-condition`.
  package var condition: String
  /// For people, from outside, at most 1,000 scalars.
  package var text: String?

  /// Section 4.9.3.
  private static let conditions: [StaticString] = [
    "bad-format", "bad-namespace-prefix", "conflict", "connection-timeout", "host-gone", "host-unknown",
    "improper-addressing", "internal-server-error", "invalid-from", "invalid-namespace", "invalid-xml",
    "not-authorized", "not-well-formed", "policy-violation", "remote-connection-failed", "reset",
    "resource-constraint", "restricted-xml", "see-other-host", "system-shutdown", "undefined-condition",
    "unsupported-encoding", "unsupported-feature", "unsupported-stanza-type", "unsupported-version",
  ]

  package init(condition: String, text: String? = nil) {
    self.condition = condition
    self.text = text
  }

  /// True if the element is a stream error.
  package static func isStreamError(_ element: Element) -> Bool { element.isNamed("error", Namespace.streams) }

  /// Reads `<stream:error/>`. Never fails: what cannot be understood is `undefined-condition`.
  package init(parsing element: Element) {
    let names = element.children.compactMap { child in
      Self.conditions.first { child.isNamed($0, Namespace.streamErrors) }
    }
    condition = names.first.map { "\($0)" } ?? "undefined-condition"
    text = element.child("text", Namespace.streamErrors).map {
      String($0.text.unicodeScalars.prefix(StanzaError.longestText))
    }
  }

  /// The bytes that we send before we close a stream: the error, and the end of the stream. The stream's own prefix is
  /// the one that our header declares, `stream`. `detail` is a condition of an extension's own, as XML.
  package static func closing(_ condition: String, detail: [UInt8] = []) -> [UInt8] {
    let name = conditions.first { "\($0)" == condition } ?? "undefined-condition"
    var writer = XMLWriter()
    writer.open("stream:error")
    writer.empty(name, xmlns: Namespace.streamErrors)
    writer.raw(detail)
    writer.close()
    writer.raw("</stream:stream>".utf8)
    return writer.bytes
  }
}
