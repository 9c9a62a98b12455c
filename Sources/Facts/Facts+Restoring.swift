import Bytes
package import Clocks
import Conversations
import MessageLog
import Records

/// Reading a checkpoint back.
extension Facts {
  /// Facts from a checkpoint's body; nil where it is not one that this version wrote whole.
  ///
  /// - Parameter pages: those of the index beside it. Without the ones that the checkpoint names it is worth nothing.
  package static func restored(
    from body: [UInt8], sequence: UInt64, gap: Interval, pages: IndexPages? = nil
  ) -> Facts? {
    let facts = Facts(gap: gap, pages: pages)
    var named = NamedPages(end: pages?.pages(asOf: sequence) ?? 0)
    let isWhole = try? FieldReader.read(body) { reader throws(FieldError) in try facts.read(&reader, &named) }
    guard isWhole == true, named.areSound else { return nil }
    facts.restored(to: sequence)
    pages?.restored(named.pages, of: sequence)
    return facts
  }

  /// The pages that a checkpoint names: each once, and each there.
  private struct NamedPages {
    let end: UInt32
    private(set) var pages: Set<UInt32> = []
    private(set) var areSound = true

    init(end: UInt32) { self.end = end }

    mutating func name(_ page: UInt32) {
      areSound = areSound && page > 0 && page < end && pages.insert(page).inserted
    }
  }

  /// True where it was read to its mark of the end.
  private func read(_ reader: inout FieldReader, _ named: inout NamedPages) throws(FieldError) -> Bool {
    while let field = try reader.next() {
      switch field {
      case Field.version: if try reader.uint() != Self.checkpointVersion { return false }
      case Field.record: try reader.message { inner throws(FieldError) in try readRecord(&inner) }
      case Field.conversation:
        guard try reader.message({ inner throws(FieldError) in try readConversation(&inner, &named) }) else {
          return false
        }
      case Field.outbox: try reader.message { inner throws(FieldError) in try readOutbox(&inner) }
      case Field.key, Field.stanzaID, Field.incoming, Field.archiveID:
        try reader.message { inner throws(FieldError) in try readToken(field, &inner) }
      case Field.owed: try reader.message { inner throws(FieldError) in try readOwed(&inner) }
      case Field.refused: try reader.message { inner throws(FieldError) in try readRefused(&inner) }
      case Field.failure: try reader.message { inner throws(FieldError) in try readFailure(&inner) }
      case Field.stretch:
        stretches.restore(try reader.message { inner throws(FieldError) in try Self.readStretch(&inner) })
      case Field.end: return true
      default: return false
      }
    }
    return false
  }

  private func readRecord(_ reader: inout FieldReader) throws(FieldError) {
    var kind: UInt8 = 0
    while let field = try reader.next() {
      if field == 1 { kind = try reader.uint(UInt8.self) }
      if field == 2 { fold(try Record(kind: kind, payload: try reader.bytes()), sequence: 0, location: 0) }
    }
  }

  /// False where it is none that there can be.
  private func readConversation(
    _ reader: inout FieldReader, _ named: inout NamedPages
  ) throws(FieldError) -> Bool {
    var account: UInt32 = 0
    var conversation: Conversation?
    var pieces: [Timeline.Piece] = []
    var readTime: Int64 = 0
    var read: Conversation.Place?
    var unread = 0
    while let field = try reader.next() {
      switch field {
      case 1: account = try reader.uint(UInt32.self)
      case 2: conversation = self.conversation(account, try reader.string())
      case 3: pieces.append(.held(try reader.message { inner throws(FieldError) in try Self.readEntries(&inner) }))
      case 4: readTime = try reader.int()
      case 5: read = .init(time: Timestamp(milliseconds: readTime), id: try reader.uint())
      case 6: conversation?.draft = try reader.string()
      case 7: unread = Int(try reader.uint(UInt32.self))
      case 8:
        let chunk = try reader.message { inner throws(FieldError) in try Self.readChunk(&inner) }
        named.name(chunk.page.number)
        pieces.append(.stored(chunk))
      default: break
      }
    }
    guard let conversation else { return true }
    return changing(conversation) { conversation.restore(pieces, unread: unread, read: read, from: pages) }
  }

  private static func readChunk(_ reader: inout FieldReader) throws(FieldError) -> StoredChunk {
    var chunk = StoredChunk(
      page: IndexPage(number: 0, checksum: 0), count: 0, first: Entry.Key(time: Timestamp(milliseconds: 0), id: 0),
      lastTime: Timestamp(milliseconds: 0), longestStep: .max)
    while let field = try reader.next() {
      switch field {
      case 1: chunk.page.number = try reader.uint(UInt32.self)
      case 2: chunk.page.checksum = try reader.uint(UInt32.self)
      case 3: chunk.count = try reader.uint(UInt16.self)
      case 4: chunk.first.time = Timestamp(milliseconds: try reader.int())
      case 5: chunk.first.id = try reader.uint()
      case 6: chunk.first.archiveOrder = try reader.uint(UInt32.self)
      case 7: chunk.lastTime = Timestamp(milliseconds: try reader.int())
      case 8: chunk.longestStep = try reader.uint(UInt32.self)
      default: break
      }
    }
    return chunk
  }

