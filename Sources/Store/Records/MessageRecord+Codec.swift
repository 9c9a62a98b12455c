import Bytes

extension MessageRecord {
  /// The bits of field 3.
  public struct Flags: OptionSet, Sendable {
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    public static let mine = Flags(rawValue: 1)
    public static let delayed = Flags(rawValue: 2)
    public static let transmitted = Flags(rawValue: 4)
    public static let elsewhere = Flags(rawValue: 8)
    public static let archived = Flags(rawValue: 16)
    public static let counted = Flags(rawValue: 32)
    public static let owesReceipt = Flags(rawValue: 64)
    public static let markable = Flags(rawValue: 128)
    public static let history = Flags(rawValue: 256)
    public static let unstyled = Flags(rawValue: 512)
    public static let news = Flags(rawValue: 1024)
    public static let room = Flags(rawValue: 2048)
    public static let mention = Flags(rawValue: 4096)
    public static let inPrivate = Flags(rawValue: 8192)
    public static let ignored = Flags(rawValue: 16384)
    public static let sealed = Flags(rawValue: 32768)
    /// All flags that this version knows.
    static let known = Flags(rawValue: 65535)

    public func contains(_ flag: Flags) -> Bool { rawValue & flag.rawValue == flag.rawValue }

    mutating func set(_ flag: Flags, _ isSet: Bool) {
      if isSet { insert(flag) } else { remove(flag) }
    }
  }

  /// Time, account, flags, peer, conversation, stanza's id, archive's id; at the end the text.
  static let leadingFields = LeadingFields([2, 1, 3, 4, 5, 11, 13], bytes: 0b111_1000, last: 6)

  /// The account where none is stated.
  package static let usualAccount: UInt32 = 1

  init(from reader: inout FieldReader) throws(FieldError) {
    self.init(account: Self.usualAccount, jid: "", peer: "", time: 0)
    while let number = try reader.next() { try take(number, from: &reader) }
    if jid.isEmpty { jid = Self.bare(peer) }
  }

  private mutating func take(_ number: UInt32, from reader: inout FieldReader) throws(FieldError) {
    switch number {
    case 1: account = try reader.uint(UInt32.self)
    case 2: time = try reader.int()
    case 3: box[0].flags = Flags(rawValue: try reader.uint()).intersection(.known)
    case 4: peer = try reader.string()
    case 5: jid = try reader.string()
    case 6: text = try reader.string()
    case 7: type = try reader.string()
    case 8: subject = try reader.string()
    case 9: thread = try reader.string()
    case 10: language = try reader.string()
    case 11: stanzaID = try reader.string()
    case 12: originID = try reader.string()
    case 13: archiveID = try reader.string()
    case 14: key = try reader.string()
    case 15: claimedTime = try reader.int()
    case 16: payloads = try reader.bytes()
    case 17...19: try takeSender(number, from: &reader)
    case 20: depth = try reader.uint(UInt32.self)
    case 21: place = try reader.uint(UInt32.self)
    case 22: expires = try reader.int()
    case 23: heldUntil = try reader.int()
    case 24: details = try MessageDetails.read(from: reader)
    case 25: target = try reader.uint()
    case 26: occupantID = try reader.string()
    case 27: occupantPresence = try reader.uint()
    case 28: step = try ContentStep.read(from: reader)
    case 30: claimedArchiveID = try reader.string()
    default: break
    }
  }

  private mutating func takeSender(_ number: UInt32, from reader: inout FieldReader) throws(FieldError) {
    var sender = self.sender ?? Sender(uid: 0, pid: 0)
    switch number {
    case 17: sender.uid = try reader.uint(UInt32.self)
    case 18: sender.pid = try reader.uint(UInt32.self)
    default: sender.socket = try reader.string()
    }
    self.sender = sender
  }

