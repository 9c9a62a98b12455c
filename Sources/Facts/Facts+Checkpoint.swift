import Bytes
import Clocks
import Conversations
import MessageLog
import Records

// A checkpoint is the facts as of a record, in a form that folds back into the same facts. It is derived: anything odd in
// it makes it worthless, and the log is read from its beginning instead. Its body is a list of fields: field 1 is a
// record (kind, payload), the others are what no record says in that form.

extension Facts {
  /// The fields of a checkpoint's body.
  enum Field {
    static let version: UInt32 = 1
    static let record: UInt32 = 2
    static let conversation: UInt32 = 3
    static let outbox: UInt32 = 4
    static let key: UInt32 = 5
    static let stanzaID: UInt32 = 6
    static let failure: UInt32 = 7
    static let incoming: UInt32 = 8
    static let refused: UInt32 = 9
    static let archiveID: UInt32 = 10
    static let end: UInt32 = 15
  }

  /// Raised when the body's meaning changes: an older or newer one is ignored.
  static let checkpointVersion: UInt64 = 2

  /// The facts as bytes.
  ///
  /// - Parameter durable: the accounts whose record is durable; nil: all. One that only a checkpoint knew would never be
  ///   declared in the log, and nothing of it be found there without the checkpoint.
  package func checkpointBody(of durable: Set<UInt32>? = nil) -> [UInt8] {
    var writer = FieldWriter()
    writer.uint(Field.version, Self.checkpointVersion)
    for account in accounts.values.sorted(by: { $0.record.number < $1.record.number })
    where durable?.contains(account.record.number) ?? true {
      write(account, into: &writer)
    }
    for (name, position) in cursors.sorted(by: { $0.key < $1.key }) {
      write(.cursor(.init(name: name, position: position)), into: &writer)
    }
    writer.uint(Field.end, 1)
    return writer.bytes
  }

  private func write(_ account: AccountFacts, into writer: inout FieldWriter) {
    write(.account(account.record), into: &writer)
    write(.wish(account.wish), into: &writer)
    if let login = account.login { write(.login(login), into: &writer) }
    for contact in account.contacts.values.sorted(by: { $0.jid < $1.jid }) { write(.contact(contact), into: &writer) }
    if let version = account.rosterVersion {
      write(.rosterVersion(.init(account: account.record.number, version: version)), into: &writer)
    }
    if let offer = account.lastOffer { write(.offer(offer), into: &writer) }
    if let archive = account.archive { write(.archive(archive), into: &writer) }
    if let stream = account.stream {
      write(.stream(stream.record(account: account.record.number, account.presences)), into: &writer)
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
    for entry in account.archiveIDs.entries { write(entry, Field.archiveID, account.record.number, into: &writer) }
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
      if let place = entry.place { $0.uint(9, UInt64(place)) }
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
