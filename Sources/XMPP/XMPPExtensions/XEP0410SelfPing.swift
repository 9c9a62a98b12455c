package import XML
package import XMPPCore

/// XEP-0410: a ping to ourselves in a room, which only the room, or a client of ours that is there, answers.
package enum SelfPing {
  package enum Outcome: Sendable, Equatable {
    case joined
    case notJoined
    /// The nick is nobody's: it was changed, or the room is gone, and with it our membership. The room's description says
    /// which.
    case nickChangedOrGone
    /// The room is gone, and says where to.
    case gone(movedTo: JID?)
    /// The service cannot be reached.
    case unknown
  }

  /// - Parameter occupant: the room with our nick as the resource.
  package static func request(_ occupant: JID, id: String) -> [UInt8] { Ping.request(to: occupant, id: id) }

  /// Returns the meaning of an answer, a result or an error. No answer at all means as much as `unknown`.
  package static func outcome(of answer: Element) -> Outcome {
    guard answer.attribute(.type, equals: "error") else { return .joined }
    switch StanzaError(parsing: answer).condition {
    // A client of ours is there, and knows no pings.
    case "service-unavailable", "feature-not-implemented": return .joined
    case "item-not-found": return .nickChangedOrGone
    case "gone": return .gone(movedTo: MultiUserChat.movedTo(answer))
    case "remote-server-not-found", "remote-server-timeout": return .unknown
    default: return .notJoined
    }
  }
}
