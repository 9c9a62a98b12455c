import Clocks
import MessageLog
import Records

/// The engine's side of the log: where records are appended, and whether they can be.
final class Storage {
  var queue: LogQueue
  /// What was appended and is not durable.
  var pending = Pending()
  /// Set while nothing new can be stored.
  var trouble: StorageError?
  /// Since when the log cannot be written; nil while it can.
  var troubleSince: Timestamp?
  /// What must be recorded still can be: the disk is full, and there is the room that was kept for that.
  var isOnReserve = false
  /// How much of the log has been read, of a hundred, while the facts are not whole; nil: they are.
  var replayed: Int?
  /// The end has begun: nothing new is connected.
  var isStopping = false

  init(_ queue: LogQueue) { self.queue = queue }

  /// Records may be appended.
  var mayAppend: Bool { trouble == nil || isOnReserve }

  /// Appends a record that no front end waits for.
  @discardableResult
  func append(_ record: Record) -> UInt64 { append(record, urgent: false) }

  /// Appends a record that a front end waits for.
  @discardableResult
  func appendUrgently(_ record: Record) -> UInt64 { append(record, urgent: true) }

  private func append(_ record: Record, urgent: Bool) -> UInt64 {
    let sequence = queue.append(record, urgent: urgent)
    pending.note(record, sequence)
    return sequence
  }

  /// All that was not durable is given up.
  func giveUp() {
    queue.giveUp()
    pending.discard()
  }
}