  /// Checks each field where it stands: nearly all records of a log are messages.
  static func check(_ reader: inout FieldReader) throws(FieldError) {
    var leading = LeadingValues()
    if try reader.readLeading(into: &leading) {
      guard leading.number(1) <= UInt32.max else { throw .wrongType(number: 1) }
      try reader.checkTexts(of: leading)
    }
    while let number = try reader.next() {
      switch number {
      case 1, 17, 18, 20, 21: _ = try reader.uint(UInt32.self)
      case 2, 3, 15, 22, 23, 25, 27: _ = try reader.uint()
      case 4...14, 19, 26, 30: _ = try reader.text()
      case 16: _ = try reader.range()
      case 24: _ = try MessageDetails.read(from: reader)
      case 28: _ = try ContentStep.read(from: reader)
      default: break
      }
    }
  }

  /// True if field 3 says that the message is mine.
  package static func isMine(flags: UInt64) -> Bool { Flags(rawValue: flags).contains(.mine) }

  /// True if field 3 says that the sender was ignored.
  package static func isIgnored(flags: UInt64) -> Bool { Flags(rawValue: flags).contains(.ignored) }

  /// True if field 3 says that the message has a stamp: it came out of the archive, or was delivered late.
  package static func isStamped(flags: UInt64) -> Bool {
    !Flags(rawValue: flags).isDisjoint(with: [.archived, .delayed])
  }

  /// The JID up to its first slash (RFC 7622, section 3.1: a localpart and a domain have none).
  static func bare(_ jid: String) -> String {
    jid.utf8.firstIndex(of: UInt8(ascii: "/")).map { String(jid[..<$0]) } ?? jid
  }

  /// The JID behind its first slash; empty where there is none.
  static func resource(of jid: String) -> String {
    let bytes = jid.utf8.span
    for index in bytes.indices where bytes[index] == UInt8(ascii: "/") {
      return String(decoding: jid.utf8.dropFirst(index + 1), as: UTF8.self)
    }
    return ""
  }
}

extension MessageRecord: RecordPart {
  static let fields = [
    RecordField(1, "account", .uint, "absent: 1"), RecordField(2, "time", .int),
    RecordField(
      3, "flags", .uint,
      "1 mine, 2 delayed, 4 transmitted, 8 from another of my devices, or imported, 16 taken out of the archive, "
        + "32 the server's next stanza that counts, 64 its sender asked for a receipt and is owed one, "
        + "128 its sender wants to hear when it is read, 256 imported: not sent to named watchers, "
        + "512 no part of its text is styled (XEP-0393), 1024 out of an archive that was not fetched to its beginning, "
        + "2048 of a room, 4096 it names me, 8192 with an occupant of a room in private, "
        + "32768 of a change: it is the record `target` again, encrypted, and leaves so"),
    RecordField(4, "peer", .text), RecordField(5, "conversation", .text, "if not the bare peer"),
    RecordField(6, "text", .text), RecordField(7, "type", .text, "if not `chat`"), RecordField(8, "subject", .text),
    RecordField(9, "thread", .text), RecordField(10, "language", .text), RecordField(11, "stanza-id", .text),
    RecordField(12, "origin-id", .text, "if not the stanza's id"), RecordField(13, "archive-id", .text),
    RecordField(14, "key", .text), RecordField(15, "claimed-time", .int),
    RecordField(16, "payloads", .bytes, "elements not understood, as XML"),
    RecordField(17, "uid", .uint, "who asked for it over a socket"),
    RecordField(18, "pid", .uint, "likewise, if known"),
    RecordField(19, "socket", .text, "likewise: `[socket NAME]`, if not the main one"),
    RecordField(20, "depth", .uint, "of one taken while the archive was fetched backwards: pages before it"),
    RecordField(21, "place", .uint, "of a transmitted one of mine among our stanzas, if they are counted"),
    RecordField(22, "expires", .int, "it is not sent any more from then on"),
    RecordField(23, "held-until", .int, "it is kept back until then"),
    RecordField(24, "details", .fields, MessageDetails.members.inside(behind: "what few messages have")),
    RecordField(25, "target", .uint, "of a change: the record that made the message"),
    RecordField(26, "occupant", .text, "of a room's: the sender's announced id (XEP-0421)"),
    RecordField(27, "presence", .uint, "likewise: its unbroken presence under its nick, a random number"),
    RecordField(28, "step", .fields, ContentStep.members.inside(behind: "what its encryption changes")),
    RecordField(30, "claimed-archive-id", .text, "in our archive's name; it may be forged"),
  ]
}
