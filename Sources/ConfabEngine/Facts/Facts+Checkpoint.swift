import Bytes
package import Clocks
import Conversations
import MessageLog
import Records

// A checkpoint is the facts as of a record, in a form that folds back into the same facts. It is derived: anything odd in
// it makes it worthless, and the log is read from its beginning instead. Its body is a list of fields: field 1 is a
// record (kind, payload), the others are what no record says in that form.

extension Facts {
  private enum Field {
    static let version: UInt32 = 1
    static let record: UInt32 = 2
    static let conversation: UInt32 = 3
    static let outbox: UInt32 = 4
    static let key: UInt32 = 5
    static let stanzaID: UInt32 = 6
    static let failure: UInt32 = 7
    static let incoming: UInt32 = 8
    static let refused: UInt32 = 9
    static let end: UInt32 = 15
  }

  /// Raised when the body's meaning changes: an older or newer one is ignored.
  private static let checkpointVersion: UInt64 = 1

  /// The facts as bytes.
  package func checkpointBody() -> [UInt8] {
    var writer = FieldWriter()
    writer.uint(Field.version, Self.checkpointVersion)
    for account in accounts.values.sorted(by: { $0.record.number < $1.record.number }) {
      write(account, into: &writer)
    }
    writer.uint(Field.end, 1)
    return writer.bytes
  }

  /// Facts from a checkpoint's body; nil where it is not one that this version wrote whole.
  package static func restored(from body: [UInt8], sequence: UInt64, gap: Interval) -> Facts? {
    let facts = Facts(gap: gap)
    let isWhole = try? FieldReader.read(body) { reader throws(FieldError) in try facts.read(&reader) }
    guard isWhole == true else { return nil }
    facts.restored(to: sequence)
    return facts
  }

  private func write(_ account: AccountFacts, into writer: inout FieldWriter) {
    write(.account(account.record), into: &writer)
    write(.wish(account.wish), into: &writer)
    for contact in account.contacts.values.sorted(by: { $0.jid < $1.jid }) { write(.contact(contact), into: &writer) }
    if let version = account.rosterVersion {
      write(.rosterVersion(.init(account: account.record.number, version: version)), into: &writer)
    }
    if account.refused > 0 {
      writer.message(Field.refused) {
        $0.uint(1, UInt64(account.record.number))
        $0.uint(2, account.refused)
      }
    }
    for conversation in account.conversations.values.sorted(by: { $0.jid < $1.jid }) {
      write(conversation, into: &writer)
    }
    for entry in account.outbox.entries { write(entry, account.record.number, into: &writer) }
    for entry in account.keys.entries { write(entry, Field.key, account.record.number, into: &writer) }
    for entry in account.stanzaIDs.entries { write(entry, Field.stanzaID, account.record.number, into: &writer) }
    for entry in account.incoming.entries { write(entry, Field.incoming, account.record.number, into: &writer) }
    for (id, failure) in account.failures.sorted(by: { $0.key < $1.key }) {
      writer.message(Field.failure) {
        $0.uint(1, UInt64(account.record.number))
        $0.uint(2, id)
        $0.string(3, failure.condition)
        if let text = failure.text { $0.string(4, text) }
      }
    }
  }

  private func write(_ record: Record, into writer: inout FieldWriter) {
    writer.message(Field.record) {
      $0.uint(1, UInt64(record.kind))
      $0.message(2) { record.encode(into: &$0) }
    }
  }

  private func write(_ conversation: Conversation, into writer: inout FieldWriter) {
    writer.message(Field.conversation) {
      $0.uint(1, UInt64(conversation.account))
      $0.string(2, conversation.jid)
      var entries = FieldWriter()
      for row in 0..<conversation.timeline.count {
        let entry = conversation.timeline[row]
        entries.fixed64(1, UInt64(bitPattern: entry.time.milliseconds))
        entries.uint(2, entry.id)
        entries.uint(3, entry.location)
        entries.uint(4, UInt64(entry.archiveOrder))
        entries.uint(5, UInt64(entry.flags.rawValue))
      }
      $0.bytes(3, entries.bytes)
      if let read = conversation.read {
        $0.int(4, read.time.milliseconds)
        $0.uint(5, read.id)
      }
      if !conversation.draft.isEmpty { $0.string(6, conversation.draft) }
    }
  }

  private func write(_ entry: Outbox.Entry, _ account: UInt32, into writer: inout FieldWriter) {
    writer.message(Field.outbox) {
      $0.uint(1, UInt64(account))
      $0.uint(2, entry.id)
      $0.uint(3, entry.location)
      $0.string(4, entry.jid)
      $0.int(5, entry.time.milliseconds)
      $0.bool(6, entry.transmitted)
      $0.bool(7, entry.inDoubt)
      $0.uint(8, UInt64(entry.suspicions))
    }
  }

  private func write(_ entry: TokenIndex.Entry, _ field: UInt32, _ account: UInt32, into writer: inout FieldWriter) {
    writer.message(field) {
      $0.uint(1, UInt64(account))
      $0.fixed64(2, entry.hash)
      $0.uint(3, entry.id)
      $0.int(4, entry.time.milliseconds)
    }
  }
}

// MARK: - Reading it back

extension Facts {
  /// True where it was read to its mark of the end.
  private func read(_ reader: inout FieldReader) throws(FieldError) -> Bool {
    while let field = try reader.next() {
      switch field {
      case Field.version: if try reader.uint() != Self.checkpointVersion { return false }
      case Field.record: try reader.message { inner throws(FieldError) in try readRecord(&inner) }
      case Field.conversation: try reader.message { inner throws(FieldError) in try readConversation(&inner) }
      case Field.outbox: try reader.message { inner throws(FieldError) in try readOutbox(&inner) }
      case Field.key, Field.stanzaID, Field.incoming:
        try reader.message { inner throws(FieldError) in try readToken(field, &inner) }
      case Field.refused: try reader.message { inner throws(FieldError) in try readRefused(&inner) }
      case Field.failure: try reader.message { inner throws(FieldError) in try readFailure(&inner) }
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

  private func readConversation(_ reader: inout FieldReader) throws(FieldError) {
    var account: UInt32 = 0
    var conversation: Conversation?
    var readTime: Int64 = 0
    while let field = try reader.next() {
      switch field {
      case 1: account = try reader.uint(UInt32.self)
      case 2: conversation = self.conversation(account, try reader.string())
      case 3: conversation?.restore(try reader.message { inner throws(FieldError) in try Self.readEntries(&inner) })
      case 4: readTime = try reader.int()
      case 5: conversation?.markRead(.init(time: Timestamp(milliseconds: readTime), id: try reader.uint()))
      case 6: conversation?.draft = try reader.string()
      default: break
      }
    }
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

  private func readOutbox(_ reader: inout FieldReader) throws(FieldError) {
    var account: UInt32 = 0
    var entry = Outbox.Entry(id: 0, location: 0, jid: "", time: Timestamp(milliseconds: 0), transmitted: false)
    while let field = try reader.next() {
      switch field {
      case 1: account = try reader.uint(UInt32.self)
      case 2: entry.id = try reader.uint()
      case 3: entry.location = try reader.uint()
      case 4: entry.jid = try reader.string()
      case 5: entry.time = Timestamp(milliseconds: try reader.int())
      case 6: entry.transmitted = try reader.bool()
      case 7: entry.inDoubt = try reader.bool()
      case 8: entry.suspicions = try reader.uint(UInt8.self)
      default: break
      }
    }
    accounts[account]?.outbox.append(entry)
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
