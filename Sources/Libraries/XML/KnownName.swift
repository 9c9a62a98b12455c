/// Names that are looked for in every stanza. They have the same number in all nodes, so that they are told without a
/// look at their bytes.
@usableFromInline package enum KnownName: UInt8, CaseIterable, Sendable {
  /// No namespace.
  case none
  case client, stanzaIDs, occupantIDs, delayed, receipts, chatMarkers, xml
  case message, presence, iq
  case body, subject, thread, stanzaID, originID, occupantID, delay, request, markable
  case from, to, id, type, by, lang

  package var text: StaticString {
    switch self {
    case .none: ""
    case .client: "jabber:client"
    case .stanzaIDs: "urn:xmpp:sid:0"
    case .occupantIDs: "urn:xmpp:occupant-id:0"
    case .delayed: "urn:xmpp:delay"
    case .receipts: "urn:xmpp:receipts"
    case .chatMarkers: "urn:xmpp:chat-markers:0"
    case .xml: "http://www.w3.org/XML/1998/namespace"
    case .message: "message"
    case .presence: "presence"
    case .iq: "iq"
    case .body: "body"
    case .subject: "subject"
    case .thread: "thread"
    case .stanzaID: "stanza-id"
    case .originID: "origin-id"
    case .occupantID: "occupant-id"
    case .delay: "delay"
    case .request: "request"
    case .markable: "markable"
    case .from: "from"
    case .to: "to"
    case .id: "id"
    case .type: "type"
    case .by: "by"
    case .lang: "lang"
    }
  }

  /// Its number in all nodes.
  @inlinable var number: UInt32 { UInt32(rawValue) }

  @inlinable static var count: UInt32 { lang.number + 1 }

  /// How many pairs of a local name and a namespace there are.
  package static var pairs: Int { Int(count * count) }

  /// The number of a pair of names, below `pairs`.
  package static func pair(_ local: KnownName, _ namespace: KnownName) -> Int {
    Int(local.number * count + namespace.number)
  }
}
