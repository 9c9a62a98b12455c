import Bytes
import Clocks
import Conversations
import Facts
import MessageLog
import Records
import Settings

/// What every part of the engine has at hand while one event is handled: the time, the log, and a place for what is to
/// be done and told. One object for the life of the engine, so that no part keeps a way to another.
final class Turn {
  /// The time of the event being handled.
  var now: Moment
  let random: any RandomSource
  var ledger: Ledger
  /// Reads durable records; errors are the disk's.
  let reader: LogReader
  /// What the driver is to do, in order.
  var actions: [Action] = []
  /// What front ends are to hear of, beside the records themselves.
  var notices: [Notice] = []
  /// Requests of front ends that the server has answered.
  var outcomes: [(ticket: Ticket, outcome: TicketOutcome)] = []
  /// Set while nothing new can be stored.
  var storageTrouble: StorageError?
  /// Since when the log cannot be written; nil while it can.
  var storageTroubleSince: Timestamp?
  /// What must be recorded still can be: the disk is full, and there is the room that was kept for that.
  var isOnReserve = false
  /// Records may be appended.
  var mayRecord: Bool { storageTrouble == nil || isOnReserve }
  /// How much of the log has been read, of a hundred, while the facts are not whole; nil: they are.
  var replayed: Int?
  /// The end has begun: nothing new is connected.
  var isStopping = false
  /// Places of records that should be there and are not.
  private(set) var unreadable: Set<UInt64> = []
  private static let mostUnreadable = 10_000
  /// A message was asked for that could not be read.
  private(set) var hasMissed = false
  private var lastNumber: UInt64 = 0
  private var gate = JournalGate()

  /// Seconds east of UTC at a time, in the daemon's time zone.
  let utcOffset: (Timestamp) -> Int

  init(
    now: Moment, random: any RandomSource, ledger: Ledger, reader: LogReader, utcOffset: @escaping (Timestamp) -> Int
  ) {
    self.utcOffset = utcOffset
    self.now = now
    self.random = random
    self.ledger = ledger
    self.reader = reader
  }

  /// Appends a record that no front end waits for.
  @discardableResult
  func append(_ record: Record) -> UInt64 { ledger.append(record, urgent: false) }

  /// Appends a record that a front end waits for.
  @discardableResult
  func appendUrgently(_ record: Record) -> UInt64 { ledger.append(record, urgent: true) }

  func act(_ action: Action) { actions.append(action) }

  /// Writes a line for the journal: no text, and nobody's name but an address.
  func journal(_ level: LogLevel, _ line: String, about fields: JournalFields = JournalFields()) {
    actions.append(.journal(level, line, fields))
  }

  /// Writes a line that others can cause as often as they like, unless there were many of its topic lately.
  func journal(
    _ level: LogLevel, _ topic: JournalGate.Topic, of account: AccountRecord? = nil, _ line: String,
    about fields: JournalFields = JournalFields()
  ) {
    guard let leftOut = gate.admit(topic, of: account?.number, at: now.instant) else { return }
    let others = leftOut == 0 ? "" : " (and \(leftOut) lines like this before it)"
    var fields = fields
    if let account { fields.account = account.name }
    journal(level, (account.map { "account \($0.name): " } ?? "") + line + others, about: fields)
  }

  /// A token that nobody can guess, of letters, digits, `-` and `_`.
  func token(bytes: Int) -> String { random.token(bytes: bytes) }

  /// A number never given before in this process: for links and iq ids.
  func freshNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  /// Reads the message with a location known from the facts; nil, and a line in the journal, where the disk fails.
  func message(_ id: UInt64, at location: UInt64) -> MessageRecord? {
    do throws(LogReadError) {
      let record = try reader.record(id, at: LogLocation(packed: location), in: ledger.index) { Record(reading: $0) }
      if case .message(let message) = record { return message }
    } catch .noRecord {
      noteUnreadable(location)
    } catch {
      journal(.error, .damage, "the log could not be read: \(error)")
    }
    return nil
  }

