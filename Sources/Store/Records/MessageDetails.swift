package import Bytes

/// Optional content of a message beside its text: a reply, attachments, forwarded messages, changes.
public struct MessageDetails: Sendable, Equatable {
  /// The whole body, where the text is only a part of it (XEP-0428).
  public var plain: String?
  public var reply: MessageReply?
  public var forwarded: [ForwardedText] = []
  public var attachments: [Attachment] = []
  /// The stanza id of a message that it replaces and that is not here (XEP-0308): it stands for itself until that
  /// comes.
  public var replaces: String?
  /// All changes of the message; nil: unchanged.
  public var change: MessageChange?
  /// The scheme by which it is encrypted, if it cannot be read: `text` is empty, and `plain` says so.
  public var unreadable: String?
  /// The hint of a text that its reader opens (XEP-0382); empty: there is no hint, nil: the text is open.
  public var spoiler: String?
  /// The coming or going of an occupant that it shows; nil: somebody said it.
  public var event: OccupantEvent?
  /// How it is encrypted, or is to be; nil: it is not.
  public var seal: MessageSeal?

  public init() {}

  /// Its files, and behind them those of the messages inside, in their order; changed, they are as many.
  public var files: [Attachment] {
    get { attachments + forwarded.flatMap(\.attachments) }
    set {
      var rest = newValue[...]
      attachments = Self.take(attachments.count, of: &rest)
      for index in forwarded.indices {
        forwarded[index].attachments = Self.take(forwarded[index].attachments.count, of: &rest)
      }
    }
  }

  private static func take(_ count: Int, of files: inout ArraySlice<Attachment>) -> [Attachment] {
    defer { files = files.dropFirst(count) }
    return Array(files.prefix(count))
  }
}

/// The message that another one answers (XEP-0461).
public struct MessageReply: Sendable, Equatable {
  /// Its stanza's id.
  public var stanzaID: String
  /// Its author, by the word of who answers.
  public var author: String?
  /// Its record and time, where it is here.
  public var message: UInt64 = 0
  public var time: Int64 = 0
  /// The part of the message that the answer quotes.
  public var quote: String?
  /// True if the message is encrypted, or may yet be, and this one is mine: its words are quoted inside of the encryption
  /// alone.
  public var isSecret = false

  public init(stanzaID: String) { self.stanzaID = stanzaID }
}

/// A message inside of another one (XEP-0297).
public struct ForwardedText: Sendable, Equatable {
  /// Its author and its time, milliseconds since 1970, by the word of who forwards it.
  public var from = ""
  public var time: Int64?
  /// Without the addresses of its files.
  public var text = ""
  public var attachments: [Attachment] = []

  public init() {}
}

/// All changes of a message up to now, and the kind of the last one. The record of a change has all of the message as
/// it stands since (docs/decisions/0075-changed-messages-are-written-whole.md).
public struct MessageChange: Sendable, Equatable {
  public enum Kind: UInt8, Sendable {
    case edit = 1
    case retraction = 2
    case reaction = 3
    /// Addresses or content of the files became known.
    case files = 4
    /// It was unreadable, and is readable now.
    case opened = 5
    /// It left encrypted, and was changed before, while it waited.
    case encrypted = 6
    /// It is kept back, and leaves at another time, or with another text.
    case rescheduled = 7
  }

  public var kind: Kind
  /// I made it, here or on another device.
  public var isMine = false
  /// The occupant of the room who made it; nil: it is mine, or not in a room.
  public var occupant: Occupant?
  /// When it was made, in milliseconds since 1970.
  public var time: Int64 = 0
  /// The record that the message stood in before.
  public var previous: UInt64 = 0
  /// The stanza's id of the change.
  public var stanzaID: String?
  /// Its id in our archive.
  public var archiveID: String?
  /// It goes out from here.
  public var isSent = false
  /// The idempotency key that it was sent with.
  public var key: String?
  /// When the text was changed last, in milliseconds since 1970, and the depth of that change (`ChangePlace`).
  public var edited: Int64?
  public var editedDepth: UInt32 = 0
  /// The record with the text before that.
  public var earlier: UInt64 = 0
  /// Texts from before the last edit that no other record has: they came after it, or before it came here.
  public var texts: [EarlierText] = []
  /// The last record before this one with such texts.
  public var furtherTexts: UInt64 = 0
  public var retraction: Retraction?
  public var reactions: [Reactions] = []
  /// Records that waited for the message, and are in it now.
  public var absorbed: [Absorbed] = []
  /// The ids that it names where that is not the message's own: the room's (XEP-0359), and one for each stanza that the
  /// message left in. Each goes in a stanza of its own.
  public var references: [String] = []
  /// The stanza ids of edits from before it came here, which later edits may name.
  public var editIDs: [String] = []

