package import XML
package import XMPPCore

/// XEP-0085: what somebody is doing in a conversation.
package enum ChatState: String, CaseIterable, Sendable {
  case active, composing, paused, inactive, gone

  package static let namespace: StaticString = "http://jabber.org/protocol/chatstates"

  /// The state in a message; nil if there is none, or more than one (section 5.5).
  package static func of(_ message: Element) -> ChatState? {
    let namespace = Self.namespace.description
    let states = message.children.filter { $0.namespace == namespace }
    return states.count == 1 ? states.first.flatMap { ChatState(rawValue: $0.local) } : nil
  }

  /// The message that reports it, with nothing else in it.
  ///
  /// - Parameters:
  ///   - type: `groupchat` for a room.
  ///   - mark: a further element.
  package func stanza(to: JID, type: String = "chat", beside mark: [UInt8] = []) -> [UInt8] {
    var writer = XMLWriter()
    writer.open("message")
    writer.attribute("to", to.description)
    writer.attribute("type", type)
    writer.empty(name, xmlns: Self.namespace)
    writer.raw(mark)
    writer.close()
    return writer.bytes
  }

  var name: StaticString {
    switch self {
    case .active: "active"
    case .composing: "composing"
    case .paused: "paused"
    case .inactive: "inactive"
    case .gone: "gone"
    }
  }
}
