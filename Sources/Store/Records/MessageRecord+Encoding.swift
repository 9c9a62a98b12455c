import Bytes

extension MessageRecord {
  func encode(into writer: inout FieldWriter) { lend { $0.encode(into: &writer) } }
}

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

extension MessageRecord.Lent {
  /// Writes all of it into memory that is reserved at once.
  fileprivate func encode(into writer: inout FieldWriter) {
    let present = fields.present
    let details = fields.rare.first?.details?.encoded ?? []
    let step = fields.rare.first?.step?.encoded ?? []
    let most = fields.mostBytes + details.count + step.count
    writer.append(atMost: most, numbers: fields.mostNumbers) { output in
      output.append(present.rawValue)
      output.leading(fields.time)
      if present.contains(.account) { output.leading(UInt64(fields.account)) }
      if present.contains(.flags) { output.leading(fields.flags.rawValue) }
      output.leading(fields.peer.utf8.span)
      if present.contains(.conversation) { output.leading(fields.jid.utf8.span) }
      if let stanzaID = fields.stanzaID { output.leading(stanzaID.utf8.span) }
      if let archiveID = fields.archiveID { output.leading(archiveID.utf8.span) }
      if present.contains(.more) { output.group { fields.encodeTagged(into: &$0, details, step) } }
      output.append(copying: fields.text.utf8.span)
    }
  }
}

extension MessageRecord.Fields {
  fileprivate var present: Present {
    var present: Present = [.time, .peer]
    if account != MessageRecord.usualAccount { present.insert(.account) }
    if !flags.isEmpty { present.insert(.flags) }
    // Without it the conversation is the bare form of the peer.
    if !jid.utf8.span.isBare(of: peer.utf8.span) { present.insert(.conversation) }
    if stanzaID != nil { present.insert(.stanzaID) }
    if archiveID != nil { present.insert(.archiveID) }
    let isOfOccupant = occupantID != nil || occupantPresence > 0
    if language != nil || depth > 0 || isOfOccupant || !rare.isEmpty { present.insert(.more) }
    return present
  }

  /// The most that it takes beside numbers.
  fileprivate var mostBytes: Int {
    let texts = peer.utf8.count + jid.utf8.count + text.utf8.count
    let others = language.utf8Count + stanzaID.utf8Count + archiveID.utf8Count + occupantID.utf8Count
    return 1 + texts + others + (rare.first?.mostBytes ?? 0)
  }

  /// The numbers, lengths and tags.
  fileprivate var mostNumbers: Int { 14 + (rare.isEmpty ? 0 : 2 * 18) }

  fileprivate func encodeTagged(into output: inout OutputSpan<UInt8>, _ details: [UInt8], _ step: [UInt8]) {
    if let rare = rare.first { rare.encodeTexts(into: &output) }
    if let language { output.field(10, language.utf8.span) }
    if let rare = rare.first { rare.encodeIDs(into: &output) }
    if depth > 0 { output.field(20, UInt64(depth)) }
    if let rare = rare.first { rare.encodeTimes(into: &output) }
    if !details.isEmpty { output.field(24, details.span) }
    if let target = rare.first?.target { output.field(25, target) }
    if let occupantID { output.field(26, occupantID.utf8.span) }
    if occupantPresence > 0 { output.field(27, occupantPresence) }
    if !step.isEmpty { output.field(28, step.span) }
  }
}

extension FieldGroup {
  fileprivate var encoded: [UInt8] {
    var writer = FieldWriter()
    encode(into: &writer)
    return writer.bytes
  }
}

extension MessageRecord.Rare {
  /// The most that it takes beside numbers.
  fileprivate var mostBytes: Int {
    let texts = type.utf8.count + subject.utf8Count + thread.utf8Count + originID.utf8Count + key.utf8Count
    return texts + (sender?.socket).utf8Count + claimedArchiveID.utf8Count + payloads.count
  }

  fileprivate func encodeTexts(into output: inout OutputSpan<UInt8>) {
    if type != "chat" { output.field(7, type.utf8.span) }
    if let subject { output.field(8, subject.utf8.span) }
    if let thread { output.field(9, thread.utf8.span) }
  }

  fileprivate func encodeIDs(into output: inout OutputSpan<UInt8>) {
    if let originID { output.field(12, originID.utf8.span) }
    if let key { output.field(14, key.utf8.span) }
    if let claimedTime { output.field(15, claimedTime) }
    if !payloads.isEmpty { output.field(16, payloads.span) }
    guard let sender else { return }
    output.field(17, UInt64(sender.uid))
    if sender.pid != 0 { output.field(18, UInt64(sender.pid)) }
    if let socket = sender.socket { output.field(19, socket.utf8.span) }
  }

  fileprivate func encodeTimes(into output: inout OutputSpan<UInt8>) {
    if let place { output.field(21, UInt64(place)) }
    if let expires { output.field(22, expires) }
    if let heldUntil { output.field(23, heldUntil) }
    if let claimedArchiveID { output.field(30, claimedArchiveID.utf8.span) }
  }
}

extension String? {
  fileprivate var utf8Count: Int { self?.utf8.count ?? 0 }
}

extension Span<UInt8> {
  /// True if this JID is the bare form of `full`, byte for byte.
  fileprivate func isBare(of full: Span<UInt8>) -> Bool {
    let slash = UInt8(ascii: "/")
    guard count <= full.count, count == full.count || full[count] == slash else { return false }
    return hasBytes(of: full.extracting(first: count)) && !contains(slash)
  }
}
