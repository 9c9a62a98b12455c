package import XML
package import XMPPCore

/// XEP-0359: ids that survive rewriting.
package enum StanzaIDs {
  /// Bytes that an id may have; one that is longer counts as none.
  package static let longest = 1_024

  /// The id that this entity's archive gave. It can be trusted only where the entity announces the namespace, for only
  /// then it drops what others write in its name; more than one in its name is none (sections 3 and 5).
  ///
  /// - Parameter assigner: our own bare address, or a room's.
  package static func stanzaID(of message: Element, by assigner: JID) -> String? {
    onlyID(of: message) { $0.isNamed(.stanzaID, .stanzaIDs) && isAssigned($0, by: assigner) }
  }

  /// Addresses are compared as addresses. Nearly always they are written as we write them, and need not be prepared.
  private static func isAssigned(_ element: Element, by assigner: JID) -> Bool {
    if element.attribute(.by, equals: assigner.description) { return true }
    guard let by = element.attribute(.by) else { return false }
    return (try? JID(by)) == assigner
  }

  /// The id of the only child that matches. Called twice for every message: children that do not match cost nothing.
  private static func onlyID(of message: Element, _ matches: (Element) -> Bool) -> String? {
    var found: Element?
    for child in message.children where matches(child) {
      guard found == nil else { return nil }
      found = child
    }
    return found.flatMap { id(in: $0) }
  }

  /// The id that an element of this extension holds.
  package static func id(in element: Element) -> String? {
    guard let id = element.attribute(.id), !id.isEmpty, id.utf8.count <= longest else { return nil }
    return id
  }
}
