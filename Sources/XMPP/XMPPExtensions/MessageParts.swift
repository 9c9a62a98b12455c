package import Clocks
package import XML

/// The payloads of a message, found in one pass over its children.
package struct MessageParts {
  /// The most payloads that there may be (`MessagePayload.Set` has so many bits).
  static let most = 32

  /// The first of each payload that is there.
  private var places: InlineArray<32, Element.Position>
  private var found = MessagePayload.Set()
  private var repeated = MessagePayload.Set()
  private var hasUnknown = false

  package init(of message: Element) {
    places = InlineArray(repeating: message.position)
    message.forEachChild { note($0) }
  }

  private mutating func note(_ child: Element) {
    guard let payload = MessagePayload.of(child) else { return hasUnknown = true }
    if found.contains(payload) { return repeated.insert(payload) }
    found.insert(payload)
    places[Int(payload.rawValue)] = child.position
  }

  package func has(_ payload: MessagePayload) -> Bool { found.contains(payload) }

  /// The position of the first one.
  package subscript(payload: MessagePayload) -> Element.Position? {
    found.contains(payload) ? places[Int(payload.rawValue)] : nil
  }

  /// The position of the first body with a text, or of the first one: there may be several, in different languages
  /// (RFC 6121, section 5.2.3).
  package func body(of message: Element) -> Element.Position? {
    guard let first = self[.body], repeated.contains(.body), message[first].text.isEmpty else { return self[.body] }
    var place: Element.Position?
    message.forEachChild { child in
      if place == nil, MessagePayload.of(child) == .body, !child.text.isEmpty { place = child.position }
    }
    return place ?? first
  }

  /// The position of the only one.
  package func only(_ payload: MessagePayload) -> Element.Position? {
    repeated.contains(payload) ? nil : self[payload]
  }

  /// True if the message has a payload that only `UnknownPayloads` stores.
  package var hasUnstored: Bool {
    hasUnknown || found.intersects(MessagePayload.firstUnstored) || repeated.intersects(MessagePayload.furtherUnstored)
  }

  /// True if the message has more than traces of its route and payloads that matter only on arrival.
  package var hasContent: Bool { hasUnknown || found.intersects(MessagePayload.content) }

  /// A payload that not everybody may send: it brings a message of somebody's.
  package var restricted: MessagePayload? {
    guard found.intersects(MessagePayload.restricted) else { return nil }
    return MessagePayload.allCases.first { found.contains($0) && MessagePayload.restricted.contains($0) }
  }

  /// True if it may change another message.
  package var hasChange: Bool { found.intersects(MessagePayload.changes) }

  /// True if it brings files, or addresses of files.
  package var hasFiles: Bool { found.intersects(MessagePayload.fileSources) }

  /// True if its text has more parts than the body.
  package var hasMoreToText: Bool { found.intersects(MessagePayload.texts) }

  /// The text of a body without what stands there in place of payloads that are there, and understood.
  package func shown(_ body: String, of message: Element, besides payloads: [MessagePayload]) -> String {
    guard has(.fallback) else { return body }
    let count = body.unicodeScalars.count
    let ranges = payloads.filter(has).flatMap { payload in
      FallbackIndication.ranges(in: message, for: payload.row.names[0].namespace, of: count)
    }
    return ranges.isEmpty ? body : FallbackIndication.cut(ranges, from: body)
  }

  /// How the message changes another one; nil if it does not.
  package func change(of message: Element) -> ChangeRequest? {
    if let place = only(.replace), let id = MessageCorrection.target(message[place]) {
      return .init(.correction, of: id)
    }
    if let place = only(.retract), let (id, reason) = MessageRetraction.target(message[place]) {
      return .init(.retraction(reason: reason), of: id)
    }
    if let place = only(.retracted), !has(.body), let (id, time) = MessageRetraction.tombstone(message, message[place])
    {
      return .init(.retraction(reason: nil), of: id, at: time)
    }
    if let place = only(.reactions), let (id, emoji) = MessageReactions.target(message[place]) {
      return .init(.reactions(emoji), of: id)
    }
    return nil
  }

  /// The id of the occupant of a room who sent the message, if the room says it.
  package func occupantID(of message: Element) -> String? {
    only(.occupantID).flatMap { OccupantID.id(in: message[$0]) }
  }

  /// The method by which the message is encrypted; nil: it is not.
  package func encryption(of message: Element) -> MessageEncryption? {
    has(.encrypted) ? MessageEncryption.of(message, hasOther: hasUnknown || has(.body)) : nil
  }

  /// A change on a node of the sender's (XEP-0163).
  package func event(of message: Element) -> PersonalEvent? { only(.event).flatMap { PersonalEvent(message[$0]) } }

  /// Signals of one message that count.
  private static let mostSignals = 64

  /// True if it may refer to another message.
  package var hasReferences: Bool { found.intersects(MessagePayload.references) }

  /// The message's signals about other ones, with or without a text.
  package func references(of message: Element) -> [MessageSignal] {
    var signals: [MessageSignal] = []
    guard hasReferences else { return signals }
    message.forEachChild { child in
      guard signals.count < Self.mostSignals, let signal = MessagePayload.reference(in: child) else { return }
      signals.append(signal)
    }
    // A displayed message has arrived.
    return signals.filter { if case .delivered(let id) = $0 { !signals.contains(.displayed(id: id)) } else { true } }
  }

  /// The signals of a message without a text; a chat state only counts if there is nothing else.
  package func signals(of message: Element) -> [MessageSignal] {
    let references = references(of: message)
    guard references.isEmpty, has(.chatState), !hasContent, let state = ChatState.of(message) else { return references }
    return [.chatState(state)]
  }
}

/// How a message wants to change another one. The caller decides if it may.
package struct ChangeRequest: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// Its text replaces the other one's (XEP-0308).
    case correction
    /// The other one is taken back (XEP-0424).
    case retraction(reason: String?)
    /// A moderator of the room takes the other one back (XEP-0425). The target is the room's id of it.
    case moderation(reason: String?)
    /// These are the author's reactions, and no others (XEP-0444).
    case reactions([String])
  }

  package let kind: Kind
  /// The stanza's id of the other one.
  package let target: String
  /// When it was made, where that is not the message's own time.
  package let time: Timestamp?

  /// True if the other one is taken back.
  package var takesBack: Bool {
    switch kind {
    case .retraction, .moderation: true
    case .correction, .reactions: false
    }
  }

  package init(_ kind: Kind, of target: String, at time: Timestamp? = nil) {
    (self.kind, self.target, self.time) = (kind, target, time)
  }
}
