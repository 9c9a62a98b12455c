import Conversations
import State
import MessageLog
import Records
import Settings

/// Reads durable records of the log. Errors of the disk and damage are reported to the journal.
final class RecordReader {
  let reader: LogReader
  private let storage: Storage
  private let effects: Effects
  /// Places of records that should be there and are not.
  private(set) var unreadable: Set<UInt64> = []
  private static let mostUnreadable = 10_000
  /// A message was asked for that could not be read.
  private(set) var hasMissed = false

  init(_ reader: LogReader, of storage: Storage, _ effects: Effects) {
    (self.reader, self.storage, self.effects) = (reader, storage, effects)
  }

  /// Reads the message with a location known from the state; nil, and a line in the journal, where the disk fails.
  func message(_ id: UInt64, at location: UInt64) -> MessageRecord? {
    do throws(LogReadError) {
      let record = try reader.record(id, at: LogLocation(packed: location), in: storage.queue.index) {
        Record(reading: $0)
      }
      if case .message(let message) = record { return message }
      noteUnreadable(location)
    } catch .noRecord {
      noteUnreadable(location)
    } catch {
      effects.journal(.error, .damage, "reading the log failed: \(error)")
    }
    return nil
  }

  /// Calls `body` with the message at a location known from the state, where it stands in the log: nothing of it is copied.
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
      if !isFound { noteUnreadable(location) }
    } catch .noRecord {
      noteUnreadable(location)
    } catch {
      effects.journal(.error, .damage, "reading the log failed: \(error)")
    }
    if !isFound { hasMissed = true }
    return isFound
  }

  /// The same of one message.
  @discardableResult
  func withMessage(_ id: UInt64, at location: UInt64, _ body: (borrowing MessageView) -> Void) -> Bool {
    withMessage(id, at: location, ahead: LogReader.usualRecord, in: storage.queue.index, body)
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
      lost = (try? reader.lost(around: location, in: storage.queue.index)) ?? segment..<segment + 1 << 32
      return false
    }
  }

  /// A record was durable, and is not there any more: it is told of once.
  private func noteUnreadable(_ location: UInt64) {
    guard unreadable.count < Self.mostUnreadable, unreadable.insert(location).inserted else { return }
    effects.journal(
      .error, .damage,
      "the log is damaged: no valid record at \(LogLocation(packed: location)); "
        + "`confab log verify` lists all that is lost, and all else is served")
  }

  /// The durable message with this id; nil where there is none.
  func message(_ id: UInt64) -> MessageRecord? {
    if case .message(let message)? = record(id) { return message }
    return nil
  }

  /// The durable record with this number; nil where there is none.
  func record(_ id: UInt64) -> Record? {
    guard id > 0, id <= storage.queue.durable else { return nil }
    var found: Record?
    do throws(StorageError) {
      var cursor = try cursor(after: id - 1)
      try reader.read(&cursor, in: storage.queue.index) { frame in
        if frame.sequence == id { found = Record(reading: frame) }
        return false
      }
    } catch {
      effects.journal(.error, "reading the log failed: \(error)")
    }
    return found
  }

  /// Where reading begins for what comes after a number.
  func cursor(after sequence: UInt64) throws(StorageError) -> LogCursor {
    try reader.locate(sequence + 1, in: storage.queue.index)
  }

  /// Reads durable records from a cursor on, about `limit` bytes of them.
  func read(_ cursor: inout LogCursor, limit: Int, _ body: (UInt64, Record) -> Void) throws(StorageError) {
    try reader.read(&cursor, in: storage.queue.index, limit: limit) { frame in
      if let record = Record(reading: frame) { body(frame.sequence, record) }
      return true
    }
  }
}
