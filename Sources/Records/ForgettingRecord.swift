import Bytes

/// The messages of a conversation before this record are hidden from every answer.
package struct ForgettingRecord: Sendable, Equatable {
  package var account: UInt32
  /// The conversation: a bare JID.
  package var jid: String
  /// What the archive had up to this time of its own clock (milliseconds since 1970) was here, or is not wanted any more;
  /// nil: nobody knows.
  package var archive: Int64?

  package init(account: UInt32, jid: String, archive: Int64? = nil) {
    (self.account, self.jid, self.archive) = (account, jid, archive)
  }
}

/// What stands where a message was erased: what it counted for, and by which a copy of it is known; nothing of it can be
/// read. Written by `confab log scrub`, with bytes of no meaning that make it as long as the message was.
package struct ErasedRecord: Sendable, Equatable {
  package var account: UInt32
  /// It came as a stanza of the server's that counts (XEP-0198).
  package var isCounted: Bool
  /// Its place among our stanzas.
  package var place: UInt32?
  /// Hashes, as `MessageIDHash` makes them: of our archive's id, of sender and id of somebody's, of the stanza id of one of
  /// mine, and of its idempotency key.
  package var archiveID: UInt64?
  package var copy: UInt64?
  package var stanzaID: UInt64?
  package var key: UInt64?
  /// Of one with a key: its time, milliseconds since 1970.
  package var time: Int64?

  package init(account: UInt32, isCounted: Bool = false) { (self.account, self.isCounted) = (account, isCounted) }
}

extension ForgettingRecord {
  func encode(into writer: inout FieldWriter) {
    writer.uint(1, UInt64(account))
    writer.string(2, jid)
    if let archive { writer.int(3, archive) }
  }

  init(from reader: inout FieldReader) throws(FieldError) {
    self.init(account: 0, jid: "")
    while let field = try reader.next() {
      switch field {
      case 1: account = try reader.uint(UInt32.self)
      case 2: jid = try reader.string()
      case 3: archive = try reader.int()
      default: break
      }
    }
  }
}

extension ErasedRecord {
  func encode(into writer: inout FieldWriter) {
    writer.uint(1, UInt64(account))
    if isCounted { writer.bool(2, true) }
    if let place { writer.uint(3, UInt64(place)) }
    if let archiveID { writer.fixed64(4, archiveID) }
    if let copy { writer.fixed64(5, copy) }
    if let stanzaID { writer.fixed64(6, stanzaID) }
    if let key { writer.fixed64(7, key) }
    if let time { writer.int(8, time) }
  }

  init(from reader: inout FieldReader) throws(FieldError) {
    self.init(account: 0)
    while let field = try reader.next() {
      switch field {
      case 1: account = try reader.uint(UInt32.self)
      case 2: isCounted = try reader.bool()
      case 3: place = try reader.uint(UInt32.self)
      case 4: archiveID = try reader.fixed64()
      case 5: copy = try reader.fixed64()
      case 6: stanzaID = try reader.fixed64()
      case 7: key = try reader.fixed64()
      case 8: time = try reader.int()
      default: break
      }
    }
  }

  /// The payload of exactly so many bytes, with as much of the hashes as there is room for; nil where there is none for
  /// what it counted for.
  package func payload(of count: Int) -> [UInt8]? {
    var short = self
    if let payload = short.padded(to: count) { return payload }
    (short.key, short.time) = (nil, nil)
    if let payload = short.padded(to: count) { return payload }
    (short.copy, short.stanzaID) = (nil, nil)
    if let payload = short.padded(to: count) { return payload }
    short.archiveID = nil
    return short.padded(to: count)
  }

  private func padded(to count: Int) -> [UInt8]? {
    var writer = FieldWriter()
    encode(into: &writer)
    var bytes = writer.bytes
    // Field 15, of bytes: its length takes as many bytes as there have to be, with leading zeros where fewer would do.
    let rest = count - bytes.count
    if rest == 0 { return bytes }
    guard rest >= 2 else { return nil }
    let lengthBytes = min(rest - 1, 4)
    let length = rest - 1 - lengthBytes
    bytes.append(15 << 3 | 2)
    for index in 0..<lengthBytes {
      let more: UInt8 = index < lengthBytes - 1 ? 0x80 : 0
      bytes.append(UInt8(truncatingIfNeeded: length >> (7 * index)) & 0x7F | more)
    }
    return bytes + [UInt8](repeating: 0, count: length)
  }
}
