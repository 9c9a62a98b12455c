package import XML

/// The three kinds of stanza (RFC 6120, section 8).
package enum StanzaKind: String, Sendable, Hashable, CaseIterable {
  case message, presence, iq
}

/// The attributes that all stanzas share (RFC 6120, section 8.1).
package struct StanzaHeader: Sendable, Equatable {
  package var kind: StanzaKind
  /// The `from` as received; nil if the stanza has none, which stands for our own account.
  package var from: String?
  /// Nil where there is none, and where it is no address (`hasBadFrom`).
  package var fromJID: JID?
  package var to: JID?
  package var id: String?
  package var type: String?

  /// True if the stanza's `from` is no valid address. Such a stanza is counted as received, and dropped.
  package var hasBadFrom: Bool { from != nil && fromJID == nil }

  /// Nil where the element is no stanza of a client's stream.
  package init?(_ element: Element) {
    guard let kind = Self.kind(of: element) else { return nil }
    self.kind = kind
    from = element.attribute("from")
    fromJID = from.flatMap { try? JID($0) }
    to = element.attribute("to").flatMap { try? JID($0) }
    id = element.attribute("id")
    type = element.attribute("type")
  }

  /// The kind of stanza that this is, if it is one. Makes no string.
  package static func kind(of element: Element) -> StanzaKind? {
    if element.isNamed(.message, .client) { return .message }
    if element.isNamed(.presence, .client) { return .presence }
    if element.isNamed(.iq, .client) { return .iq }
    return nil
  }
}
