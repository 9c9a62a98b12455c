import XML
package import XMPPCore

/// A room's description of itself (XEP-0045, section 6.4).
package struct RoomInfo: Sendable, Equatable {
  /// The announced extensions. The raw values are stored: they do not change.
  package struct Features: OptionSet, Sendable, Hashable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The room's `stanza-id` is its own (XEP-0359).
    package static let stanzaIDs = Features(rawValue: 1)
    package static let archive = Features(rawValue: 1 << 1)
    /// Queries by ids (XEP-0313, section 4.1.3).
    package static let extendedArchive = Features(rawValue: 1 << 2)
    package static let occupantIDs = Features(rawValue: 1 << 3)
    /// The room answers self-pings itself (XEP-0410).
    package static let selfPingOptimization = Features(rawValue: 1 << 4)
    /// `urn:xmpp:message-moderate:0` and `:1` (XEP-0425).
    package static let moderationZero = Features(rawValue: 1 << 5)
    package static let moderationOne = Features(rawValue: 1 << 6)
    package static let registration = Features(rawValue: 1 << 7)
    package static let voiceRequests = Features(rawValue: 1 << 8)
    package static let hats = Features(rawValue: 1 << 9)
    /// Reflections keep the stanza's id.
    package static let stableIDs = Features(rawValue: 1 << 10)

    fileprivate static let names: [(String, Features)] = [
      ("urn:xmpp:sid:0", .stanzaIDs), ("urn:xmpp:mam:2", .archive), ("urn:xmpp:mam:2#extended", .extendedArchive),
      ("urn:xmpp:occupant-id:0", .occupantIDs),
      ("http://jabber.org/protocol/muc#self-ping-optimization", .selfPingOptimization),
      ("urn:xmpp:message-moderate:0", .moderationZero), ("urn:xmpp:message-moderate:1", .moderationOne),
      ("jabber:iq:register", .registration), ("http://jabber.org/protocol/muc#request", .voiceRequests),
      ("urn:xmpp:hats:0", .hats), ("http://jabber.org/protocol/muc#stable_id", .stableIDs),
    ]
  }

  /// The occupants that may send private messages (`muc#roomconfig_allowpm`).
  package enum PrivateMessages: String, Sendable, CaseIterable { case anyone, participants, moderators, none }

  package var name: String?
  package var description: String?
  package var subject: String?
  /// XML's code of a language, such as `en`.
  package var language: String?
  /// SHA-1 of the picture of the room's vCard, in hexadecimal digits.
  package var avatarHash: String?
  /// The address of public logs.
  package var logs: String?
  package var contacts: [JID]
  package var occupants: Int?
  package var privateMessages: PrivateMessages?
  package var mayChangeSubject: Bool?
  // Nil: the room does not say, or says both.
  package var isMembersOnly: Bool?
  package var isModerated: Bool?
  package var isNonAnonymous: Bool?
  package var isPersistent: Bool?
  package var isPublic: Bool?
  package var isPasswordProtected: Bool?
  package var features: Features
  /// The other network, such as `irc`, that the room is of.
  package var gateway: String?

  private static let mostContacts = 32

  /// Nil: the entity is neither a room nor a service of rooms.
  package init?(_ info: DiscoInfo) {
    let conference = info.identities.first { $0.category == "conference" }
    guard conference != nil || info.has(MultiUserChat.namespace) else { return nil }
    let announced = Set(info.features)
    features = Features(Features.names.filter { announced.contains($0.0) }.map(\.1))
    func either(_ yes: String, _ no: String) -> Bool? {
      announced.contains(yes) == announced.contains(no) ? nil : announced.contains(yes)
    }
    isMembersOnly = either("muc_membersonly", "muc_open")
    isModerated = either("muc_moderated", "muc_unmoderated")
    isNonAnonymous = either("muc_nonanonymous", "muc_semianonymous")
    isPersistent = either("muc_persistent", "muc_temporary")
    isPublic = either("muc_public", "muc_hidden")
    isPasswordProtected = either("muc_passwordprotected", "muc_unsecured")
    gateway = info.identities.first { $0.category == "gateway" }?.type ?? (conference?.type == "irc" ? "irc" : nil)

    let form = info.form("http://jabber.org/protocol/muc#roominfo")
    func text(_ names: String...) -> String? {
      names.lazy.compactMap { form?.value(of: $0).flatMap(Element.bounded) }.first
    }
    name = conference?.name.flatMap(Element.bounded) ?? text("muc#roomconfig_roomname")
    description = text("muc#roominfo_description", "muc#roomconfig_roomdesc")
    subject = text("muc#roominfo_subject")
    language = text("muc#roominfo_lang", "muc#roomconfig_lang")
    logs = text("muc#roominfo_logs")
    avatarHash = Avatar.hash(
      text("muc#roominfo_avatarhash", "{http://modules.prosody.im/mod_vcard_muc}avatar#sha1"))
    occupants = text("muc#roominfo_occupants").flatMap { UInt32($0) }.map(Int.init)
    let changes = form?["muc#roomconfig_changesubject"] ?? form?["muc#roominfo_changesubject"]
    // Prosody writes a field without a value for no.
    mayChangeSubject = changes.flatMap { $0.values.isEmpty ? false : XMLBoolean.read($0.values.first) }
    privateMessages = text("muc#roomconfig_allowpm").flatMap(Self.privateMessages)
    let contacts = form?["muc#roominfo_contactjid"]?.values ?? []
    self.contacts = contacts.prefix(Self.mostContacts).compactMap { try? JID(typed: $0) }
  }

  /// Older servers have a boolean.
  private static func privateMessages(_ text: String) -> PrivateMessages? {
    PrivateMessages(rawValue: text) ?? XMLBoolean.read(text).map { $0 ? .anyone : .none }
  }
}
