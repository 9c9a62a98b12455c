package import XML

/// The payloads of a message, found in one pass over its children.
package struct MessageParts {
  /// The first of each payload that is there.
  private var places: InlineArray<16, Element.Position>
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

  /// The position of the only one.
  package func only(_ payload: MessagePayload) -> Element.Position? {
    repeated.contains(payload) ? nil : self[payload]
  }

  /// Whether there is something that only `UnknownPayloads` stores.
  package var hasUnstored: Bool {
    hasUnknown || found.intersects(MessagePayload.firstUnstored) || repeated.intersects(MessagePayload.furtherUnstored)
  }

  /// Whether there is more than how the message travelled, and what is true only when it is sent.
  package var hasContent: Bool { hasUnknown || found.intersects(MessagePayload.content) }

  /// A payload that not everybody may send: it brings a message of somebody's.
  package var restricted: MessagePayload? {
    guard found.intersects(MessagePayload.restricted) else { return nil }
    return MessagePayload.allCases.first { found.contains($0) && MessagePayload.restricted.contains($0) }
  }

  /// What the message says, if it has no text; an ephemeral signal only counts if there is nothing else.
  package func signal(of message: Element) -> MessageSignal? {
    for (payload, row) in MessagePayload.signals where found.contains(payload) && row.isContent == hasContent {
      if let signal = row.signal?(message) { return signal }
    }
    return nil
  }
}
