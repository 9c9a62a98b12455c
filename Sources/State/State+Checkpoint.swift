import Bytes
import Clocks
import Conversations
import MessageLog
package import Records

// A checkpoint is the state as of a record, in a form that gives again the same state. It is derived: anything odd in
// it makes it worthless, and the log is read from its beginning instead. Its body is a list of fields: field 1 is a
// record (kind, payload), the others are what no record says in that form.

extension State {
  /// The fields of a checkpoint's body.
  enum Field {
    static let version: UInt32 = 1
    static let record: UInt32 = 2
    static let conversation: UInt32 = 3
    static let outbox: UInt32 = 4
    static let failure: UInt32 = 7
    static let refused: UInt32 = 9
    static let pendingReceipts: UInt32 = 11
    static let freePages: UInt32 = 12
    static let logRange: UInt32 = 14
    static let end: UInt32 = 15
    static let evicted: UInt32 = 16
    static let forgotten: UInt32 = 17
    static let damage: UInt32 = 18
    static let messageIDs: UInt32 = 19
    static let waiting: UInt32 = 20
    static let unpublishedReads: UInt32 = 21
    static let writtenTo: UInt32 = 22
  }

  /// Raised when the body's meaning changes: an older or newer one is ignored.
  static let checkpointVersion: UInt64 = 16

  /// The state as bytes.
  package func checkpointBody(of durable: [UInt32: AccountRecord]? = nil) -> [UInt8] {
    Array(checkpointPieces(of: durable).joined())
  }

  /// The same in pieces, so that nothing large grows by copying.
  ///
  /// - Parameter durable: the accounts' records that are durable; nil: all. One that only a checkpoint knew would never be
  ///   declared in the log, and nothing of it be found there without the checkpoint.
  package func checkpointPieces(of durable: [UInt32: AccountRecord]?) -> [[UInt8]] {
    var body = CheckpointBody()
    body.writer.uint(Field.version, Self.checkpointVersion)
    if let pages { write(pages.allocator.free(with: unnamedPages), into: &body.writer) }
    for account in accounts.values.sorted(by: { $0.number < $1.number }) {
      guard let record = durable.map({ $0[account.number] }) ?? account.record else { continue }
      write(.account(record), into: &body.writer)
      write(account, into: &body.writer)
      let loaded = account.conversations.loaded.filter { $0.standing != .stored }
      for conversation in loaded {
        body.writer.message(Field.conversation) { conversation.write(into: &$0) }
        body.cut()
      }
      writeEvicted(account, unread: loaded.reduce(account.conversations.unread) { $0 - $1.unread }, into: &body.writer)
    }
    for (name, position) in cursors.sorted(by: { $0.key < $1.key }) {
      write(.cursor(.init(name: name, position: position)), into: &body.writer)
    }
    for code in recentEmoticons.codes.reversed() { write(.emoticonUsed(.init(code: code)), into: &body.writer) }
    for logRange in timeRanges.list { write(logRange, into: &body.writer) }
    if damage.places > 0 { body.writer.message(Field.damage) { damage.write(into: &$0) } }
    body.writer.uint(Field.end, 1)
    return body.pieces + [body.writer.bytes]
  }

  /// What has been written of a checkpoint.
  private struct CheckpointBody {
    private(set) var pieces: [[UInt8]] = []
    var writer = FieldWriter()

    /// Begins another piece where this one is long.
    mutating func cut() {
      guard writer.bytes.count > 64 << 10 else { return }
      pieces.append(writer.bytes)
      writer = FieldWriter()
    }
  }