  public init(_ kind: Kind) { self.kind = kind }

  /// A record that waited for the message.
  public struct Absorbed: Sendable, Equatable {
    public var record: UInt64
    /// The time of a message that stood for itself until then, in milliseconds since 1970.
    public var time: Int64?

    public init(record: UInt64, time: Int64? = nil) { (self.record, self.time) = (record, time) }
  }

  /// A text of the message before an edit.
  public struct EarlierText: Sendable, Equatable {
    /// When it was written, in milliseconds since 1970.
    public var time: Int64
    public var text: String
    /// The depth of a `ChangePlace`.
    public var depth: UInt32 = 0

    public init(time: Int64, text: String, depth: UInt32 = 0) {
      (self.time, self.text, self.depth) = (time, text, depth)
    }
  }

  /// The retraction of a message.
  public struct Retraction: Sendable, Equatable {
    /// Milliseconds since 1970.
    public var time: Int64
    /// A bare JID.
    public var by: String
    public var reason: String?

    public init(time: Int64, by: String, reason: String? = nil) {
      (self.time, self.by, self.reason) = (time, by, reason)
    }
  }

  /// The reactions of one person.
  public struct Reactions: Sendable, Equatable {
    /// A bare JID; of an occupant the JID in the room.
    public var from: String
    public var isMine = false
    public var occupant: Occupant?
    /// When they were sent, in milliseconds since 1970.
    public var time: Int64
    /// The depth of a `ChangePlace`.
    public var depth: UInt32 = 0
    public var emoji: [String] = []

    public init(from: String, time: Int64) { (self.from, self.time) = (from, time) }
  }
}

/// The order of the changes of a message: by time, and for equal times by the archive, whose stamps may be whole
/// seconds.
public struct ChangePlace: Comparable {
  /// In milliseconds since 1970.
  public var time: Int64
  /// The number of archive pages fetched before the change's, if it came while the archive was fetched backwards.
  public var depth: UInt32

  public init(time: Int64, depth: UInt32) { (self.time, self.depth) = (time, depth) }

  public static func < (one: Self, other: Self) -> Bool {
    one.time == other.time ? one.depth > other.depth : one.time < other.time
  }
}

extension MessageRecord {
  public var changePlace: ChangePlace { ChangePlace(time: time, depth: depth) }
}

extension MessageChange {
  /// The order of the last change of the text; nil: never edited.
  public var editPlace: ChangePlace? { edited.map { ChangePlace(time: $0, depth: editedDepth) } }
}

extension MessageChange.Reactions {
  public var place: ChangePlace { ChangePlace(time: time, depth: depth) }
}

extension MessageChange.EarlierText {
  public var place: ChangePlace { ChangePlace(time: time, depth: depth) }
}

// MARK: - Fields

extension MessageDetails {
  /// Reads the details in a field, without the keys of files: for people who may see all but those. Nil: it has none.
  package static func withoutKeys(in reader: borrowing FieldReader) throws(FieldError) -> [UInt8]? {
    var details = try read(from: reader)
    guard details.files.contains(where: { $0.key != nil }) else { return nil }
    details.files = details.files.map { file in
      var file = file
      file.key = file.key.map { _ in .unknown }
      return file
    }
    var writer = FieldWriter()
    details.encode(into: &writer)
    return writer.bytes
  }
}

extension MessageDetails: FieldGroup, FieldValue {
  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "plain", &plain, "the whole body, if the text is a part of it")
    try fields.one(2, "reply", &reply)
    try fields.many(3, "forwarded", &forwarded)
    try fields.one(4, "replaces", &replaces, "the stanza's id of a message that is not here")
    try fields.one(5, "change", &change)
    try fields.many(6, "attachments", &attachments)
    try fields.one(7, "unreadable", &unreadable, "the scheme of an encrypted message that cannot be read")
    try fields.one(8, "spoiler", &spoiler, "the hint of a text that its reader opens")
    try fields.one(9, "event", &event, "the coming or going of an occupant")
    try fields.one(10, "seal", &seal, "how it is encrypted, or is to be")
  }
}

