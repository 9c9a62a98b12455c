import Bytes
import Clocks
import Records

/// The fields of a checkpoint's body. A checkpoint is the state as of a record, in a form that gives again the same
/// state. It is derived: anything odd in it makes it worthless, and the log is read from its beginning instead. A
/// record is one field (kind, payload); the others are what no record says in that form, those of an account with its
/// number as field 1.
enum CheckpointField {
  static let version: UInt32 = 1
  static let record: UInt32 = 2
  static let conversation: UInt32 = 3
  static let outbox: UInt32 = 4
  static let failure: UInt32 = 7
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

  /// Raised when the body's meaning changes: an older or newer one is ignored.
  static let currentVersion: UInt64 = 20
}

/// Writes the body of a checkpoint, in pieces, so that nothing large grows by copying.
struct CheckpointWriter {
  private typealias Field = CheckpointField

  private var pieces: [[UInt8]] = []
  private var writer = FieldWriter()

  /// The body for a state.
  ///
  /// - Parameter durable: the accounts' records that are durable; nil: all. One that only a checkpoint knew would never
  ///   be declared in the log, and nothing of it be found there without the checkpoint.
  static func pieces(of state: State, accounts durable: [UInt32: AccountRecord]?) -> [[UInt8]] {
    var body = CheckpointWriter()
    body.write(state, durable)
    return body.pieces + [body.writer.bytes]
  }

  /// Begins another piece where this one is long.
  private mutating func cut() {
    guard writer.bytes.count > 64 << 10 else { return }
    pieces.append(writer.bytes)
    writer = FieldWriter()
  }

  private mutating func write(_ state: State, _ durable: [UInt32: AccountRecord]?) {
    writer.uint(Field.version, Field.currentVersion)
    if let free = state.eviction?.freePages { writer.message(Field.freePages) { free.write(into: &$0) } }
    for account in state.accounts.all {
      guard let record = durable.map({ $0[account.number] }) ?? account.record else { continue }
      write(.account(record))
      writeRecords(of: account)
      writeFields(of: account)
      writeConversations(of: account)
    }
    for (name, position) in state.cursors.sorted(by: { $0.key < $1.key }) {
      write(.cursor(.init(name: name, position: position)))
    }
    if !state.accounts.mentionWords.words.isEmpty {
      write(.mentionWords(.init(words: state.accounts.mentionWords.words)))
    }
    for code in state.recentEmoticons.codes.reversed() { write(.emoticonUsed(.init(code: code))) }
    for logRange in state.timeRanges.list { writer.message(Field.logRange) { logRange.write(into: &$0) } }
    if state.damage.places > 0 { writer.message(Field.damage) { state.damage.write(into: &$0) } }
    writer.uint(Field.end, 1)
  }

  private mutating func write(_ record: Record) {
    writer.message(Field.record) {
      $0.uint(1, UInt64(record.kind))
      $0.message(2) { record.encode(into: &$0) }
    }
  }

  /// Writes what records say of an account, but for its own and the uploads.
  private mutating func writeRecords(of account: AccountState) {
    write(.wish(account.wish))
    if let login = account.server.login { write(.login(login)) }
    for contact in account.contacts.all.sorted(by: { $0.jid < $1.jid }) { write(.contact(contact)) }
    for avatar in account.contacts.avatars.values.sorted(by: { $0.jid < $1.jid }) { write(.avatar(avatar)) }
    for (jid, nickname) in account.contacts.nicknames.sorted(by: { $0.key < $1.key }) {
      write(.nickname(.init(account: account.number, jid: jid, nickname: nickname)))
    }
    if let version = account.contacts.rosterVersion {
      write(.rosterVersion(.init(account: account.number, version: version)))
    }
    if let offer = account.server.lastOffer { write(.offer(offer)) }
    for archive in account.server.archives.sorted(by: { ($0.key ?? "") < ($1.key ?? "") }) {
      write(.archive(archive.value))
    }
    if let gap = account.server.gap { write(.gap(gap)) }
    for settings in account.settings.byJID.values.sorted(by: { $0.jid < $1.jid }) { write(.settings(settings)) }
    for record in account.encryption.values.sorted(by: { $0.jid < $1.jid }) { write(.encryption(record)) }
    for device in account.devices.all { write(.device(device)) }
    for step in account.secrets.records(of: account.number) { write(.step(step)) }
    for room in account.rooms.byJID.values.sorted(by: { $0.jid < $1.jid }) { write(.room(room)) }
    for list in account.roomReaders.byRoom.sorted(by: { $0.key < $1.key }) {
      for reader in list.value { write(.roomReader(reader)) }
    }
    for list in account.ignored.byRoom.sorted(by: { $0.key < $1.key }) {
      for ignore in list.value { write(.ignore(ignore)) }
    }
    var stream = account.stream?.record(account: account.number) ?? .init(account: account.number)
    stream.lastLive = account.server.lastLive?.milliseconds
    if !stream.isEmpty { write(.stream(stream)) }
  }