  private func write(_ account: AccountState, into writer: inout FieldWriter) {
    write(.wish(account.wish), into: &writer)
    if let login = account.login { write(.login(login), into: &writer) }
    for contact in account.contacts.values.sorted(by: { $0.jid < $1.jid }) { write(.contact(contact), into: &writer) }
    for avatar in account.avatars.values.sorted(by: { $0.jid < $1.jid }) { write(.avatar(avatar), into: &writer) }
    for (jid, nickname) in account.nicknames.sorted(by: { $0.key < $1.key }) {
      write(.nickname(.init(account: account.number, jid: jid, nickname: nickname)), into: &writer)
    }
    if let version = account.rosterVersion {
      write(.rosterVersion(.init(account: account.number, version: version)), into: &writer)
    }
    if let offer = account.lastOffer { write(.offer(offer), into: &writer) }
    if let archive = account.archive { write(.archive(archive), into: &writer) }
    if let gap = account.gap { write(.gap(gap), into: &writer) }
    for settings in account.settings.byJID.values.sorted(by: { $0.jid < $1.jid }) {
      write(.settings(settings), into: &writer)
    }
    var stream = account.stream?.record(account: account.number, account.presences) ?? .init(account: account.number)
    stream.lastLive = account.lastLive?.milliseconds
    if !stream.isEmpty { write(.stream(stream), into: &writer) }
    for jid in account.writtenTo.sorted() {
      writer.message(Field.writtenTo) {
        $0.uint(1, UInt64(account.number))
        $0.string(2, jid)
      }
    }
    if account.refused > 0 {
      writer.message(Field.refused) {
        $0.uint(1, UInt64(account.number))
        $0.uint(2, account.refused)
      }
    }
    for (id, files) in account.uploads.sorted(by: { $0.key < $1.key }) {
      for (index, url) in files.sorted(by: { $0.key < $1.key }) {
        write(.upload(.init(account: account.number, id: id, index: index, url: url)), into: &writer)
      }
    }
    for host in account.uploadHosts { write(.uploadHost(.init(account: account.number, host: host)), into: &writer) }
    for entry in account.outbox.entries { write(entry, isHeld: false, account.number, into: &writer) }
    for entry in account.outbox.held.values.sorted(by: { $0.id < $1.id }) {
      write(entry, isHeld: true, account.number, into: &writer)
    }
    writeForgotten(account, into: &writer)
    writeWaiting(account, into: &writer)
    for entry in account.pendingReceipts.entries {
      write(entry, as: Field.pendingReceipts, account.number, into: &writer)
    }
    for entry in account.unpublishedReads.entries {
      write(entry, as: Field.unpublishedReads, account.number, into: &writer)
    }
    writer.message(Field.messageIDs) {
      $0.uint(1, UInt64(account.number))
      account.messageIDs.write(into: &$0)
    }
    for (id, failure) in account.failures.sorted(by: { $0.key < $1.key }) {
      writer.message(Field.failure) {
        $0.uint(1, UInt64(account.number))
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

  private func write(_ entry: Outbox.Entry, isHeld: Bool, _ account: UInt32, into writer: inout FieldWriter) {
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
      if let expires = entry.expires { $0.int(10, expires.milliseconds) }
      if let until = entry.heldUntil { $0.int(11, until.milliseconds) }
      if entry.order != entry.id { $0.uint(12, entry.order) }
      if isHeld { $0.bool(13, true) }
      if let target = entry.target { $0.uint(14, target) }
      if entry.fileCount > 0 { $0.uint(15, UInt64(entry.fileCount)) }
      if entry.isRewritten { $0.bool(16, true) }
      if let share = entry.share {
        $0.uint(17, UInt64(share.user))
        $0.uint(18, UInt64(share.units))
      }
    }
  }

  private func write(_ entry: PendingReceipt, as field: UInt32, _ account: UInt32, into writer: inout FieldWriter) {
    writer.message(field) {
      $0.uint(1, UInt64(account))
      $0.uint(2, entry.sequence)
      $0.uint(3, entry.id)
      $0.string(4, entry.jid)
      $0.bool(5, entry.isMarker)
    }
  }

  private func write(_ logRange: LogRange, into writer: inout FieldWriter) {
    writer.message(Field.logRange) {
      $0.uint(1, LogLocation(ordinal: logRange.ordinal, offset: logRange.first).packed)
      $0.uint(2, UInt64(logRange.last))
      $0.int(3, logRange.earliest.milliseconds)
      $0.int(4, logRange.latest.milliseconds)
    }
  }

  private func write(_ free: PageAllocator.Free, into writer: inout FieldWriter) {
    writer.message(Field.freePages) {
      $0.uint(1, UInt64(free.end))
      for page in free.pages { $0.uint(2, UInt64(page)) }
    }
  }
}
