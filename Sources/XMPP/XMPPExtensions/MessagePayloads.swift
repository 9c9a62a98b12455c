import XML
package import XMPPCore

/// The children of a message that are understood, in one table, which `MessageParts` and `UnknownPayloads` read. A new
/// payload needs a row here, the file of its extension, and a reader of its value.
package enum MessagePayload: UInt8, CaseIterable, Sendable {
  case body, subject, thread, error, stanzaID, originID, delay, receiptRequest, markable, hint
  case marker, receipt, chatState
  case replace, retract, retracted, reactions, reply, fallback, forwarded, files, outOfBand
  case unstyled, sticker
  case event
  case carbon, archiveResult
  case encrypted, invitation, spoiler
  case occupantID

  var row: Row {
    switch self {
    case .body: Row(names: [Name(.body, .client)], storage: .firstInField)
    case .subject: Row(names: [Name(.subject, .client)], storage: .firstInField)
    case .thread: Row(names: [Name(.thread, .client)], storage: .firstInField, isContent: false)
    case .error: Row(names: [Name("error", Namespace.client)], storage: .field)
    case .stanzaID: Row(names: [Name(.stanzaID, .stanzaIDs)], storage: .field, isContent: false)
    case .originID: Row(names: [Name(.originID, .stanzaIDs)], storage: .field, isContent: false)
    case .delay: Row(names: [Name(.delay, .delayed)], storage: .field, isContent: false)
    case .receiptRequest: Row(names: [Name(.request, .receipts)], storage: .field)
    case .markable: Row(names: [Name(.markable, .chatMarkers)], storage: .field)
    case .hint:
      Row(names: [Name(nil, Namespace.hints)], isContent: false)
    case .replace: Row(names: [Name("replace", MessageCorrection.namespace)], storage: .field)
    case .retract: Row(names: [Name("retract", MessageRetraction.namespace)], storage: .field)
    case .retracted: Row(names: [Name("retracted", MessageRetraction.namespace)], storage: .field)
    case .reactions: Row(names: [Name("reactions", MessageReactions.namespace)], storage: .field)
    case .reply: Row(names: [Name("reply", MessageReplies.namespace)], storage: .firstInField)
    case .fallback: Row(names: [Name("fallback", FallbackIndication.namespace)], storage: .field)
    case .forwarded: Row(names: [Name("forwarded", Namespace.forward)])
    // Kept as they came, too: not all that they may hold is read.
    case .files: Row(names: [Name("file-sharing", FileSharing.namespace)])
    case .outOfBand: Row(names: [Name("x", OutOfBandData.namespace)])
    case .unstyled: Row(names: [Name("unstyled", MessageStyling.namespace)], storage: .field, isContent: false)
    case .sticker: Row(names: [Name("sticker", Stickers.namespace)])
    case .event: Row(names: [Name("event", PersonalEvent.namespace)])
    case .marker:
      Row(names: DisplayedMarker.names.map { Name($0, Namespace.chatMarkers) }, reference: DisplayedMarker.signal)
    case .receipt: Row(names: [Name("received", Namespace.receipts)], reference: DeliveryReceipt.signal)
    case .chatState: Row(names: [Name(nil, ChatState.namespace)], isContent: false)
    case .carbon:
      Row(names: [Name("received", Namespace.carbons), Name("sent", Namespace.carbons)], sender: .ownAccount)
    case .archiveResult: Row(names: [Name("result", Namespace.archive)], sender: .ownAccountOrServer)
    // Kept as they came, for a version that reads them.
    case .encrypted: Row(names: MessageEncryption.names)
    case .invitation: Row(names: RoomInvitation.names)
    case .spoiler: Row(names: [Name("spoiler", Spoilers.namespace)], storage: .firstInField)
    case .occupantID: Row(names: [Name(.occupantID, .occupantIDs)], storage: .field, isContent: false)
    }
  }

  /// One row of the table.
  struct Row: Sendable {
    /// The names of its elements.
    var names: [Name]
    var storage = Storage.payloads
    /// True if a message without a text means something by it: such a message is stored, even if nobody understands it.
    var isContent = true
    var sender = Sender.anybody
    /// The signal of such a child about another message, with or without a text beside it.
    var reference: (@Sendable (_ child: Element) -> MessageSignal?)? = nil
  }

  /// The storage of the payload in the record of a message with a text.
  enum Storage {
    /// In a field of its own.
    case field
    /// The first one in a field of its own, others among the unknown payloads.
    case firstInField
    /// Among the unknown payloads.
    case payloads
  }

  /// The senders that may send it. Others forge it.
  package enum Sender: Sendable {
    case anybody
    /// Our own account, which has to be named (XEP-0280, section 11).
    case ownAccount
    /// Our own account, or a server that names no sender (XEP-0313, section 7.2).
    case ownAccountOrServer

    /// True if the stanza's sender is one of these.
    package func includes(_ sender: JID?, own: JID) -> Bool {
      switch self {
      case .anybody: true
      case .ownAccount: sender == own
      case .ownAccountOrServer: sender == nil || sender == own
      }
    }
  }

  package var sender: Sender { row.sender }
}