  private mutating func write(_ field: UInt32, of account: AccountState, _ body: (inout FieldWriter) -> Void) {
    writer.message(field) {
      $0.uint(1, UInt64(account.number))
      body(&$0)
    }
  }

  private mutating func writeFields(of account: AccountState) {
    for jid in account.contacts.writtenTo.sorted() { write(Field.writtenTo, of: account) { $0.string(2, jid) } }
    writeOutbox(of: account)
    for (jid, history) in account.forgotten.byJID.sorted(by: { $0.key < $1.key }) {
      write(Field.forgotten, of: account) { history.write(jid, into: &$0) }
    }
    if !account.waiting.isEmpty { write(Field.waiting, of: account) { account.waiting.write(into: &$0) } }
    for receipt in account.pendingReceipts.entries {
      write(Field.pendingReceipts, of: account) { receipt.write(into: &$0) }
    }
    for read in account.unpublishedReads.entries {
      write(Field.unpublishedReads, of: account) { read.write(into: &$0) }
    }
    write(Field.messageIDs, of: account) { account.messageIDs.write(into: &$0) }
    for (id, failure) in account.failures.sorted(by: { $0.key < $1.key }) {
      write(Field.failure, of: account) {
        $0.uint(2, id)
        $0.string(3, failure.condition)
        if let text = failure.text { $0.string(4, text) }
      }
    }
  }

  private mutating func writeOutbox(of account: AccountState) {
    for (_, files) in account.outbox.uploads.sorted(by: { $0.key < $1.key }) {
      for (_, upload) in files.sorted(by: { $0.key < $1.key }) { write(.upload(upload)) }
    }
    for host in account.server.uploadHosts { write(.uploadHost(host)) }
    for entry in account.outbox.entries {
      write(Field.outbox, of: account) { entry.write(at: .order, into: &$0) }
    }
    for entry in account.outbox.held.values.sorted(by: { $0.id < $1.id }) {
      write(Field.outbox, of: account) { entry.write(at: .held, into: &$0) }
    }
    for entry in account.outbox.unreflected.values.sorted(by: { $0.id < $1.id }) {
      write(Field.outbox, of: account) { entry.write(at: .unreflected, into: &$0) }
    }
  }

  /// Writes the conversations in memory, but those of which a page says the same, and what pages have.
  private mutating func writeConversations(of account: AccountState) {
    var unread = account.conversations.unread
    for conversation in account.conversations.loaded where conversation.evictionState != .stored {
      writer.message(Field.conversation) { conversation.write(into: &$0) }
      cut()
      unread -= conversation.unread
    }
    guard let evicted = account.conversations.evicted, !evicted.isEmpty else { return }
    write(Field.evicted, of: account) {
      $0.uint(2, UInt64(max(0, unread)))
      evicted.runs.write(3, into: &$0)
    }
  }
}

extension State {
  /// The state as bytes.
  package var checkpointBody: [UInt8] { Array(CheckpointWriter.pieces(of: self, accounts: nil).joined()) }
}
