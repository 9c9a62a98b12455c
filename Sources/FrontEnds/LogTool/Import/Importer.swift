import ConfabClient
import Clocks
import Timelines
import State
import Records

/// Turns lines into records.
struct Importer {
  private let log: WritableLog
  private let options: Import.Options
  private let addresses: ImportedAddresses
  private var known: Doubles
  private var marks: ImportedMarks
  /// Messages of mine in the batch that is not durable yet, by number.
  private var waiting: [UInt64: Stored] = [:]
  /// Rooms that messages were of so far, by account: each has a record then.
  private var madeRooms: [UInt32: Set<String>] = [:]
  /// Conversations that were found to be encrypted, by account.
  private var encrypted: [UInt32: Set<String>] = [:]
  /// The number of the last record at the start: an import may have been cut off behind it.
  private let last: UInt64
  private(set) var imported = 0
  private(set) var doubles = 0
  /// The former name of the account that the command line names, if it was different.
  private(set) var formerName: String?
  /// The log cannot be written, or addresses cannot be prepared: nothing more is taken.
  private(set) var failure: LogCommandFailure?

  init(
    _ log: WritableLog, _ options: Import.Options, _ addresses: ImportedAddresses
  ) throws(LogCommandFailure) {
    (self.log, self.options, self.addresses) = (log, options, addresses)
    (known, marks, last) = (
      Doubles(log, isForeign: options.isForeign), ImportedMarks(log), log.nextSequence - 1
    )
    do throws(WritableLogError) {
      try makeAccount()
    } catch {
      throw .notWritten(error)
    }
    try checkAccount()
  }

  /// Opens the log in a data directory, and makes it where there is none.
  static func open(_ path: String) throws(LogCommandFailure) -> WritableLog {
    do throws(WritableLogError) { return try WritableLog(path) } catch { throw .notWritten(error) }
  }

  private var accounts: ImportedAccounts { ImportedAccounts(log.state.accounts.all.map(\.record), options) }

