package import Clocks
package import XML
package import XMPPCore

/// XEP-0425: a moderator retracts somebody else's message, in version 0.3.0 and, as servers still have it, 0.2.1.
package struct Moderation: Sendable, Equatable {
  package enum Version: Sendable, CaseIterable {
    /// `urn:xmpp:message-moderate:0`, with XEP-0422.
    case zero
    /// `urn:xmpp:message-moderate:1`.
    case one
  }

  private static let namespace: StaticString = "urn:xmpp:message-moderate:1"
  private static let oldNamespace: StaticString = "urn:xmpp:message-moderate:0"
  private static let oldRetraction: StaticString = "urn:xmpp:message-retract:0"
  private static let fasten: StaticString = "urn:xmpp:fasten:0"

  /// The room's id of the message; nil: the message that this stands in.
  package let stanzaID: String?
  /// The moderator, where the room tells.
  package let by: JID?
  package let occupantID: String?
  package let reason: String?
  /// The time of the retraction, if the archive has it.
  package let time: Timestamp?

  /// Asks a room to retract a message.
  ///
  /// - Parameter stanzaID: the room's id of the message (XEP-0359).
  package static func request(
    _ stanzaID: String, in room: JID, reason: String? = nil, _ version: Version, id: String
  ) -> [UInt8] {
    IQ.set(to: room.description, id: id) { writer in
      if version == .zero { writer.open("apply-to", xmlns: fasten, attributes: ["id": stanzaID]) }
      writer.open("moderate", xmlns: version == .zero ? oldNamespace : namespace)
      if version == .one { writer.attribute("id", stanzaID) }
      writer.empty("retract", xmlns: version == .zero ? oldRetraction : MessageRetraction.namespace)
      if let reason { writer.element("reason", text: reason) }
      writer.close()
      if version == .zero { writer.close() }
    }
  }

  /// The announcement that a room sends to everybody; nil: the message is none. Occupants can forge one, so that it counts
  /// from the room itself alone.
  package static func announcement(in message: Element) -> Moderation? {
    guard message.attribute(.type, equals: "groupchat"), MultiUserChat.room(saying: message) != nil else { return nil }
    if let retract = message.onlyChild("retract", MessageRetraction.namespace),
      let moderated = retract.child("moderated", namespace), let id = StanzaIDs.id(in: retract)
    {
      return Moderation(of: id, moderated, reason: retract)
    }
    guard let target = message.onlyChild("apply-to", fasten), let id = StanzaIDs.id(in: target),
      let moderated = target.child("moderated", oldNamespace), moderated.child("retract", oldRetraction) != nil
    else { return nil }
    return Moderation(of: id, moderated, reason: moderated)
  }

  /// The rest of a retracted message in an archive; nil: the message is whole. An occupant can forge it, but only for a
  /// message of their own.
  package static func tombstone(in message: Element) -> Moderation? {
    guard message.child(.body, .client) == nil else { return nil }
    if let retracted = message.onlyChild("retracted", MessageRetraction.namespace),
      let moderated = retracted.child("moderated", namespace)
    {
      return Moderation(of: nil, moderated, reason: retracted, at: retracted)
    }
    guard let moderated = message.onlyChild("moderated", oldNamespace),
      let retracted = moderated.child("retracted", oldRetraction)
    else { return nil }
    return Moderation(of: nil, moderated, reason: moderated, at: retracted)
  }

  /// True if a `<retract/>` or `<retracted/>` is a moderator's.
  static func isModerated(_ retraction: Element) -> Bool { retraction.child("moderated", namespace) != nil }

  private init(of id: String?, _ moderated: Element, reason: Element, at stamped: Element? = nil) {
    stanzaID = id
    by = moderated.jid("by")
    occupantID = OccupantID.of(moderated)
    self.reason = reason.children.first { $0.local == "reason" }?.boundedText
    time = stamped?.attribute("stamp").flatMap { Timestamp(rfc3339: $0) }
  }
}
