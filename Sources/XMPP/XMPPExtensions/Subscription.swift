package import XMPPCore

/// RFC 6121, section 3: asking to see somebody's presence, and answering.
package enum SubscriptionRequest {
  /// Asks to see the contact's presence, and says by which name we want to be known (XEP-0172, section 4.1).
  package static func ask(_ jid: JID, nickname: String?) -> [UInt8] {
    Presence(.subscribe, to: jid.bare).serialized { writer in
      if let nickname { Nickname.write(nickname, into: &writer) }
    }
  }

  /// Lets the contact see ours: the answer to a request, or ahead of one where the server can keep it (section 3.4).
  package static func accept(_ jid: JID) -> [UInt8] { write(.subscribed, to: jid) }

  /// Refuses a request, or no longer lets the contact see ours.
  package static func deny(_ jid: JID) -> [UInt8] { write(.unsubscribed, to: jid) }

  /// Requests the present presence of a contact (section 4.3), which a server does by itself at a login.
  package static func probe(_ jid: JID) -> [UInt8] { write(.probe, to: jid) }

  private static func write(_ kind: Presence.Kind, to jid: JID) -> [UInt8] {
    Presence(kind, to: jid.bare).serialized()
  }
}
