import Bytes

extension MessageRecord {
  /// The bits of field 3.
  struct Flags: OptionSet {
    let rawValue: UInt64
    static let mine = Flags(rawValue: 1)
    static let delayed = Flags(rawValue: 2)
    static let transmitted = Flags(rawValue: 4)
    static let elsewhere = Flags(rawValue: 8)
    static let archived = Flags(rawValue: 16)
    static let counted = Flags(rawValue: 32)
    static let owesReceipt = Flags(rawValue: 64)
    static let markable = Flags(rawValue: 128)
  }

  /// Time, account, flags, peer, conversation, stanza's id, archive's id; at the end the text.
  static let leadingFields = LeadingFields([2, 1, 3, 4, 5, 11, 13], bytes: 0b111_1000, last: 6)

  /// The bits of the payload's first byte: which of them are there.
  private struct Present: OptionSet {
    let rawValue: UInt8
    static let time = Present(rawValue: 1)
    static let account = Present(rawValue: 2)
    static let flags = Present(rawValue: 4)
    static let peer = Present(rawValue: 8)
    static let conversation = Present(rawValue: 16)
    static let stanzaID = Present(rawValue: 32)
    static let archiveID = Present(rawValue: 64)
    static let more = Present(rawValue: LeadingFields.moreBit)
  }

  /// The account where none is stated.
  package static let usualAccount: UInt32 = 1

  func encode(into writer: inout FieldWriter) {
    let first = writer.bytes.count
    writer.bytes.append(0)
    var present: Present = [.time, .peer]
    writer.leading(time)
    if account != Self.usualAccount {
      present.insert(.account)
      writer.leading(UInt64(account))
    }
    if !flags.isEmpty {
      present.insert(.flags)
      writer.leading(flags.rawValue)
    }
    writer.leading(peer)
    // The conversation is the bare form of the peer; only where it is not does it take room.
    if !Self.isBare(jid, of: peer) {
      present.insert(.conversation)
      writer.leading(jid)
    }
    if let stanzaID {
      present.insert(.stanzaID)
      writer.leading(stanzaID)
    }
    if let archiveID {
      present.insert(.archiveID)
      writer.leading(archiveID)
    }
    if encodeMore(into: &writer) { present.insert(.more) }
    writer.last(text)
    writer.bytes[first] = present.rawValue
  }

  /// Writes what few messages have; false, and nothing, where this one has none of it.
  private func encodeMore(into writer: inout FieldWriter) -> Bool {
    let start = writer.bytes.count
    writer.group { encodeTagged(into: &$0) }
    if writer.bytes.count > start + 1 { return true }
    writer.bytes.removeLast()
    return false
  }

  private func encodeTagged(into writer: inout FieldWriter) {
    if type != "chat" { writer.string(7, type) }
    if let subject { writer.string(8, subject) }
    if let thread { writer.string(9, thread) }
    if let language { writer.string(10, language) }
    if let originID { writer.string(12, originID) }
    if let key { writer.string(14, key) }
    if let claimedTime { writer.int(15, claimedTime) }
    if !payloads.isEmpty { writer.bytes(16, payloads) }
    if let sender { encode(sender, into: &writer) }
    if depth > 0 { writer.uint(20, UInt64(depth)) }
    if let place { writer.uint(21, UInt64(place)) }
    if let expires { writer.int(22, expires) }
    if let heldUntil { writer.int(23, heldUntil) }
  }

  private func encode(_ sender: Sender, into writer: inout FieldWriter) {
    writer.uint(17, UInt64(sender.uid))
    if sender.pid != 0 { writer.uint(18, UInt64(sender.pid)) }
    if let socket = sender.socket { writer.string(19, socket) }
  }

  init(from reader: inout FieldReader) throws(FieldError) {
    self.init(account: reader.hasLeadingFields ? Self.usualAccount : 0, jid: "", peer: "", time: 0)
    while let number = try reader.next() { try take(number, from: &reader) }
    if jid.isEmpty { jid = Self.bare(peer) }
  }

  private mutating func take(_ number: UInt32, from reader: inout FieldReader) throws(FieldError) {
    switch number {
    case 1: account = try reader.uint(UInt32.self)
    case 2: time = try reader.int()
    case 3: set(Flags(rawValue: try reader.uint()))
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

  private var flags: Flags {
    var flags: Flags = []
    if mine { flags.insert(.mine) }
    if delayed { flags.insert(.delayed) }
    if transmitted { flags.insert(.transmitted) }
    if elsewhere { flags.insert(.elsewhere) }
    if archived { flags.insert(.archived) }
    if isCounted { flags.insert(.counted) }
    if owesReceipt { flags.insert(.owesReceipt) }
    if isMarkable { flags.insert(.markable) }
    return flags
  }

  private mutating func set(_ flags: Flags) {
    mine = flags.contains(.mine)
    delayed = flags.contains(.delayed)
    transmitted = flags.contains(.transmitted)
    elsewhere = flags.contains(.elsewhere)
    archived = flags.contains(.archived)
    isCounted = flags.contains(.counted)
    owesReceipt = flags.contains(.owesReceipt)
    isMarkable = flags.contains(.markable)
  }

  /// Whether field 3 says that the message is mine.
  package static func isMine(flags: UInt64) -> Bool { Flags(rawValue: flags).contains(.mine) }

  /// Whether field 3 says that the message has a stamp: it came out of the archive, or was handed over late.
  package static func isStamped(flags: UInt64) -> Bool {
    !Flags(rawValue: flags).isDisjoint(with: [.archived, .delayed])
  }

  /// Whether one JID is the other one's bare form, byte for byte. Makes no string.
  private static func isBare(_ jid: String, of peer: String) -> Bool {
    let (bare, full) = (jid.utf8.span, peer.utf8.span)
    guard bare.count <= full.count else { return false }
    for index in bare.indices where bare[index] != full[index] || bare[index] == UInt8(ascii: "/") { return false }
    return bare.count == full.count || full[bare.count] == UInt8(ascii: "/")
  }

  /// The JID up to its first slash (RFC 7622, section 3.1: a localpart and a domain have none).
  private static func bare(_ jid: String) -> String {
    jid.utf8.firstIndex(of: UInt8(ascii: "/")).map { String(jid[..<$0]) } ?? jid
  }
}