/// A signal of a message about another one, or about its sender.
package enum MessageSignal: Sendable, Equatable {
  /// A message with this stanza id reached a client (XEP-0184).
  case delivered(id: String)
  /// All up to the message with this stanza id was displayed (XEP-0333).
  case displayed(id: String)
  /// A message with this stanza id came back (RFC 6120, section 8.3).
  case failed(id: String, StanzaError)
  case chatState(ChatState)

  /// The stanza that says this and nothing else, to be stored until its message is here.
  package func stanza(from: JID, to: JID?) -> [UInt8] {
    var writer = XMLWriter()
    writer.open("message", xmlns: Namespace.client)
    writer.attribute("from", from.description)
    if let to { writer.attribute("to", to.description) }
    switch self {
    case .delivered(let id): writer.empty("received", xmlns: Namespace.receipts, attributes: ["id": id])
    case .displayed(let id): writer.empty("displayed", xmlns: Namespace.chatMarkers, attributes: ["id": id])
    case .failed(let id, let error):
      writer.attribute("type", "error")
      writer.attribute("id", id)
      error.write(into: &writer)
    case .chatState(let state): writer.empty(state.name, xmlns: ChatState.namespace)
    }
    writer.close()
    return writer.bytes
  }

  /// True if it matters only when it is sent.
  package var isEphemeral: Bool { if case .chatState = self { true } else { false } }
}

// MARK: - Looking payloads up

extension MessagePayload {
  /// The name of an element.
  struct Name: Sendable {
    /// Its number among the pairs of known names.
    var pair: Int?
    /// Nil: all of the namespace.
    var local: StaticString?
    var namespace: StaticString

    init(_ local: KnownName, _ namespace: KnownName) {
      self.init(local.text, namespace.text)
      pair = KnownName.pair(local, namespace)
    }

    init(_ local: StaticString?, _ namespace: StaticString) { (self.local, self.namespace) = (local, namespace) }

    fileprivate func matches(_ element: Element) -> Bool {
      local.map { element.isNamed($0, namespace) } ?? element.isIn(namespace)
    }
  }

  private static let rows = allCases.map { (payload: $0, row: $0.row) }
  /// Payloads by pairs of known names.
  private static let known: [MessagePayload?] = {
    var known = [MessagePayload?](repeating: nil, count: KnownName.pairs)
    for (payload, row) in rows { for case let pair? in row.names.map(\.pair) { known[pair] = payload } }
    return known
  }()
  /// Names of which one is not known.
  private static let others = rows.flatMap { entry in
    entry.row.names.filter { $0.pair == nil }.map { (name: $0, payload: entry.payload) }
  }

  /// The payload that a child of a message is; nil: it is unknown.
  static func of(_ child: Element) -> MessagePayload? {
    if let pair = child.knownPair, let payload = known[pair] { return payload }
    return others.first { $0.name.matches(child) }?.payload
  }

  static let changes: Set = [.replace, .retract, .retracted, .reactions]
  static let texts: Set = [.reply, .fallback, .forwarded, .files, .outOfBand, .encrypted, .invitation, .spoiler]
  static let fileSources: Set = [.files, .outOfBand]
  static let content = Set { $0.isContent }
  static let restricted = Set { $0.sender != .anybody }
  /// Payloads of which the first, or another one, is stored among the unknown ones.
  static let firstUnstored = Set { $0.storage == .payloads }
  static let furtherUnstored = Set { $0.storage != .field }
  /// Payloads that say something of another message.
  static let references = Set { $0.reference != nil }

  /// The signal of a message's child about another one; nil: none.
  static func reference(in child: Element) -> MessageSignal? {
    of(child).flatMap { rows[Int($0.rawValue)].row.reference?(child) }
  }

  /// A set of payloads, as bits.
  struct Set: Sendable, ExpressibleByArrayLiteral {
    var bits: UInt32 = 0

    init() {}

    init(arrayLiteral payloads: MessagePayload...) { for payload in payloads { insert(payload) } }

    init(_ belongs: (Row) -> Bool) { for (payload, row) in rows where belongs(row) { insert(payload) } }

    func contains(_ payload: MessagePayload) -> Bool { bits & payload.bit != 0 }
    func intersects(_ other: Set) -> Bool { bits & other.bits != 0 }
    mutating func insert(_ payload: MessagePayload) { bits |= payload.bit }
  }

  private var bit: UInt32 { 1 << UInt32(rawValue) }
}
