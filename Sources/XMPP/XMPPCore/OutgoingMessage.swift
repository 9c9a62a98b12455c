package import Clocks
import XML

/// A message of ours on its way out (RFC 6121, section 5).
///
/// It is written the same way each time that it is sent, but for the delay stamp: what was transmitted before goes
/// again with the same ids, so that whoever has it can tell.
package struct OutgoingMessage: Sendable, Equatable {
  package var to: JID
  /// The stanza's id.
  package var id: String
  /// XEP-0359: equal in every copy of the message, whoever rewrites the stanza's id.
  package var originID: String
  /// Nil: it has none.
  package var text: String?
  /// The other payloads, as XML.
  package var payloads: [UInt8] = []
  /// RFC 6121, section 5.2.2.
  package var type: String
  /// When it was written, where that is not now: a message that waited, or that goes a second time (XEP-0203).
  package var delay: Timestamp?
  /// The `from` of the delay: our own address.
  package var delayedBy: JID?
  /// Asks to hear when it is delivered (XEP-0184).
  package var isFollowed = false
  /// Asks to hear when it is read (XEP-0333).
  package var isMarkable = false

  package init(
    to: JID, id: String, originID: String, text: String?, type: String = "chat", delay: Timestamp? = nil,
    delayedBy: JID? = nil
  ) {
    self.to = to
    self.id = id
    self.originID = originID
    self.text = text
    self.type = type
    self.delay = delay
    self.delayedBy = delayedBy
  }

  /// Appends the stanza as it goes on a stream whose default namespace is `jabber:client`.
  package func serialize(into bytes: inout [UInt8]) {
    // The caller's bytes are moved in and out, not copied.
    var taken: [UInt8] = []
    swap(&taken, &bytes)
    var writer = XMLWriter(taken)
    taken = []
    write(into: &writer)
    bytes = writer.bytes
  }

  private func write(into writer: inout XMLWriter) {
    writer.open("message")
    writer.attribute("to", to.description)
    writer.attribute("id", id)
    writer.attribute("type", type)
    if let text { writer.element("body", text: text) }
    writer.open("origin-id", xmlns: Namespace.stanzaIDs)
    writer.attribute("id", originID)
    writer.close()
    writer.raw(payloads)
    if isFollowed { writer.empty("request", xmlns: Namespace.receipts) }
    if isMarkable { writer.empty("markable", xmlns: Namespace.chatMarkers) }
    if let delay {
      writer.open("delay", xmlns: Namespace.delay)
      writer.attribute("from", delayedBy?.description)
      writer.attribute("stamp", delay.rfc3339)
      writer.close()
    }
    writer.close()
  }
}
