import Bytes

extension MessageRecord {
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

  func encode(into writer: inout FieldWriter) {
    let first = writer.bytes.count
    // Each looked up once.
    let (peer, jid, stanzaID, archiveID, flags) = (peer, jid, stanzaID, archiveID, flags)
    var present: Present = [.time, .peer]
    if account != Self.usualAccount { present.insert(.account) }
    if !flags.isEmpty { present.insert(.flags) }
    // The conversation is the bare form of the peer; only where it is not does it take room.
    if !jid.utf8.span.isBare(of: peer.utf8.span) { present.insert(.conversation) }
    if stanzaID != nil { present.insert(.stanzaID) }
    if archiveID != nil { present.insert(.archiveID) }
    let names = peer.utf8.count + jid.utf8.count + (stanzaID?.utf8.count ?? 0) + (archiveID?.utf8.count ?? 0)
    writer.leading(atMost: 1 + names, numbers: 7) { room in
      room.append(present.rawValue)
      room.leading(time)
      if present.contains(.account) { room.leading(UInt64(account)) }
      if present.contains(.flags) { room.leading(flags.rawValue) }
      room.leading(peer)
      if present.contains(.conversation) { room.leading(jid) }
      if let stanzaID { room.leading(stanzaID) }
      if let archiveID { room.leading(archiveID) }
    }
    if encodeMore(into: &writer) {
      present.insert(.more)
      writer.bytes[first] = present.rawValue
    }
    writer.last(text)
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
}

extension Span<UInt8> {
  /// Whether this JID is the other one's bare form, byte for byte.
  fileprivate func isBare(of full: Span<UInt8>) -> Bool {
    let slash = UInt8(ascii: "/")
    guard count <= full.count, count == full.count || full[count] == slash else { return false }
    return hasBytes(of: full.extracting(first: count)) && !contains(slash)
  }
}