  /// Calls `body` with the message at a location known from the facts, where it stands in the log: nothing of it is copied.
  /// False where it cannot be read.
  ///
  /// - Parameter ahead: where those that will be asked for next stand close behind it, bytes that are worth reading at once.
  @discardableResult
  func withMessage(
    _ id: UInt64, at location: UInt64, ahead: Int, in index: LogIndex, _ body: (borrowing MessageView) -> Void
  ) -> Bool {
    var isFound = false
    do throws(LogReadError) {
      try reader.read(id, at: LogLocation(packed: location), ahead: ahead, in: index) {
        isFound = MessageView.read($0, body)
      }
    } catch .noRecord {
      noteUnreadable(location)
    } catch {
      journal(.error, .damage, "the log could not be read: \(error)")
    }
    if !isFound { hasMissed = true }
    return isFound
  }

  /// The same of one message.
  @discardableResult
  func withMessage(_ id: UInt64, at location: UInt64, _ body: (borrowing MessageView) -> Void) -> Bool {
    withMessage(id, at: location, ahead: LogReader.usualRecord, in: ledger.index, body)
  }

  /// Finds out whether messages can be read, one after the other: of a segment that is gone, or a sector that the disk does
  /// not give, only one is tried.
  func findingReadable<R>(_ body: ((Entry) -> Bool) -> R) -> R {
    var lost = 0..<UInt64(0)
    return body { entry in
      if lost.contains(entry.location) { return false }
      if withMessage(entry.id, at: entry.location, { _ in }) { return true }
      let location = LogLocation(packed: entry.location)
      let segment = entry.location - UInt64(location.offset)
      lost = (try? reader.lost(around: location, in: ledger.index)) ?? segment..<segment + 1 << 32
      return false
    }
  }

  /// A record was durable, and is not there any more: it is told of once.
  private func noteUnreadable(_ location: UInt64) {
    guard unreadable.count < Self.mostUnreadable, unreadable.insert(location).inserted else { return }
    journal(
      .error, .damage,
      "the log is damaged: no sound record at \(LogLocation(packed: location)); "
        + "`confab log verify` names all that is lost, and what is around it is served")
  }

  /// The durable message with this id; nil where there is none.
  func message(_ id: UInt64) -> MessageRecord? {
    if case .message(let message)? = record(id) { return message }
    return nil
  }

  /// The durable record with this number; nil where there is none.
  func record(_ id: UInt64) -> Record? {
    guard id > 0, id <= ledger.durable else { return nil }
    var found: Record?
    do throws(StorageError) {
      var cursor = try cursor(after: id - 1)
      try reader.read(&cursor, in: ledger.index) { frame in
        if frame.sequence == id { found = Record(reading: frame) }
        return false
      }
    } catch {
      journal(.error, "the log could not be read: \(error)")
    }
    return found
  }

  /// Where reading begins for what comes after a number.
  func cursor(after sequence: UInt64) throws(StorageError) -> LogCursor {
    try reader.locate(sequence + 1, in: ledger.index)
  }

  /// Reads durable records from a cursor on, about `limit` bytes of them.
  func read(_ cursor: inout LogCursor, limit: Int, _ body: (UInt64, Record) -> Void) throws(StorageError) {
    try reader.read(&cursor, in: ledger.index, limit: limit) { frame in
      if let record = Record(reading: frame) { body(frame.sequence, record) }
      return true
    }
  }
}

/// Something that front ends hear of and that is in no record.
enum Notice: Hashable {
  /// An account's connection changed its state.
  case connection(account: UInt32)
  /// Somebody's resource came, went or changed.
  case presence(account: UInt32, jid: String)
  /// The sections of the default gap changed between two messages (docs/PROTOCOL.md, `resection`).
  case resection(account: UInt32, jid: String, from: UInt64?, to: UInt64?)

  /// The disk became full, fails, or works again.
  case storage

  var isOfConnection: Bool { if case .connection = self { true } else { false } }
}

/// Stands for a front end's request that waits for the server's answer.
struct Ticket: Hashable, Sendable {
  let client: ClientID
  let number: UInt64
}

/// How the server answered.
enum TicketOutcome: Sendable {
  /// Done; what it changed is known once the record with this number is durable.
  case done(UInt64)
  /// It said no, in words.
  case refused(String)
  /// The connection ended first.
  case disconnected
  case timedOut
}
