import ConfabAccounts
import ConfabConfiguration
import MessageLog
import Records

/// The events that a hook has not handled, by the numbers of their records, oldest first, as far as the log was read for
/// it.
struct HookQueue {
  /// How far a reading of the log came.
  enum Progress {
    case done
    /// There is more to read.
    case more
    /// The disk refused, or the state is not whole.
    case stuck
  }

  /// So many events are looked for; further ones are found once these are handled.
  static let most = 1000
  /// Ranges of the log that are read at once, of 64 KiB each.
  private static let rangesOfTurn = 8

  private(set) var numbers: [UInt64] = []
  /// All records up to this one were looked at.
  private(set) var scanned: UInt64
  private var cursor: LogCursor?

  /// - Parameter position: the record behind which the hook begins.
  init(after position: UInt64) { scanned = position }

  mutating func removeFirst() { numbers.removeFirst() }

  /// Reads on in the log, and notes the events that the hook wants.
  mutating func scan(_ context: RequestContext, _ filter: HookFilter) -> Progress {
    let before = self
    defer { if scanned >= context.storage.queue.durable { cursor = nil } }
    for _ in 0..<Self.rangesOfTurn {
      guard scanned < context.storage.queue.durable, numbers.count < Self.most else { return .done }
      let start = scanned
      readRange(context, filter)
      guard context.storage.isWhole else {
        self = before
        return .stuck
      }
      if scanned == start { return .stuck }
    }
    return scanned < context.storage.queue.durable ? .more : .done
  }

  private mutating func readRange(_ context: RequestContext, _ filter: HookFilter) {
    do {
      var cursor = try self.cursor ?? context.records.cursor(after: scanned)
      var records: [(sequence: UInt64, record: Record)] = []
      try context.records.read(&cursor, limit: 64 << 10) { records.append(($0, $1)) }
      for (sequence, record) in records where sequence > scanned && filter.wants(record, sequence: sequence) {
        numbers.append(sequence)
      }
      (scanned, self.cursor) = (max(scanned, cursor.sequence - 1), cursor)
    } catch {
      context.effects.journal(.error, .damage, "reading the log for a hook failed: \(error)")
    }
  }
}
