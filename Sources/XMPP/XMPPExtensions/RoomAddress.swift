import Bytes
package import XMPPCore

/// A room as a person names it, or as a link does: by its address, with a nick as the resource, or by a URI (RFC 5122,
/// XEP-0147) such as `xmpp:coven@chat.example?join;password=secret;nick=Hecate`.
package struct RoomAddress: Sendable, Equatable {
  package let room: JID
  package let nick: String?
  package let password: String?
  /// True if it is a URI that asks to join (XEP-0045, section 15.7.1). Nick and password of another one do not count.
  package let isJoin: Bool
  /// The type of a URI that asks for something else, such as `message`.
  package let otherAction: String?

  /// Nil: the text is no address that a room can have.
  package init?(_ text: String) {
    guard let jid = try? JID(typed: text), jid.local != nil else { return nil }
    let query = AddressURI.query(in: text)
    let room = jid.bare
    self.room = room
    isJoin = query?.type == "join"
    otherAction = isJoin ? nil : query?.type
    let values = isJoin ? query?.values ?? [:] : [:]
    password = values["password"].flatMap { $0.isEmpty ? nil : $0 }
    nick = jid.resource ?? values["nick"].flatMap { try? room.with(typedResource: $0).resource }
  }
}
