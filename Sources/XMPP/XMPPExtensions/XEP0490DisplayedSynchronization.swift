package import XML
package import XMPPCore

/// XEP-0490: up to which message each conversation was displayed, for our own devices: one item for each conversation,
/// with its bare JID as the id.
package enum DisplayedSynchronization {
  package static let namespace: StaticString = "urn:xmpp:mds:displayed:0"
  package static let node = "\(namespace)"
  /// Our own devices alone may read the node, and it keeps all conversations.
  package static let options = NodeOptions(.whitelist, mostItems: "max", sendsLastItem: false)

  /// The conversation that an item is about, and the id of the displayed message in the archive of our account, or in that
  /// of the room that the item is about; nil if it names neither.
  ///
  /// - Parameter isRoom: true of the address of a room.
  package static func displayed(
    in item: PubSub.Item, of account: JID, isRoom: (JID) -> Bool
  ) -> (conversation: JID, stanzaID: String)? {
    guard let jid = item.id.flatMap({ try? JID($0) }), jid.isBare, let displayed = item.payload,
      displayed.isNamed("displayed", namespace),
      let id = StanzaIDs.stanzaID(of: displayed, by: isRoom(jid) ? jid : account)
    else { return nil }
    return (jid, id)
  }

  /// Writes the `<displayed/>` of an item.
  ///
  /// - Parameter archive: the account or the room that gave the id.
  package static func write(_ stanzaID: String, by archive: JID, into writer: inout XMLWriter) {
    writer.open("displayed", xmlns: namespace)
    writer.empty(
      "stanza-id", xmlns: Namespace.stanzaIDs, attributes: ["by": archive.description, "id": stanzaID])
    writer.close()
  }
}