  mutating func take(_ line: InputLines.Line) throws(LineProblem) {
    guard case .whole(let bytes) = line else {
      throw LineProblem("the line is longer than \(InputLines.longest) bytes")
    }
    guard !bytes.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) else { return }
    let read = try read(bytes)
    do throws(WritableLogError) {
      switch read {
      case .message(let message): try take(message)
      case .draft(let draft): try marks.take(draft)
      case .settings(let settings): try marks.take(settings)
      case .stanza(let stanza): try marks.take(stanza)
      }
    } catch {
      failure = .notWritten(error)
    }
  }

  private mutating func take(_ message: ImportedMessage) throws(WritableLogError) {
    if options.isCheck {
      if known.find(message.record) == nil { _ = try append(message) } else { doubles += 1 }
      return
    }
    let id: UInt64
    if let found = known.find(message.record) {
      doubles += 1
      try addState(of: message, to: found)
      id = found
      marks.noteFound(id)
    } else {
      id = try append(message)
      marks.noteImported(id)
    }
    if message.isLastRead || message.record.author.isMe || options.isRead { marks.noteRead(id, message.record) }
  }

  private mutating func read(_ line: [UInt8]) throws(LineProblem) -> ImportedLine {
    do throws(LineProblem) {
      return try ImportedLine(line, addresses) { (name) throws(LineProblem) in try accounts.account(name) }
    } catch {
      if error.endsAll { failure = .addresses(error.reason) }
      throw error
    }
  }

  func close() throws(LogCommandFailure) {
    do throws(WritableLogError) {
      try log.commit()
      try marks.storeReadPositions()
      try log.close()
    } catch {
      throw .notWritten(error)
    }
  }

  /// A room that the log does not know is one that was left: nothing that is sent there goes to a person.
  private mutating func makeRoom(of message: MessageRecord) throws(WritableLogError) {
    guard message.kind != .person else { return }
    let jid = String(message.jid.prefix { $0 != "/" })
    guard madeRooms[message.account, default: []].insert(jid).inserted,
      log.state.accounts[message.account]?.rooms.has(jid) == false
    else { return }
    try log.append(.room(RoomRecord(account: message.account, jid: jid)))
  }

  /// Marks the conversation of a message that was encrypted: nothing goes there in plain text by itself any more.
  private mutating func noteEncrypted(_ message: MessageRecord) throws(WritableLogError) {
    let isEncrypted = message.details?.seal?.version != nil || message.details?.unreadable == "omemo"
    guard isEncrypted, message.kind == .person else { return }
    var record =
      log.state.accounts[message.account]?.encryption[message.jid]
      ?? EncryptionRecord(account: message.account, jid: message.jid)
    guard !record.isEncrypted, encrypted[message.account, default: []].insert(message.jid).inserted else { return }
    record.isEncrypted = true
    try log.append(.encryption(record))
  }

  private mutating func append(_ message: ImportedMessage) throws(WritableLogError) -> UInt64 {
    guard !options.isCheck else { return count(message) }
    try makeRoom(of: message.record)
    try noteEncrypted(message.record)
    let id = try log.append(.message(message.record)) { id in
      message.standing == Standing() ? nil : .delivery(message.delivery(of: id, at: message.record.time))
    }
    known.insert(message.record, id)
    if message.record.author.isMe { waiting[id] = Stored(time: message.record.time, standing: message.standing) }
    forgetDurable()
    imported += 1
    return id
  }

  /// Counts a message that a check would add; a number that the log does not have.
  private mutating func count(_ message: ImportedMessage) -> UInt64 {
    imported += 1
    let id = last + UInt64(imported)
    known.insert(message.record, id)
    return id
  }

  private mutating func forgetDurable() {
    guard log.waitingCount == 0 else { return }
    known.forgetWaiting()
    waiting = [:]
  }

  /// One that is here: by a line or a file before, by an import that was cut off behind it or by another device.
  private mutating func addState(of message: ImportedMessage, to id: UInt64) throws(WritableLogError) {
    guard message.record.author.isMe, let stored = waiting[id] ?? stored(of: id) else { return }
    let isCutOff = id == last && stored.time == message.record.time
    guard message.standing.isNews(to: stored.standing, isCutOff: isCutOff) else { return }
    try log.append(.delivery(message.delivery(of: id, at: stored.time)))
    var standing = message.standing
    standing.inDoubt = standing.inDoubt || stored.standing.inDoubt
    waiting[id] = Stored(time: stored.time, standing: standing)
    forgetDurable()
  }

  /// The position of a message of mine in its conversation, and its state.
  private struct Stored {
    var time: Int64
    var standing: Standing
  }

  /// Returns the position of a message in the log that was sent from another device.
  private func stored(of id: UInt64) -> Stored? {
    guard let message = log.message(id), message.isMine, !message.isFromHere,
      let account = log.state.accounts[message.account],
      let timeline = account.conversations[message.jid]?.timeline,
      let row = timeline.row(ofTime: Timestamp(milliseconds: message.time), id: id)
    else { return nil }
    let flags = timeline[row].flags
    let failure = flags.state == .failed ? account.failures[id] : nil
    return Stored(
      time: message.time,
      standing: Standing(state: flags.state, failure: failure, inDoubt: flags.contains(.inDoubt)))
  }

  /// The account that the command line names is made where it says its JID too; the only one of that JID has that name from
  /// then on, as it has in a daemon's configuration.
  private mutating func makeAccount() throws(WritableLogError) {
    guard let name = options.account, let jid = options.jid, accounts.named(name) == nil else { return }
    let known = log.state.accounts.account(name, jid)
    formerName = known.map(\.label)
    let number = known?.number ?? log.state.accounts.freeNumber
    try log.append(.account(AccountRecord(number: number, name: name, jid: jid)))
    try log.commit()
  }

  /// Reports errors of the account once, before any line, because no line can correct them.
  private func checkAccount() throws(LogCommandFailure) {
    guard !accounts.isEmpty else { throw .account(Import.noAccount) }
    guard let name = options.account, accounts.named(name) == nil else { return }
    throw .account("the log has no account \(TerminalText.quoted(name)): create it with --jid JID")
  }
}
