import XML
package import XMPPCore

/// XEP-0333: whoever asked for it is told up to which of its messages a conversation was read.
package enum DisplayedMarker {
  /// The markers that there are; all but the first were dropped before version 1.0, and are still sent.
  static let names: [StaticString] = ["displayed", "received", "acknowledged"]

  /// Returns the signal of a marker about the message that it names; nil if it names none. An acknowledged message
  /// counts as displayed.
  static func signal(_ marker: Element) -> MessageSignal? {
    MessageNotice.about(marker).map { marker.local == "received" ? .delivered(id: $0) : .displayed(id: $0) }
  }

  /// The marker, which asks for nothing itself.
  ///
  /// - Parameters:
  ///   - to: who wrote the message, or the room: the bare address, for all of its devices.
  ///   - type: `groupchat` for a room.
  ///   - about: the message's id; in a room the one that the room gave (section 4.3, XEP-0359).
  package static func stanza(to: JID, type: String = "chat", id: String, about: String) -> [UInt8] {
    MessageNotice.stanza("displayed", Namespace.chatMarkers, to: to.bare, type: type, id: id, about: about)
  }
}