  private static func readEntries(_ reader: inout FieldReader) throws(FieldError) -> [Entry] {
    var entries: [Entry] = []
    var entry = Entry(time: Timestamp(milliseconds: 0), id: 0, location: 0)
    while let field = try reader.next() {
      switch field {
      case 1: entry.time = Timestamp(milliseconds: Int64(bitPattern: try reader.fixed64()))
      case 2: entry.id = try reader.uint()
      case 3: entry.location = try reader.uint()
      case 4: entry.archiveOrder = try reader.uint(UInt32.self)
      case 5:
        entry.flags = EntryFlags(rawValue: try reader.uint(UInt16.self))
        entries.append(entry)
      default: break
      }
    }
    return entries
  }

  private static func readStretch(_ reader: inout FieldReader) throws(FieldError) -> Stretch {
    var first = LogLocation(packed: 0)
    var last: UInt32 = 0
    var earliest: Int64 = 0
    var latest: Int64 = 0
    while let field = try reader.next() {
      switch field {
      case 1: first = LogLocation(packed: try reader.uint())
      case 2: last = try reader.uint(UInt32.self)
      case 3: earliest = try reader.int()
      case 4: latest = try reader.int()
      default: break
      }
    }
    return Stretch(
      ordinal: first.ordinal, first: first.offset, last: last, earliest: Timestamp(milliseconds: earliest),
      latest: Timestamp(milliseconds: latest))
  }

  private func readOutbox(_ reader: inout FieldReader) throws(FieldError) {
    var account: UInt32 = 0
    var entry = Outbox.Entry(id: 0, location: 0, jid: "", time: Timestamp(milliseconds: 0), transmitted: false)
    var isHeld = false
    while let field = try reader.next() {
      switch field {
      case 1: account = try reader.uint(UInt32.self)
      case 2:
        entry.id = try reader.uint()
        entry.order = entry.id
      case 3: entry.location = try reader.uint()
      case 4: entry.jid = try reader.string()
      case 5: entry.time = Timestamp(milliseconds: try reader.int())
      case 6: entry.transmitted = try reader.bool()
      case 7: entry.inDoubt = try reader.bool()
      case 8: entry.suspicions = try reader.uint(UInt8.self)
      case 9: entry.place = try reader.uint(UInt32.self)
      case 10: entry.expires = Timestamp(milliseconds: try reader.int())
      case 11: entry.heldUntil = Timestamp(milliseconds: try reader.int())
      case 12: entry.order = try reader.uint()
      case 13: isHeld = try reader.bool()
      default: break
      }
    }
    if isHeld { accounts[account]?.outbox.hold(entry) } else { accounts[account]?.outbox.append(entry) }
  }

  private func readOwed(_ reader: inout FieldReader) throws(FieldError) {
    var account: UInt32 = 0
    var entry = Owed.Entry(sequence: 0, id: 0, jid: "")
    while let field = try reader.next() {
      switch field {
      case 1: account = try reader.uint(UInt32.self)
      case 2: entry.sequence = try reader.uint()
      case 3: entry.id = try reader.uint()
      case 4: entry.jid = try reader.string()
      case 5: entry.isMarker = try reader.bool()
      default: break
      }
    }
    accounts[account]?.owed.append(entry)
  }

  private func readToken(_ kind: UInt32, _ reader: inout FieldReader) throws(FieldError) {
    var account: UInt32 = 0
    var entry = TokenIndex.Entry(hash: 0, id: 0, time: Timestamp(milliseconds: 0))
    while let field = try reader.next() {
      switch field {
      case 1: account = try reader.uint(UInt32.self)
      case 2: entry.hash = try reader.fixed64()
      case 3: entry.id = try reader.uint()
      case 4: entry.time = Timestamp(milliseconds: try reader.int())
      default: break
      }
    }
    switch kind {
    case Field.key: accounts[account]?.keys.insert(entry)
    case Field.stanzaID: accounts[account]?.stanzaIDs.insert(entry)
    case Field.archiveID: accounts[account]?.archiveIDs.insert(entry)
    default: accounts[account]?.incoming.insert(entry)
    }
  }

  private func readRefused(_ reader: inout FieldReader) throws(FieldError) {
    var account: UInt32 = 0
    while let field = try reader.next() {
      if field == 1 { account = try reader.uint(UInt32.self) }
      if field == 2 { accounts[account]?.refused = try reader.uint() }
    }
  }

  private func readFailure(_ reader: inout FieldReader) throws(FieldError) {
    var account: UInt32 = 0
    var id: UInt64 = 0
    var failure = Failure(condition: "undefined-condition")
    while let field = try reader.next() {
      switch field {
      case 1: account = try reader.uint(UInt32.self)
      case 2: id = try reader.uint()
      case 3: failure.condition = try reader.string()
      case 4: failure.text = try reader.string()
      default: break
      }
    }
    accounts[account]?.setFailure(failure, of: id)
  }
}
