/// A room (XEP-0045) as the account knows it: what the user wants of it, and what the room said last. Replaces the
/// record before. Who else is there is not kept: the room says it anew at each join.
package struct RoomRecord: Sendable, Equatable {
  package var account: UInt32
  /// The room's bare JID.
  package var jid: String
  /// The user wants to be in it, on each stream anew.
  package var isWanted = false
  /// True until it is joined if the user asked to create it, should it not exist.
  package var mayBeMade = false
  /// The nick that the user wants; nil: the account's usual one.
  package var nick: String?
  package var password: String?
  /// The bookmark's name (XEP-0402), and the elements of its `extensions`, as they came.
  package var bookmarkName: String?
  package var extensions: [UInt8] = []
  /// Why it is not tried any more; nil: it is, or the user does not want it.
  package var refusal: Refusal?
  package var info: Info?
  /// The id by which the room vouches for me (XEP-0421).
  package var occupantID: String?
  package var affiliation: String?
  package var role: String?
  package var topic: Topic?
  package var invitation: Invitation?
  /// The id in the account's archive of the last invitation, which may be answered by now.
  package var invitationID: String?
  /// Earlier invitations are answered; in milliseconds since 1970.
  package var answeredUntil: Int64?
  /// When I joined it first, in milliseconds since 1970; what is older is history.
  package var firstJoined: Int64?
  /// The nick that was mine last, and where the room gave another than the one wanted.
  package var usedNick: String?
  /// The nicks that were mine before, the last one last.
  package var formerNicks: [String] = []
  /// True if devices are to be in it by its bookmark (XEP-0402), as the server has that; nil: there is none.
  package var autojoinElsewhere: Bool?
  /// The server's bookmark lacks what this one has.
  package var isBookmarkLost = false
  /// Occupants who ask for the right to speak, the newest last; `asksForVoice`: that one asks by this record.
  package var requests: [VoiceRequest] = []
  package var asksForVoice = false
  /// The occupants whose coming and going stands in the history; nil: nobody's.
  package var noise: RoomNoise?
  /// The last state that front ends were told: a word of the line protocol.
  package var state: String?

  package init(account: UInt32, jid: String) { (self.account, self.jid) = (account, jid) }

  /// It says no more than that the room is known.
  package var isUnused: Bool { self == RoomRecord(account: account, jid: jid) }

  /// The room does not take me, or is gone.
  package struct Refusal: Sendable, Equatable {
    /// The defined condition (RFC 6120, section 8.3.3), or `kicked`, `banned`, `affiliation`, `members-only`,
    /// `destroyed`.
    package var condition: String
    /// In words, as the room gave it.
    package var text: String?
    /// Where a room that was destroyed says that it is now.
    package var movedTo: String?

    package init(_ condition: String, text: String? = nil, movedTo: String? = nil) {
      (self.condition, self.text, self.movedTo) = (condition, text, movedTo)
    }
  }

  /// The answer of the room to disco#info.
  package struct Info: Sendable, Equatable {
    /// Bits of `Feature`.
    package var features: UInt64 = 0
    package var name: String?
    package var description: String?
    package var language: String?
    /// The occupants that may send private messages, in the word of XEP-0045.
    package var privateMessages: String?
    /// SHA-1 of its picture, in hexadecimal digits.
    package var avatarHash: String?
    /// When it answered, in milliseconds since 1970.
    package var time: Int64 = 0

    package init() {}
  }

  package struct Topic: Sendable, Equatable {
    package var text = ""
    /// The nick of who set it.
    package var by: String?
    /// Milliseconds since 1970.
    package var time: Int64?

    package init(_ text: String = "", by: String? = nil, time: Int64? = nil) {
      (self.text, self.by, self.time) = (text, by, time)
    }
  }

  package struct Invitation: Sendable, Equatable {
    /// The inviter, by the word of whoever brought it.
    package var from: String?
    package var reason: String?
    package var password: String?
    /// XEP-0249, and not through the room.
    package var isDirect = false
    /// When it came, in milliseconds since 1970.
    package var time: Int64 = 0

    package init() {}
  }

  /// An occupant who asks its moderators for the right to speak.
  package struct VoiceRequest: Sendable, Equatable {
    package var nick: String
    /// As the room shows it.
    package var jid: String?

    package init(_ nick: String = "", jid: String? = nil) { (self.nick, self.jid) = (nick, jid) }
  }

  /// A feature that the room announced, by its bit in `Info.features`.
  package enum Feature: UInt8, Sendable, CaseIterable {
    case membersOnly = 0
    case moderated = 1
    /// Everybody sees the JIDs of all.
    case nonAnonymous = 2
    case persistent = 3
    case isPublic = 4
    case passwordProtected = 5
    /// Its stanza ids (XEP-0359) can be trusted.
    case stanzaIDs = 6
    case archive = 7
    case occupantIDs = 8
    case moderation = 9
    case moderationOfBefore = 10
    case registration = 11
    case voiceRequests = 12
    case gateway = 13
    case hats = 14
  }
}

extension RoomRecord {
  private static let mostFormerNicks = 8

