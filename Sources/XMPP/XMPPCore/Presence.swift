package import XML

/// A presence stanza: availability, or a subscription request or answer (RFC 6121, sections 3 and 4).
package struct Presence: Sendable, Equatable {
  /// The type of the stanza; none is `available`.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case available, unavailable, subscribe, subscribed, unsubscribe, unsubscribed, probe, error
  }

  /// How available (section 4.7.2.1); nothing said is neither of these.
  package enum Show: String, Sendable, Hashable, CaseIterable { case chat, away, xa, dnd }

  package var kind: Kind
  package var from: JID?
  package var to: JID?
  package var show: Show?
  /// For people, from outside, at most `longestStatus` scalars.
  package var status: String?
  package var priority: Int8

  package static let longestStatus = 4_096

  package init(
    _ kind: Kind = .available, from: JID? = nil, to: JID? = nil, show: Show? = nil, status: String? = nil,
    priority: Int8 = 0
  ) {
    self.kind = kind
    self.from = from
    self.to = to
    self.show = show
    self.status = status
    self.priority = priority
  }

  /// Nil where the element is no presence, and where its type is unknown. An unknown `show` and a priority that is no
  /// number from -128 to 127 count as not said.
  package init?(_ element: Element) {
    guard element.isNamed("presence", Namespace.client) else { return nil }
    let type = element.attribute("type")
    // "available" is no type on the wire: RFC 6121, section 4.7.1.
    guard let kind = type == nil ? .available : type.flatMap(Kind.init), type != "available" else { return nil }
    self.kind = kind
    from = element.attribute("from").flatMap { try? JID($0) }
    to = element.attribute("to").flatMap { try? JID($0) }
    show = element.child("show", Namespace.client).flatMap { Show(rawValue: $0.text) }
    status = element.child("status", Namespace.client).map {
      String($0.text.unicodeScalars.prefix(Self.longestStatus))
    }
    priority = element.child("priority", Namespace.client).flatMap { Int8($0.text) } ?? 0
  }

  /// The stanza as it goes on a stream whose default namespace is `jabber:client`. The server knows who we are:
  /// `from` is not written.
  ///
  /// - Parameter payload: writes what else stands in it, such as the capabilities of XEP-0115.
  package func serialized(id: String? = nil, _ payload: (inout XMLWriter) -> Void = { _ in }) -> [UInt8] {
    var writer = XMLWriter()
    writer.open("presence")
    if kind != .available { writer.attribute("type", kind.rawValue) }
    writer.attribute("to", to?.description)
    writer.attribute("id", id)
    if let show { writer.element("show", text: show.rawValue) }
    if let status, !status.isEmpty { writer.element("status", text: status) }
    if priority != 0 { writer.element("priority", text: String(priority)) }
    payload(&writer)
    writer.close()
    return writer.bytes
  }
}