extension MessageReply: FieldGroup, FieldValue {
  init() { self.init(stanzaID: "") }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "stanza-id", &stanzaID, "of the message that it answers")
    try fields.one(2, "author", &author)
    try fields.one(3, "message", if: message != 0, &message, "its record, if it is here")
    try fields.one(4, "time", if: message != 0, &time, "likewise")
    try fields.one(5, "quote", &quote)
    try fields.flag(6, "secret", &isSecret, "1: it is quoted inside of the encryption alone")
  }
}

extension ForwardedText: FieldGroup, FieldValue {
  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "from", &from)
    try fields.one(2, "time", &time)
    try fields.one(3, "text", &text)
    try fields.many(4, "attachments", &attachments)
  }
}

extension MessageChange.Kind: FieldValue {}

extension MessageChange: FieldGroup, FieldValue {
  init() { self.init(.edit) }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(
      1, "kind", &kind,
      """
      the last change: 1 another text, 2 taken back, 3 reactions, 4 files, 5 it can be read now, 6 it left encrypted, \
      7 it leaves at another time or with another text
      """)
    try fields.one(2, "stanza-id", &stanzaID, "of the last change")
    try fields.flag(3, "sent", &isSent, "1: it goes out from here")
    try fields.one(4, "key", &key, "of the last change")
    try fields.one(5, "edited", &edited)
    try fields.one(6, "earlier", if: earlier != 0, &earlier, "the record with the text before the last edit")
    try fields.one(7, "retraction", &retraction)
    try fields.many(8, "reactions", &reactions)
    try fields.many(9, "absorbed", &absorbed, "records that waited for the message, and are in it now")
    try fields.flag(10, "mine", &isMine, "1: I made the last change")
    try fields.one(11, "time", if: time != 0, &time, "of the last change")
    try fields.one(12, "previous", if: previous != 0, &previous, "the record that the message stood in before")
    try fields.many(13, "texts", &texts, "earlier ones that no other record has")
    try fields.one(14, "further-texts", if: furtherTexts != 0, &furtherTexts, "the last record before with such texts")
    try fields.one(15, "archive-id", &archiveID, "of the last change")
    try fields.one(
      16, "edited-depth", if: editedDepth != 0, &editedDepth,
      "of a last edit taken while the archive was fetched backwards: pages before it")
    try fields.many(17, "edit-ids", &editIDs, "stanzas' ids of the edits that the message was imported with")
    try fields.one(18, "occupant", &occupant, "who made the last change, in a room")
    try fields.many(19, "reference", &references, "that a stanza of it names, if it is not the message's id")
  }
}

extension MessageChange.Absorbed: FieldGroup, FieldValue {
  init() { self.init(record: 0) }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "record", &record)
    try fields.one(2, "time", &time, "if it was a message of its own")
  }
}

extension MessageChange.EarlierText: FieldGroup, FieldValue {
  init() { self.init(time: 0, text: "") }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "time", &time)
    try fields.one(2, "text", &text)
    try fields.one(3, "depth", if: depth != 0, &depth, "as edited-depth")
  }
}

extension MessageChange.Retraction: FieldGroup, FieldValue {
  init() { self.init(time: 0, by: "") }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "time", &time)
    try fields.one(2, "by", &by)
    try fields.one(3, "reason", &reason)
  }
}

extension MessageChange.Reactions: FieldGroup, FieldValue {
  init() { self.init(from: "", time: 0) }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "from", &from)
    try fields.flag(2, "mine", &isMine)
    try fields.one(3, "time", &time)
    try fields.many(4, "emoji", &emoji)
    try fields.one(5, "depth", if: depth != 0, &depth, "as edited-depth")
    try fields.one(6, "occupant", &occupant, "in a room")
  }
}

extension Occupant: FieldGroup, FieldValue {
  init() { self.init(nick: "") }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "nick", &nick)
    try fields.one(2, "id", &id, "by which the room vouches for it (XEP-0421)")
    try fields.one(3, "presence", if: presence != 0, &presence, "its unbroken presence under the nick, a random number")
  }
}