  /// Another nick is mine from now on; nil: none is yet.
  package mutating func use(_ nick: String?) {
    if let usedNick, usedNick != nick {
      formerNicks = (formerNicks.filter { $0 != usedNick } + [usedNick]).suffix(Self.mostFormerNicks)
    }
    usedNick = nick
  }

  /// The user wants to be in the room, or not: that answers each earlier invitation.
  package mutating func want(_ isWanted: Bool, at time: Int64) {
    if invitation != nil || self.isWanted != isWanted { answeredUntil = time }
    (self.isWanted, refusal, invitation) = (isWanted, nil, nil)
  }

  /// I am not in it any more: I have no role there.
  package mutating func exclude(_ refusal: Refusal?, state: String) {
    (self.refusal, self.state) = (refusal, state)
    (affiliation, role) = (nil, nil)
  }

  /// The nicks that are mine, or were.
  package var usedNicks: [String] { formerNicks + (usedNick.map { [$0] } ?? []) }
}

extension RoomRecord.Info {
  package func has(_ feature: RoomRecord.Feature) -> Bool { features & (1 << UInt64(feature.rawValue)) != 0 }

  package mutating func set(_ feature: RoomRecord.Feature, _ isSet: Bool) {
    let bit = UInt64(1) << UInt64(feature.rawValue)
    if isSet { features |= bit } else { features &= ~bit }
  }
}

extension RoomRecord: FieldGroup {
  init() { self.init(account: 0, jid: "") }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "account", &account)
    try fields.one(2, "jid", &jid)
    try fields.flag(3, "wanted", &isWanted, "1: it is joined on each stream")
    try fields.flag(25, "make", &mayBeMade, "1: it is created if it does not exist")
    try fields.one(4, "nick", &nick, "that the user wants; absent: the account's usual one")
    try fields.one(5, "password", &password)
    try fields.one(6, "bookmark-name", &bookmarkName)
    try fields.one(7, "extensions", if: !extensions.isEmpty, &extensions, "of the bookmark (XEP-0402), as XML")
    try fields.one(8, "refusal", &refusal, "why it is not tried any more")
    try fields.one(9, "info", &info, "what the room answered to disco#info")
    try fields.one(10, "occupant", &occupantID, "my id there (XEP-0421)")
    try fields.one(11, "affiliation", &affiliation)
    try fields.one(12, "role", &role)
    try fields.one(13, "topic", &topic)
    try fields.one(14, "invitation", &invitation)
    try fields.one(23, "invitation-id", &invitationID, "of the last one in the account's archive")
    try fields.one(24, "answered-until", &answeredUntil, "earlier invitations are answered")
    try fields.one(15, "first-joined", &firstJoined)
    try fields.one(16, "used-nick", &usedNick, "that was mine last")
    try fields.one(18, "autojoin", &autojoinElsewhere, "as the server's bookmark has it; absent: there is none")
    try fields.flag(19, "lost", &isBookmarkLost, "1: the server's bookmark lacks what this one has")
    try fields.many(22, "former-nick", &formerNicks, "that was mine before; each once, at most 8")
    try fields.one(30, "noise", &noise, "whose coming and going the history shows: 1 of who speaks, 2 of all")
    try fields.one(17, "state", &state, "that front ends were told last")
    try fields.many(20, "requests", &requests, "occupants who ask for the right to speak")
    try fields.flag(21, "asks", &asksForVoice, "1: the last of these asks by this record")
  }
}

extension RoomRecord.Refusal: FieldGroup, FieldValue {
  init() { self.init("") }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "condition", &condition)
    try fields.one(2, "text", &text)
    try fields.one(3, "moved-to", &movedTo)
  }
}

extension RoomRecord.Info: FieldGroup, FieldValue {
  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(
      1, "features", &features,
      """
      by bits from the lowest: members-only, moderated, JIDs shown, persistent, public, password, stanza ids, archive, \
      occupant ids, moderation, the same of before, registration, voice requests, gateway, hats
      """)
    try fields.one(2, "name", &name)
    try fields.one(3, "description", &description)
    try fields.one(4, "language", &language)
    try fields.one(5, "time", &time)
    try fields.one(6, "private-messages", &privateMessages, "who may send them: `anyone`, `participants`, `moderators`")
    try fields.one(7, "avatar", &avatarHash)
  }
}

extension RoomRecord.Topic: FieldGroup, FieldValue {
  init() { self.init("") }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "text", &text)
    try fields.one(2, "by", &by, "the nick of who set it")
    try fields.one(3, "time", &time)
  }
}

extension RoomRecord.VoiceRequest: FieldGroup, FieldValue {
  init() { self.init("") }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "nick", &nick)
    try fields.one(2, "jid", &jid)
  }
}

extension RoomRecord.Invitation: FieldGroup, FieldValue {
  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "from", &from)
    try fields.one(2, "reason", &reason)
    try fields.one(3, "password", &password)
    try fields.flag(4, "direct", &isDirect, "1: not through the room")
    try fields.one(5, "time", &time)
  }
}
