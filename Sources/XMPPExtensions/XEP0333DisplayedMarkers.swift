package import XML
package import XMPPCore

/// XEP-0333: whoever asked for it is told up to which of its messages a conversation was read.
package enum DisplayedMarker {
  /// The id of the message up to which all was displayed; nil: this one does not say so.
  package static func about(_ message: Element) -> String? {
    MessageNotice.about(message, "displayed", Namespace.chatMarkers)
  }

  /// The marker, which asks for nothing itself.
  ///
  /// - Parameters:
  ///   - to: who wrote the message: the bare address, for all of its devices.
  ///   - about: the message's id.
  package static func stanza(to: JID, id: String, about: String) -> [UInt8] {
    MessageNotice.stanza("displayed", Namespace.chatMarkers, to: to.bare, type: "chat", id: id, about: about)
  }
}
