import Clocks
package import Timelines
package import MessageLog
package import Records
import ConfabConfiguration
package import State

/// Reads durable records of the log. Errors of the disk and damage are reported to the journal.
///
/// Clients are told what could not be read. Accounts decide by what they read, so theirs is a reader that interrupts
/// them where the disk refuses (`Interruption`).
package final class RecordReader {
  /// The records that a read is for.
  private enum Place: Hashable {
    case number(UInt64)
    case location(UInt64)
  }
  private let first: LogReader
  /// Reads while bytes of the first one are lent.
  private lazy var second = first.another()
  private var isLent = false
  var reader: LogReader { isLent ? second : first }
  private let storage: Storage
  private let effects: Effects
  private let damage: UnreadablePlaces
  /// Interrupts accounts if a read for a decision fails; nil: nothing is decided by records read here.
  private let interruption: Interruption?
  /// How often the disk has refused to read for a decision.
  private var tries: [Place: Int] = [:]
  /// A place that was refused so often counts as damaged.
  private static let mostTries = 4
  /// The locations of records that were looked up by number: finding one in a segment takes several reads.
  private var found: [UInt64: LogLocation] = [:]
  private static let mostFound = 1000
  /// Why the last record that was asked for by its number is not known; nil: it was read, or there is none.
  package private(set) var failure: StorageError?
  /// Reads that the disk refused so far: what was made meanwhile of what was read may lack something.
  package private(set) var refusedReads = 0
  /// A message was asked for that could not be read.
  package private(set) var hasMissed = false

  package init(
    _ reader: LogReader, of storage: Storage, _ damage: UnreadablePlaces, _ effects: Effects,
    interrupting interruption: Interruption? = nil
  ) {
    (first, self.storage, self.damage, self.effects) = (reader, storage, damage, effects)
    self.interruption = interruption
  }

  /// Reads the record with a location known from the state, a message or a change of one, as it was written; nil, and a
  /// line in the journal, where the disk fails.
  package func written(_ id: UInt64, at location: UInt64) -> MessageRecord? {
    written(id, at: location, target: nil)?.message
  }

  /// Reads the record of a message in the outbox.
  package func written(_ entry: Outbox.Entry) -> MessageRecord? {
    written(entry.isRewritten ? nil : entry.id, at: entry.location, target: entry.isRewritten ? entry.id : nil)?.message
  }

  /// Reads a message as it stands now.
  package func message(_ entry: Entry) -> MessageRecord? { present(entry)?.message }

  /// Reads a message as it stands now, with the number of its record.
  func present(_ entry: Entry) -> (number: UInt64, message: MessageRecord)? {
    let isChanged = entry.flags.contains(.changed)
    return written(isChanged ? nil : entry.id, at: entry.location, target: isChanged ? entry.id : nil)
  }

  private func written(
    _ number: UInt64?, at location: UInt64, target: UInt64?
  ) -> (number: UInt64, message: MessageRecord)? {
    var found: (number: UInt64, message: MessageRecord)?
    do throws(LogReadError) {
      try reader.read(number, at: LogLocation(packed: location), in: storage.queue.index) { frame in
        switch Record(reading: frame) {
        case .message(let message)? where target == nil: found = (frame.sequence, message)
        case .change(let message)? where target == nil || target == message.target: found = (frame.sequence, message)
        default: break
        }
      }
      if found == nil { noteUnreadable(location) }
    } catch {
      failed(error, at: location)
    }
    return found
  }

  /// Calls `body` with a message as it stands now, where it stands in the log: nothing of it is copied. False where it
  /// cannot be read. `body` may read others.
  ///
  /// - Parameter ahead: where those that will be asked for next stand close behind it, bytes that are worth reading at
  ///   once.
  @discardableResult
  package func withMessage(
    _ entry: Entry, ahead: Int, in index: LogIndex, _ body: (borrowing MessageView) -> Void
  ) -> Bool {
    let isChanged = entry.flags.contains(.changed)
    var isFound = false
    do throws(LogReadError) {
      try reader.read(isChanged ? nil : entry.id, at: LogLocation(packed: entry.location), ahead: ahead, in: index) {
        MessageView.read($0) { view in
          guard view.target == (isChanged ? entry.id : nil) else { return }
          let wasLent = isLent
          (isFound, isLent) = (true, true)
          body(view)
          isLent = wasLent
        }
      }
      if !isFound { noteUnreadable(entry.location) }
    } catch {
      failed(error, at: entry.location)
    }
    if !isFound { hasMissed = true }
    return isFound
  }

  /// Calls `body` with one message as it stands now, without reading ahead.
  @discardableResult
  package func withMessage(_ entry: Entry, _ body: (borrowing MessageView) -> Void) -> Bool {
    withMessage(entry, ahead: LogReader.usualRecord, in: storage.queue.index, body)
  }

  /// Finds out whether messages can be read, one after the other: of a segment that is gone, or a sector that the disk
  /// does not give, only one is tried.
  package func findingReadable<R>(_ body: ((Entry) -> Bool) -> R) -> R {
    var lost = 0..<UInt64(0)
    return body { entry in
      if lost.contains(entry.location) { return false }
      if withMessage(entry, { _ in }) { return true }
      let location = LogLocation(packed: entry.location)
      let segment = entry.location - UInt64(location.offset)
      lost = (try? reader.lost(around: location, in: storage.queue.index)) ?? segment..<segment + 1 << 32
      return false
    }
  }

  private func failed(_ error: LogReadError, at location: UInt64) {
    if case .noRecord = error { return noteUnreadable(location) }
    refused(.location(location))
    effects.journal(.error, .damage, "reading the log failed: \(error)")
  }

  /// The disk refused a read. A decision that needs it is put off, and tried again after a pause.
  private func refused(_ place: Place) {
    refusedReads += 1
    guard let interruption, !interruption.isOn else { return }
    let count = tries[place, default: 0] + 1
    tries[place] = count
    if count < Self.mostTries { interruption.begin(at: effects.now.instant) }
  }

  /// A record was durable, and is not there any more: it is told of once.
  private func noteUnreadable(_ location: UInt64) {
    guard damage.note(location) else { return }
    effects.journal(
      .error, .damage,
      "the log is damaged: no valid record at \(LogLocation(packed: location)); "
        + "`confab log verify` lists all that is lost, and all else is served")
  }

  /// The durable message with this id; nil where there is none.
  package func message(_ id: UInt64) -> MessageRecord? {
    if case .message(let message)? = record(id) { return message }
    return nil
  }

  /// The stanza id of a message or change, for its receipt, and the receipt's recipient and type.
  func received(_ number: UInt64) -> (stanzaID: String?, sender: String, type: String)? {
    switch record(number) {
    case .message(let message): (message.stanzaID, message.peer, message.type)
    case .change(let message): (message.details?.change?.stanzaID, message.jid, message.type)
    default: nil
    }
  }

  /// The message of a durable record, changed or not, as it was written.
  package func changed(_ number: UInt64) -> MessageRecord? {
    switch record(number) {
    case .message(let message), .change(let message): message
    default: nil
    }
  }

  /// The durable message, or change of one, that was sent with this idempotency key.
  package func keyed(_ number: UInt64, _ key: String) -> MessageRecord? {
    switch record(number) {
    case .message(let message): message.key == key ? message : nil
    case .change(let message): message.details?.change?.key == key ? message : nil
    default: nil
    }
  }

  /// The durable message, or change of one, that was sent from here with this stanza's id.
  func sent(_ number: UInt64, _ stanzaID: String) -> MessageRecord? {
    switch record(number) {
    case .message(let message): message.isFromHere && message.stanzaID == stanzaID ? message : nil
    case .change(let message):
      message.details?.change?.isSent == true && message.details?.change?.stanzaID == stanzaID ? message : nil
    default: nil
    }
  }

  /// The durable record with this number; nil where there is none.
  package func record(_ id: UInt64) -> Record? {
    failure = nil
    guard id > 0, id <= storage.queue.durable else { return nil }
    if let place = found[id],
      let record = try? reader.record(id, at: place, in: storage.queue.index, Record.init(reading:))
    {
      return record
    }
    var record: Record?
    do throws(StorageError) {
      var cursor = try cursor(after: id - 1)
      try reader.read(&cursor, in: storage.queue.index) { frame in
        if frame.sequence == id { record = note(frame) }
        return false
      }
    } catch {
      failure = error
      refused(.number(id))
      effects.journal(.error, .damage, "reading the log failed: \(error)", about: JournalFields(errno: error.errno))
    }
    return record
  }

  /// The record with this number, durable or pending; nil where there is none.
  func recordOrPending(_ id: UInt64) -> Record? { record(id) ?? storage.queue.pendingRecord(id) }

  /// Reads a record that was found by its number, and remembers its place.
  private func note(_ frame: borrowing LogFrame) -> Record? {
    if found.count == Self.mostFound { found = [:] }
    found[frame.sequence] = frame.location
    return Record(reading: frame)
  }

  /// The cursor from which to read the records after a number.
  package func cursor(after sequence: UInt64) throws(StorageError) -> LogCursor {
    try reader.locate(sequence + 1, in: storage.queue.index)
  }

  /// Reads durable records from a cursor on, about `limit` bytes of them.
  package func read(_ cursor: inout LogCursor, limit: Int, _ body: (UInt64, Record) -> Void) throws(StorageError) {
    try reader.read(&cursor, in: storage.queue.index, limit: limit) { frame in
      if let record = Record(reading: frame) { body(frame.sequence, record) }
      return true
    }
  }
}
