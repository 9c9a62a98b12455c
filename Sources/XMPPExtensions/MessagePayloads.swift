import XML
package import XMPPCore

/// What a child of a message can be, in one table, which `MessageParts` and `UnknownPayloads` read. A payload that is new
/// needs a row here, the file of its extension, and who takes its value.
package enum MessagePayload: UInt8, CaseIterable, Sendable {
  case body, subject, thread, error, stanzaID, originID, delay, receiptRequest, markable, hint
  case marker, receipt, chatState
  case replace, retract, retracted, reactions, reply, fallback, forwarded, files, outOfBand
  case unstyled, sticker
  case event
  case carbon, archiveResult

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
      Row(names: [Name("displayed", Namespace.chatMarkers)]) { DisplayedMarker.about($0).map { .displayed(id: $0) } }
    case .receipt:
      Row(names: [Name("received", Namespace.receipts)]) { DeliveryReceipt.about($0).map { .delivered(id: $0) } }
    case .chatState:
      Row(names: [Name(nil, ChatState.namespace)], isContent: false) { ChatState.of($0).map { .chatState($0) } }
    case .carbon:
      Row(names: [Name("received", Namespace.carbons), Name("sent", Namespace.carbons)], sender: .ownAccount)
    case .archiveResult: Row(names: [Name("result", Namespace.archive)], sender: .ownAccountOrServer)
    }
  }

  /// One row of the table.
  struct Row: Sendable {
    /// The names of its elements.
    var names: [Name]
    var storage = Storage.payloads
    /// Whether a message without a text says something by it: such a message is kept, even if nobody understands it.
    var isContent = true
    var sender = Sender.anybody
    /// Its value in a message without a text.
    var signal: (@Sendable (_ message: Element) -> MessageSignal?)? = nil
  }

  /// Where the record of a message with a text has it.
  enum Storage {
    /// In a field of its own.
    case field
    /// The first one in a field of its own, others among the unknown payloads.
    case firstInField
    /// Among the unknown payloads.
    case payloads
  }

  /// Who may send it. Anybody else forges it.
  package enum Sender: Sendable {
    case anybody
    /// Our own account, which has to be named (XEP-0280, section 11).
    case ownAccount
    /// The same, or a server that names nobody (XEP-0313, section 7.2).
    case ownAccountOrServer

    /// Whether it is this sender, by what the stanza says.
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

/// What a message without a text says.
package enum MessageSignal: Sendable, Equatable {
  /// A message with this stanza id reached a client (XEP-0184).
  case delivered(id: String)
  /// All up to the message with this stanza id was displayed (XEP-0333).
  case displayed(id: String)
  case chatState(ChatState)

  /// Whether it is true only when it is sent.
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
  static let texts: Set = [.reply, .fallback, .forwarded, .files, .outOfBand]
  static let fileSources: Set = [.files, .outOfBand]
  static let content = Set { $0.isContent }
  static let restricted = Set { $0.sender != .anybody }
  /// Payloads of which the first, or another one, is stored among the unknown ones.
  static let firstUnstored = Set { $0.storage == .payloads }
  static let furtherUnstored = Set { $0.storage != .field }
  /// Payloads that are signals: those that last before those that do not.
  static let signals = rows.filter { $0.row.signal != nil }

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
