package import XML
package import XMPPCore

/// XEP-0359: ids that survive rewriting.
package enum StanzaIDs {
  /// No id is longer than this; one that is counts as none.
  package static let longest = 1_023

  /// The id that the sender gave. Anybody can put any id there: with the sender's address it tells copies of one
  /// message, alone it proves nothing (section 6).
  package static func originID(of message: Element) -> String? {
    let ids = message.children("origin-id", Namespace.stanzaIDs)
    return ids.count == 1 ? id(of: ids[0]) : nil
  }

  /// The id that this entity's archive gave. It can be trusted only where the entity announces the namespace, for only
  /// then it drops what others write in its name; more than one in its name is none (section 5).
  ///
  /// - Parameter assigner: our own bare address, or a room's.
  package static func stanzaID(of message: Element, by assigner: JID) -> String? {
    let ids = message.children("stanza-id", Namespace.stanzaIDs).filter { element in
      element.attribute("by").flatMap { try? JID($0) } == assigner
    }
    return ids.count == 1 ? id(of: ids[0]) : nil
  }

  private static func id(of element: Element) -> String? {
    guard let id = element.attribute("id"), !id.isEmpty, id.utf8.count <= longest else { return nil }
    return id
  }
}
